import { useCallback, useLayoutEffect, useRef } from 'react';
import { useDeferredShortcuts } from '../../../console-context.ts';

type Options<Row extends { key: string }> = {
  name: string;
  rows: readonly Row[];
  /** Keys of the cases in the list, and of those that left it, in their order. */
  places: readonly string[];
  currentKey: string | undefined;
  /** Skipped when the next one opens: for example, a colleague has it. */
  isTaken: (row: Row) => boolean;
  open: (key: string | undefined, step: 'click' | 'key') => unknown;
};

/** Steps from one case or appeal to another, also from one that left the list. */
export function useCaseMoves<Row extends { key: string }>({
  name,
  rows,
  places,
  currentKey,
  isTaken,
  open,
}: Options<Row>) {
  /** The case that is being opened: keys can be faster than the address. */
  const opening = useRef<string>(undefined);
  const latest = useRef({ rows, places, currentKey });
  useLayoutEffect(() => {
    latest.current = { rows, places, currentKey };
    if (opening.current === currentKey) opening.current = undefined;
  });
  const isOpening = useCallback(() => opening.current !== undefined, []);
  useDeferredShortcuts(isOpening, name, currentKey);

  const goTo = useCallback(
    (key: string | undefined, step: 'click' | 'key') => {
      opening.current = key === latest.current.currentKey ? undefined : key;
      void open(key, step);
    },
    [open],
  );

  const openKey = () => opening.current ?? latest.current.currentKey;
  return {
    goTo,
    move(by: number) {
      const { rows: all } = latest.current;
      if (all.length > 0) goTo(caseFurther(latest.current, openKey(), by), 'key');
    },
    /**
     * Opens the next case that no colleague has taken, else the next one. After the last comes the first; nothing if
     * it's the only one.
     */
    openNext() {
      const { rows: all } = latest.current;
      const key = openKey();
      goTo(nextCase(all, placeIn(latest.current, key).row + 1, key, isTaken), 'key');
    },
  };
}

type Places = Pick<Options<{ key: string }>, 'rows' | 'places'>;

/** Returns the row of a case, or the one after which it would be. */
function placeIn({ rows, places }: Places, key: string | undefined): { row: number; isListed: boolean } {
  const row = rows.findIndex((each) => each.key === key);
  if (row !== -1) return { row, isListed: true };
  const place = new Map(places.map((each, index) => [each, index]));
  const own = key === undefined ? -1 : (place.get(key) ?? -1);
  return { row: rows.findLastIndex((each) => (place.get(each.key) ?? 0) < own), isListed: false };
}

/** Returns the key of the case so many rows further than another, which may have left the list; `Infinity`: the last. */
export function caseFurther(list: Places, key: string | undefined, by: number): string | undefined {
  const { row, isListed } = placeIn(list, key);
  // A case that left the list was after the row before it.
  const from = isListed || by > 0 ? row : row + 1;
  const to = Math.min(list.rows.length - 1, Math.max(0, Number.isFinite(by) ? from + by : by));
  return list.rows[to]?.key;
}

/** Returns the key of the first case from a row on, and around the end, that isn't taken; else of the first other. */
export function nextCase<Row extends { key: string }>(
  rows: readonly Row[],
  from: number,
  openKey: string | undefined,
  isTaken: (row: Row) => boolean,
): string | undefined {
  const others = [...rows.slice(from), ...rows.slice(0, from)].filter(({ key }) => key !== openKey);
  return (others.find((row) => !isTaken(row)) ?? others[0])?.key;
}
