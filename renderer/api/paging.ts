import type { QueryKey } from '@tanstack/react-query';

/** A list that a server gives by offsets. */
export type PagedSource<Row> = {
  /** Names the list with its filters and its order. */
  key: QueryKey;
  /** @param from the first row's place in the list, from 0 */
  fetch(from: number, limit: number, signal: AbortSignal): Promise<RowPage<Row>>;
};
export type RowPage<Row> = { rows: Row[]; total: number };
