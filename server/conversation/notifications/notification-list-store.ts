/** What a user was notified of, in its order. */
import { readJson } from '../../../shared/read-json.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type Action, isNotified } from './push-rule.ts';

export type Notification = {
  roomId: string;
  /** Empty in the main thread. */
  threadId: string;
  place: number;
  actions: readonly Action[];
};

export type NotificationRange = {
  userId: string;
  /** Only what happened after this place. */
  after: number;
  /** Only what happened up to and with this place. */
  upTo: number;
  direction: 'b' | 'f';
  limit: number;
};

/**
 * Notifications of a user, of what happened in rooms since the user came there; and the last place up to which, in the
 * direction of reading, these are all. So many were looked at that it may be short of the end of the range, even where
 * none of them notifies this user: then there is more to read.
 */
export async function listNotifications(
  db: Database,
  { userId, after, upTo, direction, limit }: NotificationRange,
): Promise<{ notifications: Notification[]; reached: number }> {
  const order = direction === 'f' ? 'asc' : 'desc';
  const apart = await db.selectFrom('push_apart').selectAll().where('user_id', '=', userId).execute();
  const everyones = await db
    .selectFrom('memberships')
    .innerJoin('notifying_events as event', 'event.room_id', 'memberships.room_id')
    .select(['event.room_id', 'event.thread_id', 'event.stream_ordering', 'event.actions'])
    .where('memberships.user_id', '=', userId)
    .where('memberships.membership', '=', 'join')
    .whereRef('event.stream_ordering', '>', 'memberships.stream_ordering')
    .where('event.stream_ordering', '>', after)
    .where('event.stream_ordering', '<=', upTo)
    .where('event.sender', '<>', userId)
    .orderBy('event.stream_ordering', order)
    .limit(limit)
    .execute();
  const own = await db
    .selectFrom('own_notifications')
    .select(['room_id', 'thread_id', 'stream_ordering', 'actions'])
    .where('user_id', '=', userId)
    .where('stream_ordering', '>', after)
    .where('stream_ordering', '<=', upTo)
    .orderBy('stream_ordering', order)
    .limit(limit)
    .execute();
  const isCounted = ({ room_id, stream_ordering: place }: (typeof everyones)[number]) =>
    apart.every(
      (row) =>
        (row.room_id !== '' && row.room_id !== room_id) ||
        (place > row.from_place && (row.up_to_place === null || place <= row.up_to_place)),
    );
  // What is the user's own says more.
  const byPlace = new Map(
    [...everyones.filter(isCounted), ...own].map((row) => [row.stream_ordering, row] as const),
  );
  const sign = direction === 'f' ? 1 : -1;
  // Beyond the end of a list that was cut there may be more of it.
  const ends = [everyones, own]
    .filter((rows) => rows.length === limit)
    .flatMap((rows) => rows.at(-1)?.stream_ordering ?? []);
  const lookedAt = ends.reduce(
    (nearest, end) => (sign * end < sign * nearest ? end : nearest),
    direction === 'f' ? upTo : after + 1,
  );
  const found = [...byPlace.values()]
    .filter((row) => sign * row.stream_ordering <= sign * lookedAt)
    .toSorted((left, right) => sign * (left.stream_ordering - right.stream_ordering))
    .map((row) => ({
      roomId: row.room_id,
      threadId: row.thread_id,
      place: row.stream_ordering,
      actions: readJson(row.actions) as Action[],
    }))
    .filter(({ actions }) => isNotified(actions));
  const notifications = found.slice(0, limit);
  const last = notifications.at(-1);
  return { notifications, reached: found.length > limit && last ? last.place : lookedAt };
}

/** Up to which place a user has read in these rooms, by room and thread; the empty thread is the whole room. */
export async function readPlaces(
  db: Database,
  userId: string,
  roomIds: readonly string[],
): Promise<(roomId: string, threadId: string) => number> {
  const rows =
    roomIds.length === 0
      ? []
      : await db
          .selectFrom('receipts')
          .select(['room_id', 'thread_id', 'stream_ordering'])
          .where('user_id', '=', userId)
          .where('room_id', 'in', [...new Set(roomIds)])
          .execute();
  return (roomId, threadId) =>
    Math.max(
      -1,
      ...rows
        .filter((row) => row.room_id === roomId && ['', threadId || 'main'].includes(row.thread_id))
        .map((row) => row.stream_ordering),
    );
}
