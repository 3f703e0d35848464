import { type KeyboardEvent, type PointerEvent, useRef } from 'react';

type Props = {
  label: string;
  /** In CSS pixels, like the limits. The element may be wider if there is room. */
  width: number;
  min: number;
  max: number;
  className: string | undefined;
  onResize: (width: number) => void;
};

const step = 16;

/** Renders a resize handle, for dragging and arrow keys. */
export function ResizeHandle({ label, width, min, max, className, onResize }: Props) {
  const drag = useRef<{ x: number; width: number }>(undefined);
  const currentWidth = (event: { currentTarget: Element }) => renderedWidth(event, width);
  const resize = (next: number) => onResize(Math.round(Math.min(max, Math.max(min, next))));

  function onPointerMove(event: PointerEvent) {
    if (drag.current) resize(drag.current.width + (event.clientX - drag.current.x) * widenSign(event));
  }
  function onKeyDown(event: KeyboardEvent) {
    const direction = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!direction) return;
    event.preventDefault();
    resize(currentWidth(event) + step * direction * widenSign(event));
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> can't be focusable
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      className={className}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { x: event.clientX, width: currentWidth(event) };
      }}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        drag.current = undefined;
      }}
      onKeyDown={onKeyDown}
    />
  );
}

/** The rendered width of the table header around the handle. */
const renderedWidth = ({ currentTarget }: { currentTarget: Element }, fallback: number) =>
  currentTarget.closest('th')?.getBoundingClientRect().width ?? fallback;

/** 1 if dragging to the right widens. */
const widenSign = ({ currentTarget }: { currentTarget: Element }) =>
  getComputedStyle(currentTarget).direction === 'rtl' ? -1 : 1;
