import {
  cloneElement,
  type HTMLAttributes,
  lazy,
  type PointerEvent,
  type ReactElement,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react';

// Nothing depends on it.
const loadBubble = () => import('./HintBubble.tsx').catch(() => ({ default: () => null }));
const HintBubble = lazy(loadBubble);

/** So long the pointer rests before anything is said. */
const restMs = 400;

type Attributes = HTMLAttributes<Element>;
type Props = Attributes & { label: string; children: ReactElement<Attributes> };

/**
 * Says what its child is once the pointer rests on it. Nothing is made for that before: a tooltip that stands ready
 * costs more than a row of a list, and a screen has dozens.
 *
 * @param handed what a menu hands to what opens it
 */
export function Hint({ label, children, ...handed }: Props) {
  const [target, setTarget] = useState<HTMLElement>();
  const [isWanted, setWanted] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function enter({ pointerType, currentTarget }: PointerEvent) {
    if (pointerType === 'touch') return;
    void loadBubble();
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setTarget(currentTarget as HTMLElement);
      setWanted(true);
    }, restMs);
  }
  function leave() {
    clearTimeout(timer.current);
    setWanted(false);
  }

  return (
    <>
      {cloneElement(children, {
        ...handed,
        ...children.props,
        onPointerEnter: enter,
        onPointerLeave: leave,
        // What opens at it is not to be covered.
        onPointerDown: leave,
      })}
      {target && (
        <Suspense>
          <HintBubble label={label} target={target} isWanted={isWanted} onLeave={leave} />
        </Suspense>
      )}
    </>
  );
}
