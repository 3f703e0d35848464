/** Typing notifications. */
import { nextChange } from '../../platform/database/changes.ts';
import { textsIn } from '../../platform/database/query/expressions.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

/** @param untilTs when it expires, in milliseconds since the Unix epoch; 0 if it has ended */
export type TypingChange = { roomId: string; userId: string; untilTs: number };

/** Returns the rooms where the list of typing users changes. */
export async function setTyping(tx: Tx, changes: readonly TypingChange[], now: number): Promise<Set<string>> {
  const streamId = await nextChange(tx);
  const changed = new Set<string>();
  for (const { roomId, userId, untilTs } of changes) {
    const before = await tx
      .selectFrom('typing')
      .select('until_ts')
      .where('room_id', '=', roomId)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    const wasShown = before !== undefined && before.until_ts > now;
    if (!wasShown && untilTs === 0) continue;
    const isNews = wasShown !== untilTs > 0;
    if (isNews) changed.add(roomId);
    await tx
      .insertInto('typing')
      .values({ room_id: roomId, user_id: userId, until_ts: untilTs, stream_id: streamId })
      .onConflict((conflict) =>
        conflict
          .columns(['room_id', 'user_id'])
          .doUpdateSet({ until_ts: untilTs, ...(isNews && { stream_id: streamId }) }),
      )
      .execute();
  }
  return changed;
}

/**
 * Ends expired notifications and returns their rooms.
 *
 * @param longest the longest timeout, in milliseconds: one that is further ahead comes from a clock that has been set
 *   back since
 */
export async function endTyping(tx: Tx, now: number, longest: number): Promise<Set<string>> {
  const rows = await tx
    .updateTable('typing')
    .set({ until_ts: 0, stream_id: await nextChange(tx) })
    .where('until_ts', '>', 0)
    .where((eb) => eb.or([eb('until_ts', '<=', now), eb('until_ts', '>', now + longest)]))
    .returning('room_id')
    .execute();
  return new Set(rows.map((row) => row.room_id));
}

/** Returns when the next notification expires, in milliseconds since the Unix epoch. */
export async function nextTypingEnd(db: Database): Promise<number | undefined> {
  const next = await db
    .selectFrom('typing')
    .select(({ fn }) => fn.min<number | null>('until_ts').as('at'))
    .where('until_ts', '>', 0)
    .executeTakeFirst();
  return next?.at ?? undefined;
}

type TypingQuery = {
  roomIds: readonly string[];
  /** Limits the result to rooms with changes after this stream position. */
  after: number | undefined;
  now: number;
};

/**
 * Returns the typing users by room. With `after`, only rooms that have changed since, whose list may be empty; otherwise
 * only rooms with typing users.
 */
export async function readTyping(
  db: Database,
  { roomIds, after, now }: TypingQuery,
): Promise<Map<string, string[]>> {
  const byRoom = new Map<string, { users: string[]; newest: number }>();
  if (roomIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('typing')
    .select(['room_id', 'user_id', 'until_ts', 'stream_id'])
    .where('room_id', 'in', textsIn(db, roomIds))
    .orderBy('room_id')
    .orderBy('user_id')
    .execute();
  for (const { room_id, user_id, until_ts, stream_id } of rows) {
    const room = byRoom.get(room_id) ?? { users: [], newest: 0 };
    byRoom.set(room_id, room);
    if (until_ts > now) room.users.push(user_id);
    room.newest = Math.max(room.newest, stream_id);
  }
  const isRequested = ({ users, newest }: { users: string[]; newest: number }) =>
    after === undefined ? users.length > 0 : newest > after;
  return new Map(
    [...byRoom].flatMap(([roomId, room]) => (isRequested(room) ? [[roomId, room.users] as const] : [])),
  );
}

/** Deletes ended notifications from before a stream position, up to a number of rows. */
export async function forgetTyping(db: Database, limit: number, before: number): Promise<void> {
  const old = db
    .selectFrom('typing')
    .select(['room_id', 'user_id'])
    .where('until_ts', '=', 0)
    .where('stream_id', '<', before)
    .limit(limit);
  await db
    .deleteFrom('typing')
    .where(({ refTuple, eb }) => eb(refTuple('room_id', 'user_id'), 'in', old.$asTuple('room_id', 'user_id')))
    .where('until_ts', '=', 0)
    .execute();
}
