/** Sync filters. Matrix specification, client-server API, "Filtering". */
import { Filter, getFilter, postFilter } from '../../../shared/api/sync.ts';
import { readJson } from '../../../shared/read-json.ts';
import { changingOwn, readingOwn } from '../../identity/accounts/own-data-policy.ts';
import {
  badJson,
  invalidParameter,
  MatrixError,
  notFound,
  notJson,
} from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { firstFault, matchesSchema } from '../../platform/http/validation.ts';
import { findFilter, insertFilter } from './filter-store.ts';

/** In characters of JSON. */
const maxLength = 65_536;

export const filterRoutes: Routes<{ db: Database }> = (app, { db }) => {
  app.post(
    '/user/:userId/filter',
    { schema: postFilter, config: { policy: changingOwn('create filters') } },
    async ({ params, body }) => {
      requireSmall(JSON.stringify(body));
      return { filter_id: await insertFilter(db, params.userId, body) };
    },
  );

  app.get(
    '/user/:userId/filter/:filterId',
    { schema: getFilter, config: { policy: readingOwn('get filters') } },
    async ({ params }) => {
      const filter = await findFilter(db, params.userId, params.filterId);
      if (!filter) throw notFound('No such filter');
      return filter;
    },
  );
};

/**
 * Returns the filter of a `filter` query parameter, which is JSON or the ID of a stored filter; `{}` if it is missing.
 *
 * @throws MatrixError 400 `M_NOT_JSON`, `M_BAD_JSON`, `M_INVALID_PARAM`; 413 if it is too large
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
function requireSmall(text: string): void {
  if (text.length > maxLength) throw new MatrixError(413, 'M_TOO_LARGE', 'The filter is too large');
}
