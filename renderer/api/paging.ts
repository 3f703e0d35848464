import { type QueryKey, queryOptions } from '@tanstack/react-query';
import pLimit from 'p-limit';
import type { UnexpectedEntry } from './lenient.ts';

/** A list that the server pages by offset. */
export type PagedSource<Row> = {
  /** Includes filters and sorting. */
  key: QueryKey;
  /** @param from offset of the first row */
  fetch(from: number, limit: number, signal: AbortSignal): Promise<RowPage<Row>>;
};
type RowPage<Row> = { rows: (Row | UnexpectedEntry)[]; total: number };

export const rowsPerPage = 100;

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
