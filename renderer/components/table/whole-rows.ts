import { isExpected, type UnexpectedEntry } from '../../api/lenient.ts';
import type { PagedRows } from './paged-rows.ts';

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
