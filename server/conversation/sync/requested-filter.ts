/** The filter that a request names or brings along. Matrix specification, client-server API, "Filtering". */
import { Filter } from '../../../shared/api/filters.ts';
import { readJson } from '../../../shared/read-json.ts';
import { badJson, invalidParameter, MatrixError, notJson } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { firstFault, matchesSchema } from '../../platform/http/validation.ts';
import { findFilter } from './filter-store.ts';

/** The longest filter, in characters of JSON. */
const maximumLength = 65_536;

/**
 * The filter of a query: JSON where it begins with `{`, else the identifier of a kept one; an empty one where there
 * is none.
 *
 * @throws MatrixError 400 `M_NOT_JSON`, `M_BAD_JSON`, `M_INVALID_PARAM`; 413 for one that is too large
 */
export async function requestedFilter(
  db: Database,
  userId: string,
  text: string | undefined,
): Promise<Filter> {
  if (text === undefined || text === '') return {};
  if (text.startsWith('{')) return parseFilter(text);
  const filter = await findFilter(db, userId, text);
  if (!filter) throw invalidParameter('No such filter');
  return filter;
}

function parseFilter(text: string): Filter {
  requireSmall(text);
  let value: unknown;
  try {
    value = readJson(text);
  } catch {
    throw notJson('Invalid filter JSON');
  }
  if (matchesSchema(Filter, value)) return value;
  const first = firstFault(Filter, value);
  const name = first?.instancePath.slice(1).replaceAll('/', '.');
  throw badJson(`The filter's '${name}' ${first?.message ?? 'is not valid'}`);
}

/** @throws MatrixError 413 */
export function requireSmall(text: string): void {
  if (text.length > maximumLength) throw new MatrixError(413, 'M_TOO_LARGE', 'The filter is too large');
}
