import { Tooltip } from '@mantine/core';
import {
  cloneElement,
  type FocusEvent,
  type HTMLAttributes,
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

type HintBubbleProps = { label: string; target: HTMLElement; isWanted: boolean; onLeave: () => void };

/** What a hint says, beside what it says it of. */
function HintBubble({ label, target, isWanted, onLeave }: HintBubbleProps): ReactNode {
  // What is opened from its beginning doesn't fade in.
  const [opened, setOpened] = useState(false);
  useEffect(() => setOpened(isWanted), [isWanted]);
  useEffect(() => {
    if (!opened) return;
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      onLeave();
      // Who takes it away by key stays where they are.
      if (target === document.activeElement) event.stopImmediatePropagation();
    };
    // Before whatever else takes the key.
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  });
  return <Tooltip target={target} opened={opened} label={<Said of={target}>{label}</Said>} />;
}

/** The words, which describe what they are said of. */
function Said({ of, children }: { of: HTMLElement; children: string }) {
  const words = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const id = words.current?.closest('[role=tooltip]')?.id;
    if (id) of.setAttribute('aria-describedby', id);
    return () => of.removeAttribute('aria-describedby');
  }, [of]);
  return <span ref={words}>{children}</span>;
}

/** So long the pointer or the focus rests before anything is said. */
const restMs = 400;

/** Keys that do nothing by themselves. */
const modifiers = new Set(['Shift', 'Control', 'Alt', 'Meta']);

/** Whether the latest key led from one to the next: what closes gives the focus back, and nobody asked what that is. */
let isOnTheWay = false;
window.addEventListener(
  'keydown',
  ({ key }) => {
    isOnTheWay = /^(Tab|Arrow)/.test(key);
  },
  true,
);

type Attributes = HTMLAttributes<Element>;
type Props = Attributes & { label: string; children: ReactElement<Attributes> };

/**
 * Says what its child is once the pointer rests on it, or the focus of who comes by keyboard. Nothing is made for
 * that before: a tooltip that stands ready costs more than a row of a list, and a screen has dozens.
 *
 * @param handed what a menu hands to what opens it
 */
export function Hint({ label, children, ...handed }: Props) {
  const [target, setTarget] = useState<HTMLElement>();
  const [isWanted, setWanted] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const own = { ...handed, ...children.props };

  function rest(element: HTMLElement) {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      // What has opened at it is not to be covered.
      if (element.ariaExpanded === 'true') return;
      setTarget(element);
      setWanted(true);
    }, restMs);
  }
  function enter({ pointerType, currentTarget }: PointerEvent) {
    if (pointerType !== 'touch') rest(currentTarget as HTMLElement);
  }
  function focus(event: FocusEvent) {
    own.onFocus?.(event);
    if (isOnTheWay && event.currentTarget.matches(':focus-visible')) rest(event.currentTarget as HTMLElement);
  }
  function blur(event: FocusEvent) {
    own.onBlur?.(event);
    leave();
  }
  function press(event: KeyboardEvent) {
    own.onKeyDown?.(event);
    if (!modifiers.has(event.key)) leave();
  }
  function leave() {
    clearTimeout(timer.current);
    setWanted(false);
  }

  return (
    <>
      {cloneElement(children, {
        ...own,
        onPointerEnter: enter,
        onPointerLeave: leave,
        // What opens at it is not to be covered.
        onPointerDown: leave,
        onFocus: focus,
        onBlur: blur,
        onKeyDown: press,
      })}
      {target && <HintBubble label={label} target={target} isWanted={isWanted} onLeave={leave} />}
    </>
  );
}
