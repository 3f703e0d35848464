import {
  cloneElement,
  type FocusEvent,
  type HTMLAttributes,
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  useEffect,
  useRef,
  useState,
} from 'react';
import { HintBubble } from './HintBubble.tsx';

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
