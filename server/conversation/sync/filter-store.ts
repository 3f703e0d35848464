import { createHash } from 'node:crypto';
import type { Filter } from '../../../shared/api/sync.ts';
import { readJson } from '../../../shared/read-json.ts';
import { requireCanonical } from '../../platform/core/json.ts';
import { builtOnce } from '../../platform/database/query/built-once.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

/** Stores a filter and returns its ID, which is a hash of it. @throws MatrixError 400 */
export async function insertFilter(db: Database, userId: string, filter: Filter): Promise<string> {
  const text = requireCanonical(filter);
  const filterId = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  await db
    .insertInto('filters')
    .values({ user_id: userId, filter_id: filterId, filter: text })
    .onConflict((conflict) => conflict.columns(['user_id', 'filter_id']).doNothing())
    .execute();
  return filterId;
}

export async function findFilter(
  db: Database,
  userId: string,
  filterId: string,
): Promise<Filter | undefined> {
  const {
    rows: [row],
  } = await selectFilter(db, { userId, filterId });
  return row && (readJson(row.filter) as Filter);
}

const selectFilter = builtOnce((db, { userId, filterId }: { userId: string; filterId: string }) =>
  db.selectFrom('filters').select('filter').where('user_id', '=', userId).where('filter_id', '=', filterId),
);

export async function deleteFilters(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('filters').where('user_id', '=', userId).execute();
}
