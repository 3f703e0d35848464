import { type QueryKey, queryOptions } from '@tanstack/react-query';
import pLimit from 'p-limit';
import { isExpected, type UnexpectedEntry } from './lenient.ts';

/** A list that the server pages by offset. */
export type PagedSource<Row> = {
  /** Includes filters and sorting. */
  key: QueryKey;
  /** @param from offset of the first row */
  fetch(from: number, limit: number, signal: AbortSignal): Promise<RowPage<Row>>;
};
type RowPage<Row> = { rows: (Row | UnexpectedEntry)[]; total: number };

export const rowsPerPage = 100;
/** The servers' maximum. */
export const maxPageSize = 1000;

/** Reads a list page by page, to its end. `read`: the number of entries so far, of `total`. */
export async function* pagesOf<Row>(source: PagedSource<Row>, signal: AbortSignal, pageSize = maxPageSize) {
  for (let read = 0; ; ) {
    const { rows, total } = await source.fetch(read, pageSize, signal);
    read += rows.length;
    yield { rows: rows.filter(isExpected), read, total };
    if (rows.length === 0 || read >= total) return;
  }
}

/** @param page from 0; routes preload that one */
export const pageQuery = <Row>(source: PagedSource<Row>, page: number) =>
  queryOptions({
    queryKey: [...source.key, 'page', page],
    queryFn: ({ signal }) => source.fetch(page * rowsPerPage, rowsPerPage, signal),
    staleTime: 30_000,
    // A list can have a hundred thousand rows.
    gcTime: 60_000,
  });

/** Limits background requests, so that connections stay free for the user's. */
const limitRowRequests = pLimit(3);

/**
 * Runs a row's request once a slot is free, unless aborted by then.
 *
 * @throws the signal's reason
 */
export const limitedRowRequest = <Reply>(
  signal: AbortSignal,
  request: () => Promise<Reply>,
): Promise<Reply> =>
  limitRowRequests(() => {
    signal.throwIfAborted();
    return request();
  });
