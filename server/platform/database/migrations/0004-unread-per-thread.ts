/** Makes the running totals of notifying events count only the event's own thread; the main timeline is one. */
import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration doesn't know later tables
export async function up(db: Kysely<any>): Promise<void> {
  for (const statement of [
    `update notifying_events set notifies = thread_notifies, highlights = thread_highlights,
      own_notifies = own_thread_notifies, own_highlights = own_thread_highlights
      where thread_id <> ''`,
    'drop index notifying_events_sender',
    'drop index notifying_events_thread',
    'drop index notifying_events_thread_sender',
    'alter table notifying_events drop column thread_notifies',
    'alter table notifying_events drop column thread_highlights',
    'alter table notifying_events drop column own_thread_notifies',
    'alter table notifying_events drop column own_thread_highlights',
    'create index notifying_events_thread on notifying_events (room_id, thread_id, stream_ordering)',
    'create index notifying_events_sender on notifying_events (room_id, thread_id, sender, stream_ordering)',
  ]) {
    await sql.raw(statement).execute(db);
  }
}
