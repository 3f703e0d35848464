/** Room summaries: member counts and heroes. */
import { sql } from 'kysely';
import { chunks } from '../../platform/concurrency/yield.ts';
import { isPostgres } from '../../platform/database/engine.ts';
import { builtOnce } from '../../platform/database/query/built-once.ts';
import { textsOf } from '../../platform/database/query/expressions.ts';
import type { Database } from '../../platform/database/schema.ts';

export type RoomSummary = {
  roomId: string;
  name: string | null;
  canonicalAlias: string | null;
  joinedMembers: number;
  invitedMembers: number;
  /** The first other members, or former members if no one is left; empty for a room with a name. */
  heroes: string[];
};

const maxHeroes = 5;
const roomsAtOnce = 50;

/** Matrix specification, client-server API, "Calculating the display name". */
export async function summarizeRooms(
  db: Database,
  userId: string,
  roomIds: readonly string[],
): Promise<Map<string, RoomSummary>> {
  const summaries = new Map<string, RoomSummary>();
  for (const chunk of chunks(roomIds, roomsAtOnce)) {
    const { rows } = await selectRooms(db, { rooms: JSON.stringify(chunk) });
    for (const row of rows) {
      summaries.set(row.room_id, {
        roomId: row.room_id,
        name: row.name,
        canonicalAlias: row.canonical_alias,
        joinedMembers: row.joined_members,
        invitedMembers: Number(row.invited_members),
        heroes: [],
      });
    }
  }
  const unnamed = [...summaries.values()].filter(({ name, canonicalAlias }) => !name && !canonicalAlias);
  await findHeroes(db, userId, unnamed, ['join', 'invite']);
  const alone = unnamed.filter(({ heroes }) => heroes.length === 0);
  await findHeroes(db, userId, alone, ['leave', 'ban']);
  return summaries;
}

async function findHeroes(
  db: Database,
  userId: string,
  rooms: readonly RoomSummary[],
  memberships: readonly string[],
): Promise<void> {
  for (const chunk of chunks(rooms, roomsAtOnce)) {
    const wanted = chunk.flatMap(({ roomId }) =>
      memberships.map((membership) => ({ r: roomId, m: membership })),
    );
    // One more than needed, because the user may be among them.
    const { rows } = await selectFirst(db, { wanted: JSON.stringify(wanted), limit: maxHeroes + 1 });
    rows.sort((one, other) => one.stream_ordering - other.stream_ordering);
    for (const room of chunk) {
      const others = rows.filter((row) => row.room_id === room.roomId && row.user_id !== userId);
      room.heroes = others.slice(0, maxHeroes).map((row) => row.user_id);
    }
  }
}

const selectRooms = builtOnce((db, { rooms }: { rooms: string }) =>
  db
    .selectFrom('rooms')
    .select((eb) => [
      'rooms.room_id',
      'name',
      'canonical_alias',
      'joined_members',
      eb
        .selectFrom('memberships')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('memberships.room_id', '=', 'rooms.room_id')
        .where('membership', '=', sql.lit('invite'))
        .as('invited_members'),
    ])
    .where('rooms.room_id', 'in', sql<string>`${textsOf(db, rooms)}`),
);

type First = { room_id: string; user_id: string; stream_ordering: number };

const selectFirst = builtOnce((db, { wanted, limit }: { wanted: string; limit: number }) =>
  db
    .selectFrom(
      (isPostgres(db)
        ? sql<First>`(
            select m.room_id, m.user_id, m.stream_ordering
            from json_to_recordset(cast(${wanted} as json)) as w(r text, m text)
            cross join lateral (
              select room_id, user_id, stream_ordering from memberships
              where room_id = w.r and membership = w.m order by stream_ordering limit ${limit}
            ) as m)`
        : sql<First>`(
            select m.room_id, m.user_id, m.stream_ordering
            from json_each(${wanted}) as w cross join memberships as m
            where m.rowid in (
              select rowid from memberships
              where room_id = w.value ->> 'r' and membership = w.value ->> 'm'
              order by stream_ordering limit ${limit}
            ))`
      ).as('found'),
    )
    .selectAll(),
);
