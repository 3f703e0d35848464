/** What notified somebody and was redacted since: it is unread no more. Most rooms have next to nothing of that. */
import { sql } from 'kysely';
import { readJson } from '../../shared/read-json.ts';
import { builtOnce } from '../database/built-once.ts';
import { isPostgres } from '../database/engine.ts';
import type { Database } from '../database/schema.ts';
import { askedPlaces } from './asked-place-store.ts';
import type { UnreadCount } from './notification-store.ts';
import { type Action, isHighlighted, isNotified } from './push-rule.ts';

/** So many of the newest redacted events of a room are told from others. */
const redactedPerRoom = 500;

type Row = { room_id: string; thread_id: string; everyones: string | null; own: string | null };

/**
 * How much of what was counted was redacted since, by room and thread.
 *
 * @param list rooms and threads, as counts are asked for
 */
export async function countRedacted(
  db: Database,
  userId: string,
  list: string,
): Promise<(roomId: string, threadId: string) => UnreadCount> {
  const { rows } = await selectRedacted(db, { userId, list, most: redactedPerRoom });
  const counts = new Map<string, UnreadCount>();
  for (const { room_id, thread_id, everyones, own } of rows) {
    // What is the user's own says what everyone's has come to.
    const actions = readJson(own ?? everyones ?? '[]') as Action[];
    const { notifications, highlights } = counts.get(`${room_id} ${thread_id}`) ?? none;
    counts.set(`${room_id} ${thread_id}`, {
      notifications: notifications + Number(isNotified(actions)),
      highlights: highlights + Number(isHighlighted(actions)),
    });
  }
  return (roomId, threadId) => counts.get(`${roomId} ${threadId}`) ?? none;
}

const none: UnreadCount = { notifications: 0, highlights: 0 };

const selectRedacted = builtOnce(
  (db, { userId, list, most }: { userId: string; list: string; most: number }) => {
    const places = sql`select stream_ordering from events where room_id = asked.room_id
      and redacted_by is not null and stream_ordering > asked.read_place
      order by stream_ordering desc limit ${most}`;
    const redacted = isPostgres(db)
      ? sql`cross join lateral (${places}) as redacted`
      : sql`cross join events as redacted on redacted.stream_ordering in (${places})`;
    const found = sql<Row>`(
      with ${askedPlaces(db, list)}
      select asked.room_id, asked.thread_id, event.actions as everyones, own.actions as own
      from asked ${redacted}
      left join notifying_events as event
        on event.room_id = asked.room_id and event.stream_ordering = redacted.stream_ordering
        and event.thread_id = asked.thread_id and event.sender <> ${userId}
        and event.stream_ordering > asked.after_place and event.stream_ordering <= asked.upto_place
      left join own_notifications as own
        on own.user_id = ${userId} and own.room_id = asked.room_id and own.thread_id = asked.thread_id
        and own.stream_ordering = redacted.stream_ordering
      where event.actions is not null or own.actions is not null)`;
    return db.selectFrom(found.as('found')).selectAll();
  },
);
