import { useRouter } from '@tanstack/react-router';
import { createContext, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useConsole } from '../../console-context.ts';
import type { PagedRows } from './rows.ts';

/** Notifies the page whether its list has a selection; undefined if the list is the whole screen. */
export const OnSelecting = createContext<((isSelecting: boolean) => void) | undefined>(undefined);

/** Whether the selection's actions have the shortcuts instead of the page's own. */
export const KeysAreElsewhere = createContext(false);

const mostListStates = 60;

/** Keeps a list's state for the browser's history: going back restores it, opening the list again doesn't. */
export function useListState<Value>(what: string) {
  const { listStates: kept } = useConsole();
  const router = useRouter();
  const [here] = useState(() => router.latestLocation.pathname);
  return useMemo(() => {
    const key = () => `${router.latestLocation.state.__TSR_key} ${what}`;
    return {
      recall: () => kept.get(key()) as Value | undefined,
      keep(value: Value) {
        // The user has navigated on.
        if (router.latestLocation.pathname !== here) return;
        kept.delete(key());
        kept.set(key(), value);
        for (const oldest of kept.keys()) {
          if (kept.size <= mostListStates) break;
          kept.delete(oldest);
        }
      },
    };
  }, [kept, router, here, what]);
}

export type RowSelection = ReturnType<typeof useRowSelection>;

/**
 * The selected rows of a list, by ID: toggled one by one or as a range.
 *
 * @param name of the list; each has its own selection, restored when going back
 */
export function useRowSelection(name: string) {
  const { recall, keep } = useListState<ReadonlySet<string>>(`selected ${name}`);
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
   * @param idAt returns undefined for rows that aren't loaded
   * @returns the range if some of its rows aren't loaded; nothing is selected then
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

export type WideSelection = ReturnType<typeof useWideSelection>;

type Reading =
  | { step: 'idle' }
  | { step: 'reading'; read: number; of: number }
  | { step: 'failed'; error: Error; again: () => void };

/**
 * Selects rows that aren't loaded: all matches or a range. Loads their IDs once, so that later changes on the server don't
 * change the selection.
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: resets for another list
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
    /** Selects nothing. */
    stop: useCallback(() => {
      running.current?.abort();
      setState({ step: 'idle' });
    }, []),
  };
}
