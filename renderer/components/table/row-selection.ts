import { useCallback, useEffect, useRef, useState } from 'react';

export type RowSelection = ReturnType<typeof useRowSelection>;

/**
 * Which rows of a list are selected, by their ids: one by one, or all between two.
 *
 * @param name of the list: another one begins with none
 */
export function useRowSelection(name: string) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const anchor = useRef<number>(undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has another name
  useEffect(() => {
    anchor.current = undefined;
    setSelected(new Set());
  }, [name]);

  /** @param idAt undefined where a row isn't loaded */
  const toggle = useCallback(
    (index: number, extend: boolean, idAt: (index: number) => string | undefined) => {
      const from = extend ? (anchor.current ?? index) : index;
      anchor.current = index;
      setSelected((before) => {
        const next = new Set(before);
        const id = idAt(index);
        if (from === index) {
          if (id !== undefined && !next.delete(id)) next.add(id);
          return next;
        }
        for (let row = Math.min(from, index); row <= Math.max(from, index); row++) {
          const between = idAt(row);
          if (between !== undefined) next.add(between);
        }
        return next;
      });
    },
    [],
  );

  return {
    selected,
    toggle,
    set: useCallback((ids: Iterable<string>) => setSelected(new Set(ids)), []),
    clear: useCallback(() => setSelected(new Set()), []),
  };
}
