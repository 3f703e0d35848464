import { type QueryKey, queryOptions } from '@tanstack/react-query';
import pLimit from 'p-limit';
import type { UnexpectedEntry } from './lenient.ts';

/** A list that a server gives by offsets. */
export type PagedSource<Row> = {
  /** Names the list with its filters and its order. */
  key: QueryKey;
  /** @param from the first row's place in the list, from 0 */
  fetch(from: number, limit: number, signal: AbortSignal): Promise<RowPage<Row>>;
};
type RowPage<Row> = { rows: (Row | UnexpectedEntry)[]; total: number };

export const rowsPerPage = 100;

/** @param page from 0, which a route asks for while its screen is on the way */
export const pageQuery = <Row>(source: PagedSource<Row>, page: number) =>
  queryOptions({
    queryKey: [...source.key, 'page', page],
    queryFn: ({ signal }) => source.fetch(page * rowsPerPage, rowsPerPage, signal),
    staleTime: 30_000,
    // Pages that nobody looks at are kept no longer than that: a list can have a hundred thousand rows.
    gcTime: 60_000,
  });

/** What rows ask for by themselves leaves connections free for what a person asks for. */
const turn = pLimit(3);

/** Asks once it is a row's turn; not at all where the row is out of sight by then. @throws the signal's reason */
export const inRowsTurn = <Reply>(signal: AbortSignal, ask: () => Promise<Reply>): Promise<Reply> =>
  turn(() => {
    signal.throwIfAborted();
    return ask();
  });
