import { useCallback, useEffect, useRef, useState } from 'react';
import { useKept } from './kept-place.ts';

export type RowSelection = ReturnType<typeof useRowSelection>;

/**
 * Which rows of a list are selected, by their ids: one by one, or all between two.
 *
 * @param name of the list: another one begins with none, or with those that one left it with
 */
export function useRowSelection(name: string) {
  const { recall, keep } = useKept<ReadonlySet<string>>(`selected ${name}`);
  const [selected, setSelected] = useState(() => recall() ?? new Set<string>());
  const anchor = useRef<number>(undefined);
  const shown = useRef(name);

  useEffect(() => {
    if (shown.current === name) return;
    shown.current = name;
    anchor.current = undefined;
    setSelected(recall() ?? new Set());
  }, [name, recall]);
  useEffect(() => {
    if (shown.current === name) keep(selected);
  }, [name, selected, keep]);

  /**
   * @param idAt undefined where a row isn't loaded
   * @returns the first and the last row where some between them aren't loaded: nothing is selected then
   */
  const toggle = useCallback(
    (
      index: number,
      extend: boolean,
      idAt: (index: number) => string | undefined,
    ): { first: number; last: number } | undefined => {
      const from = extend ? (anchor.current ?? index) : index;
      anchor.current = index;
      const [first, last] = [Math.min(from, index), Math.max(from, index)];
      for (let row = first; first < last && row <= last; row++) {
        if (idAt(row) === undefined) return { first, last };
      }
      setSelected((before) => {
        const next = new Set(before);
        const id = idAt(index);
        if (from === index) {
          if (id !== undefined && !next.delete(id)) next.add(id);
          return next;
        }
        for (let row = first; row <= last; row++) {
          const between = idAt(row);
          if (between !== undefined) next.add(between);
        }
        return next;
      });
      return undefined;
    },
    [],
  );

  return {
    selected,
    toggle,
    set: useCallback((ids: Iterable<string>) => setSelected(new Set(ids)), []),
    add: useCallback((ids: Iterable<string>) => setSelected((before) => new Set([...before, ...ids])), []),
    clear: useCallback(() => setSelected(new Set()), []),
  };
}
