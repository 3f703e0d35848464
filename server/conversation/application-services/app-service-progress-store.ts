/** Delivery progress of events and changes to application services. */
import type { Selectable } from 'kysely';
import type { StreamPositions } from '../../platform/database/changes.ts';
import type { Database, Schema } from '../../platform/database/schema.ts';

type AppServiceProgress = {
  delivered: StreamPositions;
  /** Number of the current transaction, or the last one. */
  number: number;
  /** JSON of the current transaction, if there is one. */
  body: string | undefined;
  /** Positions after the current transaction. */
  next: StreamPositions;
  attempts: number;
  retryTs: number;
};

/** @param start positions for a service that is new */
export async function findAppServiceProgress(
  db: Database,
  id: string,
  start: StreamPositions,
): Promise<AppServiceProgress> {
  const row = await db
    .selectFrom('app_service_places')
    .selectAll()
    .where('app_service_id', '=', id)
    .executeTakeFirst();
  if (row) return asProgress(row);
  const progress = { delivered: start, number: 0, body: undefined, next: start, attempts: 0, retryTs: 0 };
  await setAppServiceProgress(db, id, progress);
  return progress;
}

export async function setAppServiceProgress(
  db: Database,
  id: string,
  { delivered, number, body, next, attempts, retryTs }: AppServiceProgress,
): Promise<void> {
  const values = {
    events_place: delivered.events,
    changes_place: delivered.changes,
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

const asProgress = (row: Selectable<Schema['app_service_places']>): AppServiceProgress => ({
  delivered: { events: row.events_place, changes: row.changes_place },
  number: row.transaction_number,
  body: row.transaction_body ?? undefined,
  next: { events: row.next_events_place, changes: row.next_changes_place },
  attempts: row.attempts,
  retryTs: row.retry_ts,
});
