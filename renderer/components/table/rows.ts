import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { isExpected, type UnexpectedEntry } from '../../api/lenient.ts';
import { type PagedSource, pageQuery, rowsPerPage } from '../../api/paging.ts';

export type PagedRows<Row> = {
  /** Names the list: another one begins at its top. */
  name: string;
  /** How many there are on the server; undefined until the first page is there. */
  total: number | undefined;
  /** Undefined where it is not loaded. */
  at(index: number): Row | UnexpectedEntry | undefined;
  /** These rows are on screen: their pages are asked for, and others given up. */
  look(first: number, last: number): void;
  error: Error | null;
  isFetching: boolean;
  /** Whether it still shows what there was before the filters changed. */
  isOld: boolean;
  updatedAt: number;
  refetch: () => void;
  /**
   * Reads rows from the server that need not be loaded, each once, though others come and go meanwhile.
   *
   * @param last may be beyond the end
   * @param onRead how many were read, and how many there are to read
   */
  read(
    first: number,
    last: number,
    signal: AbortSignal,
    onRead: (read: number, of: number) => void,
  ): Promise<Row[]>;
};

/** As many as a server gives at once. */
const rowsAtOnce = 1000;
const none = { key: '', first: 0, last: 0 };

/** The rows of a list of any length, of which only the pages that are on screen are held, and the first. */
export function usePagedRows<Row>(source: PagedSource<Row>): PagedRows<Row> {
  const name = JSON.stringify(source.key);
  const [looked, setLooked] = useState(none);
  const { first, last } = looked.key === name ? looked : none;
  const others = Array.from({ length: last - first + 1 }, (_, index) => first + index).filter(
    (page) => page > 0,
  );
  const top = useQuery({ ...pageQuery(source, 0), placeholderData: keepPreviousData });
  const rest = useQueries({ queries: others.map((page) => pageQuery(source, page)) });

  const pages = new Map([[0, top.data], ...others.map((page, index) => [page, rest[index]?.data] as const)]);
  const all = [top, ...rest];
  const newest = all.reduce((a, b) => (b.data && b.dataUpdatedAt > a.dataUpdatedAt ? b : a));
  const look = useCallback(
    (firstRow: number, lastRow: number) => {
      const [from, to] = [Math.floor(firstRow / rowsPerPage), Math.floor(lastRow / rowsPerPage)];
      setLooked((now) =>
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
    look,
    error: all.find(({ error }) => error)?.error ?? null,
    isFetching: all.some(({ isFetching }) => isFetching),
    isOld: top.isPlaceholderData,
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
  const found: Row[] = [];
  for (let from = first, end = last + 1; from < end; ) {
    const { rows, total } = await source.fetch(from, Math.min(rowsAtOnce, end - from), signal);
    found.push(...rows.filter(isExpected));
    from += rows.length;
    end = Math.min(last + 1, total);
    onRead(from - first, end - first);
    if (rows.length === 0) break;
  }
  return found;
}

type Asked = { error: Error | null; isFetching: boolean; dataUpdatedAt: number; refetch: () => unknown };

/**
 * The rows of a list that was loaded as a whole, filtered and ordered here.
 *
 * @param name of the list with its filters: another one begins at its top
 * @param rows undefined until they are there
 * @param query says how loading them goes; left out where the page around the list does
 */
export const wholeRows = <Row>(
  name: string,
  rows: readonly (Row | UnexpectedEntry)[] | undefined,
  query: Asked = settled,
): PagedRows<Row> => ({
  name,
  total: rows?.length,
  at: (index) => rows?.[index],
  look: nothing,
  error: query.error,
  isFetching: query.isFetching,
  isOld: false,
  updatedAt: query.dataUpdatedAt,
  refetch: () => void query.refetch(),
  read: async (first, last) => (rows ?? []).slice(first, last + 1).filter(isExpected),
});

const nothing = () => {};
const settled: Asked = { error: null, isFetching: false, dataUpdatedAt: 0, refetch: nothing };
