import { type KeyboardEvent, type PointerEvent, useRef } from 'react';

type Props = {
  label: string;
  /** In CSS pixels, as are the others; what stands before it can be wider, where there is room. */
  width: number;
  narrowest: number;
  widest: number;
  className: string | undefined;
  onResize: (width: number) => void;
};

const step = 16;

/** The edge of what stands before it, which makes that wider and narrower: dragged, or by the arrow keys. */
export function WidthEdge({ label, width, narrowest, widest, className, onResize }: Props) {
  const drag = useRef<{ x: number; width: number }>(undefined);
  const widthNow = (event: { currentTarget: Element }) => widthIn(event, width);
  const resize = (next: number) => onResize(Math.round(Math.min(widest, Math.max(narrowest, next))));

  function onPointerMove(event: PointerEvent) {
    if (drag.current) resize(drag.current.width + (event.clientX - drag.current.x) * forward(event));
  }
  function onKeyDown(event: KeyboardEvent) {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    resize(widthNow(event) + step * way * forward(event));
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that moves is none that a rule can be
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={narrowest}
      aria-valuemax={widest}
      tabIndex={0}
      className={className}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { x: event.clientX, width: widthNow(event) };
      }}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        drag.current = undefined;
      }}
      onKeyDown={onKeyDown}
    />
  );
}

/** In a table, of the heading that it is the edge of. */
const widthIn = ({ currentTarget }: { currentTarget: Element }, otherwise: number) =>
  currentTarget.closest('th')?.getBoundingClientRect().width ?? otherwise;

/** Which way is wider. */
const forward = ({ currentTarget }: { currentTarget: Element }) =>
  getComputedStyle(currentTarget).direction === 'rtl' ? -1 : 1;
