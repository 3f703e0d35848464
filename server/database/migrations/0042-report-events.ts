import type { Kysely } from 'kysely';

/** Nobody looks for the reports of one event, and each report that was filed cost a page of this index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('event_reports_event').execute();
}
