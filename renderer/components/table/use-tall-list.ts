import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';

/** Browsers cut off what is taller than about 33 million pixels: half a million rows. */
const tallestPixels = 16_000_000;
const overscan = 8;
/** Rows are placed within blocks of so many, so that those that stay on screen stay as they are. */
const rowsPerBlock = 500;

type Options = {
  scroller: RefObject<HTMLDivElement | null>;
  count: number;
  rowHeight: number;
  /** Height of a sticky header over the rows, in pixels. */
  headerHeight?: number;
  /** Where it begins, in pixels of the whole list. */
  initialTop: number;
  onScrolled?: (top: number) => void;
};

/**
 * Rows of one height in a list of any length. The scroll bar stands for all of them: where the whole is
 * taller than a browser draws, its pixels are stretched, and small steps still move by what they say.
 */
export function useTallList(options: Options) {
  const { scroller, count, rowHeight, headerHeight = 0, initialTop, onScrolled } = options;
  const [viewport, setViewport] = useState(0);
  const [{ top, lag }, setPlace] = useState({ top: initialTop, lag: 0 });
  const full = count * rowHeight;
  const drawn = Math.min(full, tallestPixels);
  const most = Math.max(0, full - viewport);
  const mostDrawn = Math.max(0, drawn - viewport);
  const stretch = mostDrawn > 0 ? most / mostDrawn : 1;

  /** What is true now, for handlers; the element's own `scrollTop` as it was last seen, too. */
  const now = useRef({ top, most, mostDrawn, stretch, viewport, seen: 0 });
  Object.assign(now.current, { most, mostDrawn, stretch, viewport });

  const scrollTo = useCallback(
    (wanted: number) => {
      const state = now.current;
      state.top = Math.min(state.most, Math.max(0, wanted));
      if (scroller.current) {
        scroller.current.scrollTop = state.top / state.stretch;
        state.seen = scroller.current.scrollTop;
      }
      setPlace({ top: state.top, lag: state.top - state.seen });
      onScrolled?.(state.top);
    },
    [scroller, onScrolled],
  );

  const onScroll = useCallback(() => {
    const state = now.current;
    const drawnTop = scroller.current?.scrollTop ?? 0;
    if (drawnTop === state.seen) return;
    const step = drawnTop - state.seen;
    state.seen = drawnTop;
    const atAnEnd = drawnTop <= 0 || drawnTop >= state.mostDrawn - 1;
    const isSmall = state.stretch > 1 && Math.abs(step) <= state.viewport && !atAnEnd;
    const wanted = isSmall ? state.top + step : drawnTop * state.stretch;
    state.top = Math.min(state.most, Math.max(0, wanted));
    setPlace({ top: state.top, lag: state.top - drawnTop });
    onScrolled?.(state.top);
  }, [scroller, onScrolled]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = () => {
      // Who shows a row before this is drawn again has to know it, too.
      now.current.viewport = element.clientHeight - headerHeight;
      setViewport(now.current.viewport);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, headerHeight]);

  // Once there is a height to scroll in, and whenever the list became shorter than where one is.
  const measured = viewport > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `most` says when the list changed
  useLayoutEffect(() => {
    if (measured) scrollTo(now.current.top);
  }, [measured, most, scrollTo]);

  const scrollToRow = useCallback(
    (row: number, align: 'nearest' | 'center') => {
      const { top: from, viewport: height } = now.current;
      const start = row * rowHeight;
      if (align === 'center') return scrollTo(start - (height - rowHeight) / 2);
      // What comes next is seen, too.
      const margin = height > 4 * rowHeight ? rowHeight : 0;
      if (start - margin < from) scrollTo(start - margin);
      else if (start + rowHeight + margin > from + height) scrollTo(start + rowHeight + margin - height);
    },
    [rowHeight, scrollTo],
  );

  const first = Math.floor(top / rowHeight);
  const last = Math.max(first, Math.min(count - 1, Math.ceil((top + viewport) / rowHeight) - 1));
  const rows = Array.from(
    { length: Math.max(0, Math.min(count - 1, last + overscan) - Math.max(0, first - overscan) + 1) },
    (_, index) => Math.max(0, first - overscan) + index,
  );
  const block = first - (first % rowsPerBlock);
  return {
    /** The rows to draw: those on screen and a few more. */
    rows,
    first,
    last,
    /** How tall what is scrolled is drawn, in pixels. */
    height: drawn,
    /** Where the rows' common place begins in it. */
    origin: block * rowHeight - (stretch > 1 ? lag : 0),
    /** Where a row is drawn within that place: the same for as long as one scrolls nearby. */
    startOf: (row: number) => (row - block) * rowHeight,
    /** As many rows as are ever drawn at once. */
    most: Math.ceil(viewport / rowHeight) + 1 + 2 * overscan,
    onScroll,
    scrollTo,
    scrollToRow,
    top: () => now.current.top,
  };
}
