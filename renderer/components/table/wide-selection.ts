import { useCallback, useEffect, useRef, useState } from 'react';
import type { PagedRows } from './paged-rows.ts';
import type { RowSelection } from './row-selection.ts';

export type WideSelection = ReturnType<typeof useWideSelection>;

type Reading =
  | { step: 'idle' }
  | { step: 'reading'; read: number; of: number }
  | { step: 'failed'; error: Error; again: () => void };

/**
 * Selects rows that are not loaded: all that match, or all between two. Their ids are read from the server once, so
 * that what is acted on is what was selected, whatever matches later.
 */
export function useWideSelection<Row>(
  rows: PagedRows<Row>,
  selection: RowSelection,
  idOf: (row: Row) => string,
) {
  const [state, setState] = useState<Reading>({ step: 'idle' });
  const running = useRef<AbortController>(undefined);
  const latest = useRef({ rows, selection, idOf });
  useEffect(() => {
    latest.current = { rows, selection, idOf };
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has another name
  useEffect(() => {
    setState({ step: 'idle' });
    return () => running.current?.abort();
  }, [rows.name]);

  const between = useCallback(async (first: number, last: number) => {
    running.current?.abort();
    const stopping = new AbortController();
    running.current = stopping;
    const { rows: list, selection: kept, idOf: nameOf } = latest.current;
    setState({ step: 'reading', read: 0, of: last - first + 1 });
    try {
      const found = await list.read(first, last, stopping.signal, (read, of) =>
        setState({ step: 'reading', read, of }),
      );
      stopping.signal.throwIfAborted();
      kept.add(found.map(nameOf));
      setState({ step: 'idle' });
    } catch (error) {
      if (stopping.signal.aborted) return;
      setState({ step: 'failed', error: error as Error, again: () => void between(first, last) });
    }
  }, []);

  return {
    state,
    between: useCallback((first: number, last: number) => void between(first, last), [between]),
    all: useCallback(() => void between(0, Number.POSITIVE_INFINITY), [between]),
    /** Nothing of what was read meanwhile is selected. */
    stop: useCallback(() => {
      running.current?.abort();
      setState({ step: 'idle' });
    }, []),
  };
}
