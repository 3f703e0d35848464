import { i18n } from '@lingui/core';
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { Command } from '../commands.ts';

/** Browsers clip elements taller than about 33 million pixels. */
const tallestPixels = 16_000_000;
const overscan = 8;
/** Rows are positioned within blocks, so that scrolling doesn't change the style of visible rows. */
const rowsPerBlock = 500;

type Options = {
  scroller: RefObject<HTMLDivElement | null>;
  count: number;
  rowHeight: number;
  /** Height of a sticky header over the rows, in pixels. */
  headerHeight?: number;
  /** Offset of its beginning, in pixels of the whole list. */
  initialTop: number;
  onScrolled?: (top: number) => void;
};

/**
 * Virtualizes rows of equal height in a list of any length. If the list is taller than a browser can draw, the scroll bar is
 * scaled, while small steps still scroll by their size.
 */
export function useTallList(options: Options) {
  const { scroller, count, rowHeight, headerHeight = 0, initialTop, onScrolled } = options;
  const [measured, setMeasured] = useState<number>();
  const viewport = measured ?? 0;
  const [top, setTop] = useState(initialTop);
  const [lag, setLag] = useState(0);
  const full = count * rowHeight;
  const drawn = Math.min(full, tallestPixels);
  const most = Math.max(0, full - viewport);
  const mostDrawn = Math.max(0, drawn - viewport);
  const stretch = mostDrawn > 0 ? most / mostDrawn : 1;

  /** Current values for handlers. `seen`: the element's last known `scrollTop`. */
  const now = useRef({ top, most, mostDrawn, stretch, viewport, seen: 0 });
  Object.assign(now.current, { most, mostDrawn, stretch, viewport });

  const scrollTo = useCallback(
    (target: number) => {
      const state = now.current;
      state.top = Math.min(state.most, Math.max(0, target));
      // Reading or setting it makes the browser lay out the page.
      if (scroller.current && state.seen !== state.top / state.stretch) {
        scroller.current.scrollTop = state.top / state.stretch;
        state.seen = scroller.current.scrollTop;
      }
      setTop(state.top);
      setLag(state.top - state.seen);
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
    const target = isSmall ? state.top + step : drawnTop * state.stretch;
    state.top = Math.min(state.most, Math.max(0, target));
    setTop(state.top);
    setLag(state.top - drawnTop);
    onScrolled?.(state.top);
  }, [scroller, onScrolled]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = () => {
      // Also for `scrollToRow` before the next render.
      now.current.viewport = element.clientHeight - headerHeight;
      setMeasured(now.current.viewport);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, headerHeight]);

  // Once the height is known, and when the list becomes shorter.
  const hasHeight = viewport > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `most` changes with the list
  useLayoutEffect(() => {
    if (hasHeight) scrollTo(now.current.top);
  }, [hasHeight, most, scrollTo]);

  // The same rows stay on screen at another density.
  const drawnRowHeight = useRef(rowHeight);
  useLayoutEffect(() => {
    if (drawnRowHeight.current === rowHeight) return;
    scrollTo((now.current.top * rowHeight) / drawnRowHeight.current);
    drawnRowHeight.current = rowHeight;
  }, [rowHeight, scrollTo]);

  const scrollToRow = useCallback(
    (row: number, align: 'nearest' | 'center') => {
      const { top: from, viewport: height } = now.current;
      const start = row * rowHeight;
      if (align === 'center') return scrollTo(start - (height - rowHeight) / 2);
      // Also shows the neighboring row.
      const margin = height > 4 * rowHeight ? rowHeight : 0;
      if (start - margin < from) scrollTo(start - margin);
      else if (start + rowHeight + margin > from + height) scrollTo(start + rowHeight + margin - height);
    },
    [rowHeight, scrollTo],
  );

  const first = Math.floor(top / rowHeight);
  const last = Math.max(first, Math.min(count - 1, Math.ceil((top + viewport) / rowHeight) - 1));
  const start = Math.max(0, first - overscan);
  const end = Math.min(count, last + overscan + 1);
  const rows = Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index);
  const block = first - (first % rowsPerBlock);
  return {
    /** The rows to render, including overscan; the first ones until the height is known. */
    rows,
    isMeasured: measured !== undefined,
    first,
    last,
    /** Height of the scrolled content, in pixels. */
    height: drawn,
    /** Top of the current block of rows. */
    origin: block * rowHeight - (stretch > 1 ? lag : 0),
    /** Returns a row's top within its block. */
    startOf: (row: number) => (row - block) * rowHeight,
    /** Maximum number of rendered rows. */
    most: Math.ceil(viewport / rowHeight) + 1 + 2 * overscan,
    onScroll,
    scrollTo,
    scrollToRow,
    top: () => now.current.top,
  };
}

/** Returns the commands that move between rows. @param at the current row, -1 for none */
export const movingKeys = (at: number, total: number, move: (to: number) => void): Command[] =>
  (
    [
      ['next row', i18n.t('Next row'), ['j', 'ArrowDown'], () => move(at + 1)],
      ['previous row', i18n.t('Previous row'), ['k', 'ArrowUp'], () => move(at - 1)],
      ['first row', i18n.t('First row'), ['Home'], () => move(0)],
      ['last row', i18n.t('Last row'), ['End'], () => move(total - 1)],
    ] as const
  ).map(([id, label, keys, run]) => ({
    id,
    label,
    keys: [...keys],
    run,
    group: i18n.t('Navigation'),
    keyboardOnly: true,
    repeats: true,
  }));

/** Returns the row that a key leads to while a row or the table has the focus. */
export const rowReachedBy = (key: string, at: number, total: number): number | undefined =>
  ({ ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: total - 1 })[key];

/** Returns the commands that select rows. */
export const selectingKeys = (
  current: number | undefined,
  select: (index: number, extend: boolean) => void,
  selectAll: () => void,
): Command[] => [
  {
    id: 'select row',
    label: i18n.t('Toggle selection'),
    keys: ['x'],
    group: i18n.t('Selection'),
    run: () => current !== undefined && select(current, false),
  },
  {
    id: 'select rows',
    label: i18n.t('Select range'),
    keys: ['X'],
    group: i18n.t('Selection'),
    run: () => current !== undefined && select(current, true),
  },
  {
    id: 'select all rows',
    label: i18n.t('Select all matches'),
    keys: ['A'],
    group: i18n.t('Selection'),
    run: selectAll,
  },
];
