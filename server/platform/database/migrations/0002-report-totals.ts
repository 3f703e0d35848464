/**
 * Makes each part of a report total the exact number of reports counted in it, and drops stored positions in report
 * lists.
 */
import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../engine.ts';

const bothEngines = [
  'drop table event_report_places',
  'drop table event_report_order',
  'alter table event_reports add column part integer default 0 not null',
  'alter table user_reports add column part integer default 0 not null',
];

// SQLite has one part. Totals of zero are deleted, because they name users.
const onSqlite = [
  'delete from event_report_totals where total = 0',
  'delete from user_report_totals where total = 0',
];

const onPostgres = [
  'drop trigger mark_added_event_reports on event_reports',
  'drop function mark_added_event_reports()',
  'drop function settled_event_report()',
  'drop function settled_user_report()',
  'drop function next_event_report(bigint)',
  'drop function next_user_report(bigint)',
  'drop sequence event_report_times',
  'drop sequence user_report_times',
  // Deleted reports were subtracted from any part, so parts could be negative.
  'delete from event_report_totals',
  `insert into event_report_totals (room_id, user_id, sender, part, total)
    select coalesce(room_id, ''), coalesce(user_id, ''), coalesce(sender, ''), 0, count(*)
    from event_reports group by cube (room_id, user_id, sender) having count(*) > 0`,
  'delete from user_report_totals',
  `insert into user_report_totals (target_user_id, user_id, part, total)
    select coalesce(target_user_id, ''), coalesce(user_id, ''), 0, count(*)
    from user_reports group by cube (target_user_id, user_id) having count(*) > 0`,
  'alter table event_reports alter column part set default part_of_totals()',
  'alter table user_reports alter column part set default part_of_totals()',
];

// biome-ignore lint/suspicious/noExplicitAny: a migration doesn't know later tables
export async function up(db: Kysely<any>): Promise<void> {
  for (const statement of [...bothEngines, ...(isPostgres(db) ? onPostgres : onSqlite)]) {
    await sql.raw(statement).execute(db);
  }
}
