/** Positions at which users left rooms: they may still read the history until then. */
import { readJson } from '../../../../shared/read-json.ts';
import { builtOnce } from '../../../platform/database/query/built-once.ts';
import type { Database } from '../../../platform/database/schema.ts';

/** A membership since the stream position of its event. */
type MembershipAt = { position: number; value: string };

/**
 * Returns the position at which the user last left; undefined for a joined user, or one who never joined.
 *
 * @param memberships all of one user in one room, oldest first
 */
export function endOfStay(memberships: readonly MembershipAt[]): number | undefined {
  const lastJoin = memberships.findLastIndex(({ value }) => value === 'join');
  return lastJoin === -1 ? undefined : memberships[lastJoin + 1]?.position;
}

/** Reads the same from the database, back to the last join. */
export async function findEndOfStay(
  db: Database,
  roomId: string,
  userId: string,
): Promise<number | undefined> {
  let ended: number | undefined;
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const { rows } = await selectOwn(db, { roomId, userId, before });
    for (const { stream_ordering: position, json } of rows) {
      if (readJson(json).content.membership === 'join') return ended;
      ended = position;
      before = position;
    }
    if (rows.length < rowsAtOnce) return undefined;
  }
}

/** Returns the same by room, for rooms that the user isn't in; 0 if the user never joined. */
export async function findEndsOfStays(
  db: Database,
  userId: string,
  roomIds: Iterable<string>,
): Promise<Map<string, number>> {
  const among = [...new Set(roomIds)];
  if (among.length === 0) return new Map();
  const joined = await db
    .selectFrom('memberships')
    .select('room_id')
    .where('user_id', '=', userId)
    .where('membership', '=', 'join')
    .where('room_id', 'in', among)
    .execute();
  const isJoined = new Set(joined.map((row) => row.room_id));
  const ends = new Map<string, number>();
  for (const roomId of among) {
    if (!isJoined.has(roomId)) ends.set(roomId, (await findEndOfStay(db, roomId, userId)) ?? 0);
  }
  return ends;
}

const rowsAtOnce = 10;

type Own = { roomId: string; userId: string; before: number };

const selectOwn = builtOnce((db, { roomId, userId, before }: Own) =>
  db
    .selectFrom('events')
    .select(['stream_ordering', 'json'])
    .where('room_id', '=', roomId)
    .where('type', '=', 'm.room.member')
    .where('state_key', '=', userId)
    .where('stream_ordering', '<', before)
    .orderBy('stream_ordering', 'desc')
    .limit(rowsAtOnce),
);
