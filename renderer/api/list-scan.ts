/** Scans a list page by page, for filters that the server lacks. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import { isExpected } from './lenient.ts';
import { maxPageSize, type PagedSource } from './paging.ts';
import { withPause } from './scan-pace.ts';

export type ListFilter<Row> = {
  /** Identifies the filter in caches. */
  key: unknown;
  /** Needs a request per row: pages are short, so that results and progress show early. */
  isCostly: boolean;
  select(rows: readonly Row[], signal: AbortSignal): Promise<readonly Row[]>;
};

export type ScannedPage<Row> = { matches: readonly Row[]; read: number; total: number };

const shortPageSize = 40;

/** Returns pages of matches. Rows that shift in the meantime can come twice or be missing. */
export const listScanQuery = <Row>(source: PagedSource<Row>, filter: ListFilter<Row>) =>
  infiniteQueryOptions({
    queryKey: [...source.key, 'scan', filter.key],
    queryFn: async ({ pageParam: from, signal }): Promise<ScannedPage<Row>> => {
      const size = filter.isCostly ? shortPageSize : maxPageSize;
      const { rows, total } = await withPause(source.fetch(from, size, signal), from);
      return { matches: await filter.select(rows.filter(isExpected), signal), read: rows.length, total };
    },
    initialPageParam: 0,
    getNextPageParam({ read, total }, _pages, from) {
      const next = from + read;
      return read > 0 && next < total ? next : undefined;
    },
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
