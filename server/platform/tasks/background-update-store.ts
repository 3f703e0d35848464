/** Pending background updates and their progress. */
import type { JsonObject } from '../../../shared/api/common.ts';
import { readJson } from '../../../shared/read-json.ts';
import type { Database } from '../database/schema.ts';

export type PendingUpdate = {
  name: string;
  /** Where to continue; empty at first. */
  progress: JsonObject;
  totalItemCount: number;
  totalDurationMs: number;
};

export async function findCurrentUpdate(db: Database): Promise<PendingUpdate | undefined> {
  const row = await db
    .selectFrom('background_updates')
    .selectAll()
    .orderBy('ordering')
    .orderBy('name')
    .limit(1)
    .executeTakeFirst();
  return (
    row && {
      name: row.name,
      progress: readJson(row.progress) as JsonObject,
      totalItemCount: row.total_item_count,
      totalDurationMs: row.total_duration_ms,
    }
  );
}

/** Adds an update. Returns false if it is pending already. */
export async function addUpdate(db: Database, name: string, ordering: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('background_updates')
    .values({ name, ordering, progress: '{}', total_item_count: 0, total_duration_ms: 0 })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function saveProgress(db: Database, update: PendingUpdate): Promise<void> {
  await db
    .updateTable('background_updates')
    .set({
      progress: JSON.stringify(update.progress),
      total_item_count: update.totalItemCount,
      total_duration_ms: update.totalDurationMs,
    })
    .where('name', '=', update.name)
    .execute();
}

export async function finishUpdate(db: Database, name: string): Promise<void> {
  await db.deleteFrom('background_updates').where('name', '=', name).execute();
}
