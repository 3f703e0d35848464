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
import { useConsole } from '../console-context.ts';

type HintBubbleProps = { label: string; target: HTMLElement; isOpen: boolean; onClose: () => void };

function HintBubble({ label, target, isOpen, onClose }: HintBubbleProps): ReactNode {
  // Mounts closed, so that it fades in.
  const [opened, setOpened] = useState(false);
  useEffect(() => setOpened(isOpen), [isOpen]);
  useEffect(() => {
    if (!opened) return;
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      onClose();
      // Escape closes the hint only, if the focus is on its target.
      if (target === document.activeElement) event.stopImmediatePropagation();
    };
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  });
  return <Tooltip target={target} opened={opened} label={<Description of={target}>{label}</Description>} />;
}

/** Renders the text and sets it as the target's `aria-describedby`. */
function Description({ of, children }: { of: HTMLElement; children: string }) {
  const words = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const id = words.current?.closest('[role=tooltip]')?.id;
    if (id) of.setAttribute('aria-describedby', id);
    return () => of.removeAttribute('aria-describedby');
  }, [of]);
  return <span ref={words}>{children}</span>;
}

/** Delay before a hint opens. */
const openDelayMs = 400;

const modifiers = new Set(['Shift', 'Control', 'Alt', 'Meta']);

type Attributes = HTMLAttributes<Element>;
type Props = Attributes & { label: string; children: ReactElement<Attributes> };

/**
 * Shows a tooltip once the pointer or the keyboard focus rests on its child. Mounts nothing before: a mounted tooltip
 * costs more than a list row.
 *
 * @param injected props that a menu passes to its target
 */
export function Hint({ label, children, ...injected }: Props) {
  const { focus: tracker } = useConsole();
  const [target, setTarget] = useState<HTMLElement>();
  const [isOpen, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const merged = { ...injected, ...children.props };

  function openSoon(element: HTMLElement) {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      // Would cover a popup that is open at the element.
      if (element.ariaExpanded === 'true') return;
      setTarget(element);
      setOpen(true);
    }, openDelayMs);
  }
  function onPointerEnter({ pointerType, currentTarget }: PointerEvent) {
    if (pointerType !== 'touch') openSoon(currentTarget as HTMLElement);
  }
  function focus(event: FocusEvent) {
    merged.onFocus?.(event);
    if (tracker.isMovedByKey() && event.currentTarget.matches(':focus-visible'))
      openSoon(event.currentTarget as HTMLElement);
  }
  function blur(event: FocusEvent) {
    merged.onBlur?.(event);
    close();
  }
  function press(event: KeyboardEvent) {
    merged.onKeyDown?.(event);
    if (!modifiers.has(event.key)) close();
  }
  function close() {
    clearTimeout(timer.current);
    setOpen(false);
  }

  return (
    <>
      {cloneElement(children, {
        ...merged,
        onPointerEnter,
        onPointerLeave: close,
        // Would cover a popup that the click opens.
        onPointerDown: close,
        onFocus: focus,
        onBlur: blur,
        onKeyDown: press,
      })}
      {target && <HintBubble label={label} target={target} isOpen={isOpen} onClose={close} />}
    </>
  );
}
