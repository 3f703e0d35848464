/** The notifications of a user, in stream order. */
import { readJson } from '../../../shared/read-json.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type Action, isNotified } from './push-rule.ts';

export type Notification = {
  roomId: string;
  /** Empty for the main timeline. */
  threadId: string;
  position: number;
  actions: readonly Action[];
};

type NotificationRange = {
  userId: string;
  after: number;
  upTo: number;
  direction: 'b' | 'f';
  limit: number;
};

/**
 * Returns notifications since the user joined each room, and the position up to which they are complete. That may be
 * short of the range's end, even without any notification, if the limit was reached by events that notify only others.
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
  const isCounted = ({ room_id, stream_ordering: position }: (typeof everyones)[number]) =>
    apart.every(
      (row) =>
        (row.room_id !== '' && row.room_id !== room_id) ||
        (position > row.from_place && (row.up_to_place === null || position <= row.up_to_place)),
    );
  // A user's own notification replaces the shared one.
  const byPosition = new Map(
    [...everyones.filter(isCounted), ...own].map((row) => [row.stream_ordering, row] as const),
  );
  const sign = direction === 'f' ? 1 : -1;
  // A list that the limit cut is incomplete beyond its end.
  const ends = [everyones, own]
    .filter((rows) => rows.length === limit)
    .flatMap((rows) => rows.at(-1)?.stream_ordering ?? []);
  const complete = ends.reduce(
    (nearest, end) => (sign * end < sign * nearest ? end : nearest),
    direction === 'f' ? upTo : after + 1,
  );
  const found = [...byPosition.values()]
    .filter((row) => sign * row.stream_ordering <= sign * complete)
    .toSorted((left, right) => sign * (left.stream_ordering - right.stream_ordering))
    .map((row) => ({
      roomId: row.room_id,
      threadId: row.thread_id,
      position: row.stream_ordering,
      actions: readJson(row.actions) as Action[],
    }))
    .filter(({ actions }) => isNotified(actions));
  const notifications = found.slice(0, limit);
  const last = notifications.at(-1);
  return { notifications, reached: found.length > limit && last ? last.position : complete };
}

/** Returns a function that returns the position up to which the user has read a room's thread, or its main timeline. */
export async function readPositions(
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
