import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { isExpected, type UnexpectedEntry } from '../../api/lenient.ts';
import { maxPageSize, type PagedSource, pageQuery, rowsPerPage } from '../../api/paging.ts';

export type PagedRows<Row> = {
  /** Identifies the list: another one starts at the top. */
  name: string;
  /** Undefined until the first page has loaded. */
  total: number | undefined;
  /** Undefined if not loaded. */
  at(index: number): Row | UnexpectedEntry | undefined;
  /** Loads the pages of these visible rows, and cancels others. */
  loadVisible(first: number, last: number): void;
  error: Error | null;
  isFetching: boolean;
  /** Whether the rows are still those of the previous filters. */
  isStale: boolean;
  updatedAt: number;
  refetch: () => void;
  /**
   * Reads a range from the server, whether it is loaded or not. Rows that shift in the meantime may be returned twice.
   *
   * @param last may be beyond the end
   * @param onRead called with the number of rows read, and the total
   */
  read(
    first: number,
    last: number,
    signal: AbortSignal,
    onRead: (read: number, of: number) => void,
  ): Promise<Row[]>;
};

const none = { key: '', first: 0, last: 0 };

/**
 * Returns the rows of a list of any length, holding only the visible pages and the first.
 *
 * @param isEnabled false if the rows aren't shown: loads nothing
 */
export function usePagedRows<Row>(source: PagedSource<Row>, isEnabled = true): PagedRows<Row> {
  const name = JSON.stringify(source.key);
  const [visiblePages, setVisiblePages] = useState(none);
  const { first, last } = visiblePages.key === name ? visiblePages : none;
  const otherPages = Array.from({ length: last - first + 1 }, (_, index) => first + index).filter(
    (page) => page > 0,
  );
  const top = useQuery({
    ...pageQuery(source, 0),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  });
  const rest = useQueries({ queries: otherPages.map((page) => pageQuery(source, page)) });

  const pages = new Map([
    [0, top.data],
    ...otherPages.map((page, index) => [page, rest[index]?.data] as const),
  ]);
  const all = [top, ...rest];
  const newest = all.reduce((a, b) => (b.data && b.dataUpdatedAt > a.dataUpdatedAt ? b : a));
  const loadVisible = useCallback(
    (firstRow: number, lastRow: number) => {
      const [from, to] = [Math.floor(firstRow / rowsPerPage), Math.floor(lastRow / rowsPerPage)];
      setVisiblePages((now) =>
        now.key === name && now.first === from && now.last === to
          ? now
          : { key: name, first: from, last: to },
      );
    },
    [name],
  );
  return {
    name,
    total: newest.data?.total,
    at: (index) => pages.get(Math.floor(index / rowsPerPage))?.rows[index % rowsPerPage],
    loadVisible,
    error: all.find(({ error }) => error)?.error ?? null,
    isFetching: all.some(({ isFetching }) => isFetching),
    isStale: top.isPlaceholderData,
    updatedAt: newest.dataUpdatedAt,
    refetch: () => {
      for (const query of all) void query.refetch();
    },
    read: (from, to, signal, onRead) => readRows(source, from, to, signal, onRead),
  };
}

async function readRows<Row>(
  source: PagedSource<Row>,
  first: number,
  last: number,
  signal: AbortSignal,
  onRead: (read: number, of: number) => void,
): Promise<Row[]> {
  const all: Row[] = [];
  for (let from = first, end = last + 1; from < end; ) {
    const { rows, total } = await source.fetch(from, Math.min(maxPageSize, end - from), signal);
    all.push(...rows.filter(isExpected));
    from += rows.length;
    end = Math.min(last + 1, total);
    onRead(from - first, end - first);
    if (rows.length === 0) break;
  }
  return all;
}

type QueryState = { error: Error | null; isFetching: boolean; dataUpdatedAt: number; refetch: () => unknown };

/**
 * Returns the rows of a list that is fully loaded, filtered and sorted here.
 *
 * @param name of the list with its filters: another one starts at the top
 * @param rows undefined until loaded
 * @param query the state of loading; omitted if the surrounding page shows it
 */
export const localRows = <Row>(
  name: string,
  rows: readonly (Row | UnexpectedEntry)[] | undefined,
  query: QueryState = loaded,
): PagedRows<Row> => ({
  name,
  total: rows?.length,
  at: (index) => rows?.[index],
  loadVisible: noop,
  error: query.error,
  isFetching: query.isFetching,
  isStale: false,
  updatedAt: query.dataUpdatedAt,
  refetch: () => void query.refetch(),
  read: async (first, last) => (rows ?? []).slice(first, last + 1).filter(isExpected),
});

const noop = () => {};
const loaded: QueryState = { error: null, isFetching: false, dataUpdatedAt: 0, refetch: noop };
