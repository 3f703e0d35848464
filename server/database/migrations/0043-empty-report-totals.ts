import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** What the totals of reports are counted by. */
const totals = {
  event_report_totals: ['room_id', 'user_id', 'sender'],
  user_report_totals: ['target_user_id', 'user_id'],
} as const;

/**
 * Totals of reports that are all deleted, and places in lists of them, are not kept any more: they said who had
 * reported whom.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, columns] of Object.entries(totals)) {
    const table = sql.table(name);
    const key = sql.join(columns.map((column) => sql.ref(column)));
    // A process of an older build may be counting.
    if (!(db.getExecutor().adapter instanceof SqliteAdapter)) {
      await sql`lock table ${table} in exclusive mode`.execute(db);
    }
    await sql`
      delete from ${table} where (${key}) in (
        select ${key} from ${table} group by ${key} having sum(total) = 0
      )`.execute(db);
  }
  await sql`
    delete from event_report_places where not exists (
      select 1 from event_report_totals as totals where totals.room_id = event_report_places.room_id
      and totals.user_id = event_report_places.user_id and totals.sender = event_report_places.sender
    )`.execute(db);
}
