import type { PagedRows } from './paged-rows.ts';

type Asked = { error: Error | null; isFetching: boolean; dataUpdatedAt: number; refetch: () => unknown };

/**
 * The rows of a list that was loaded as a whole, filtered and ordered here.
 *
 * @param name of the list with its filters: another one begins at its top
 * @param rows undefined until they are there
 */
export const wholeRows = <Row>(
  query: Asked,
  name: string,
  rows: readonly Row[] | undefined,
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
  read: async (first, last) => (rows ?? []).slice(first, last + 1),
});

const nothing = () => {};
