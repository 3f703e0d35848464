/** How much of what happens application services have been told. */
import type { Selectable } from 'kysely';
import type { StreamPositions } from '../../platform/database/changes.ts';
import type { Database, Schema } from '../../platform/database/schema.ts';

export type AppServicePlace = {
  told: StreamPositions;
  /** Of the transaction that is on its way, or was the last. */
  number: number;
  /** JSON; undefined where none is on its way. */
  body: string | undefined;
  /** What is told when that has arrived. */
  next: StreamPositions;
  attempts: number;
  retryTs: number;
};

/** Where a service is; one that is new begins at the places that are given. */
export async function findAppServicePlace(
  db: Database,
  id: string,
  start: StreamPositions,
): Promise<AppServicePlace> {
  const row = await db
    .selectFrom('app_service_places')
    .selectAll()
    .where('app_service_id', '=', id)
    .executeTakeFirst();
  if (row) return asPlace(row);
  const place = { told: start, number: 0, body: undefined, next: start, attempts: 0, retryTs: 0 };
  await setAppServicePlace(db, id, place);
  return place;
}

export async function setAppServicePlace(
  db: Database,
  id: string,
  { told, number, body, next, attempts, retryTs }: AppServicePlace,
): Promise<void> {
  const values = {
    events_place: told.events,
    changes_place: told.changes,
    transaction_number: number,
    transaction_body: body ?? null,
    next_events_place: next.events,
    next_changes_place: next.changes,
    attempts,
    retry_ts: retryTs,
  };
  await db
    .insertInto('app_service_places')
    .values({ app_service_id: id, ...values })
    .onConflict((conflict) => conflict.column('app_service_id').doUpdateSet(values))
    .execute();
}

const asPlace = (row: Selectable<Schema['app_service_places']>): AppServicePlace => ({
  told: { events: row.events_place, changes: row.changes_place },
  number: row.transaction_number,
  body: row.transaction_body ?? undefined,
  next: { events: row.next_events_place, changes: row.next_changes_place },
  attempts: row.attempts,
  retryTs: row.retry_ts,
});
