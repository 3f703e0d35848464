/**
 * On SQLite, each index takes an eighth of the time of filing a report. SQLite can filter in the index of the reporter
 * or of the sender; PostgreSQL would have to read each row.
 */
import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../engine.ts';

// biome-ignore lint/suspicious/noExplicitAny: a migration doesn't know later tables
export async function up(db: Kysely<any>): Promise<void> {
  if (isPostgres(db)) return;
  for (const statement of [
    'drop index event_reports_room_id_user_id',
    'drop index event_reports_room_id_sender',
    'drop index event_reports_user_id_sender',
    'drop index event_reports_user_id',
    'drop index event_reports_sender',
    'create index event_reports_user_id on event_reports (user_id, received_ts, id, room_id, sender)',
    'create index event_reports_sender on event_reports (sender, received_ts, id, room_id)',
  ]) {
    await sql.raw(statement).execute(db);
  }
}
