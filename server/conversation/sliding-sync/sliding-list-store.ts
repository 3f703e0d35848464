/** Room properties that sliding sync filters and sorts by. */
import { sql } from 'kysely';
import { chunks } from '../../platform/concurrency/yield.ts';
import type { Cache } from '../../platform/core/cache.ts';
import { isPostgres } from '../../platform/database/engine.ts';
import { builtOnce } from '../../platform/database/query/built-once.ts';
import { textsOf } from '../../platform/database/query/expressions.ts';
import type { Database } from '../../platform/database/schema.ts';

export type ListedRoom = {
  name: string | null;
  canonicalAlias: string | null;
  avatar: string | null;
  encryption: string | null;
  roomType: string | null;
  /** Position of the newest event. */
  newest: number;
};

const roomsAtOnce = 200;

export async function listRooms(db: Database, roomIds: readonly string[]): Promise<Map<string, ListedRoom>> {
  const rooms = new Map<string, ListedRoom>();
  for (const chunk of chunks(roomIds, roomsAtOnce)) {
    const { rows } = await selectRooms(db, { rooms: JSON.stringify(chunk) });
    for (const { room_id, ...row } of rows) {
      rooms.set(room_id, {
        name: row.name,
        canonicalAlias: row.canonical_alias,
        avatar: row.avatar,
        encryption: row.encryption,
        roomType: row.room_type,
        newest: row.newest ?? 0,
      });
    }
  }
  return rooms;
}

const selectRooms = builtOnce((db, { rooms }: { rooms: string }) =>
  db
    .selectFrom('rooms')
    .select((eb) => [
      'rooms.room_id',
      'name',
      'canonical_alias',
      'avatar',
      'encryption',
      'room_type',
      eb
        .selectFrom('events')
        .select(({ fn }) => fn.max('stream_ordering').as('newest'))
        .whereRef('events.room_id', '=', 'rooms.room_id')
        .where('events.purged', '=', sql.lit(0))
        .as('newest'),
    ])
    .where('rooms.room_id', 'in', sql<string>`${textsOf(db, rooms)}`),
);

/** Event types that move a room to the top of a list: messages, but not membership changes. */
const bumpTypes = new Set([
  'm.room.create',
  'm.room.message',
  'm.room.encrypted',
  'm.sticker',
  'm.call.invite',
  'm.poll.start',
  'm.beacon_info',
]);
/** Newest events of a room that are searched for a bump. */
const searchedEvents = 30;

/** By room ID; valid while `newest` is the room's newest event. */
export type BumpStamps = Cache<string, { newest: number; bump: number }>;

/** Returns the position of the newest event of a bump type, by room ID. */
export async function readBumpStamps(
  { db, bumpStamps: known }: { db: Database; bumpStamps: BumpStamps },
  rooms: ReadonlyMap<string, ListedRoom>,
): Promise<Map<string, number>> {
  const stamps = new Map<string, number>();
  const unknown: string[] = [];
  for (const [roomId, { newest }] of rooms) {
    const found = known.get(roomId);
    if (found?.newest === newest) stamps.set(roomId, found.bump);
    else unknown.push(roomId);
  }
  for (const chunk of chunks(unknown, 50)) {
    const { rows } = await selectNewestTypes(db, { rooms: JSON.stringify(chunk), searchedEvents });
    for (const roomId of chunk) {
      const newest = rooms.get(roomId)?.newest ?? 0;
      const own = rows.filter((row) => row.room_id === roomId);
      const positions = own.filter(({ type }) => bumpTypes.has(type)).map((row) => row.stream_ordering);
      const bump =
        positions.length > 0
          ? Math.max(...positions)
          : Math.min(newest, ...own.map((row) => row.stream_ordering));
      known.set(roomId, { newest, bump });
      stamps.set(roomId, bump);
    }
  }
  return stamps;
}

type TypedEvent = { room_id: string; type: string; stream_ordering: number };

const selectNewestTypes = builtOnce(
  (db, { rooms, searchedEvents }: { rooms: string; searchedEvents: number }) =>
    db
      .selectFrom(
        (isPostgres(db)
          ? sql<TypedEvent>`(
            select e.room_id, e.type, e.stream_ordering
            from json_array_elements_text(cast(${rooms} as json)) as w(r)
            cross join lateral (
              select room_id, type, stream_ordering from events
              where room_id = w.r and purged = 0 order by stream_ordering desc limit ${searchedEvents}
            ) as e)`
          : sql<TypedEvent>`(
            select e.room_id, e.type, e.stream_ordering from json_each(${rooms}) as w cross join events as e
            where e.stream_ordering in (
              select stream_ordering from events
              where room_id = w.value and purged = 0 order by stream_ordering desc limit ${searchedEvents}
            ))`
        ).as('found'),
      )
      .selectAll(),
);
