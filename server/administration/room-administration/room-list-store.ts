/** The admin API's list of rooms, and the details of one. */
import type { Expression, ExpressionBuilder, OrderByDirection, SqlBool } from 'kysely';
import { maximumRoomsPerPage, type RoomOrder } from '../../../shared/api/room-administration.ts';
import { asRoom, findRoom, type RoomRecord } from '../../conversation/rooms/room-store.ts';
import { findState } from '../../conversation/rooms/state/room-state-store.ts';
import { contains, localpartContains } from '../../platform/database/query/expressions.ts';
import type { Database, Schema } from '../../platform/database/schema.ts';

/** Each order's column and direction. */
const orders: Record<RoomOrder, [column: keyof Schema['rooms'], first: OrderByDirection]> = {
  alphabetical: ['name', 'asc'],
  size: ['joined_members', 'desc'],
  name: ['name', 'asc'],
  canonical_alias: ['canonical_alias', 'asc'],
  joined_members: ['joined_members', 'desc'],
  joined_local_members: ['joined_members', 'desc'],
  version: ['room_version', 'desc'],
  creator: ['creator', 'asc'],
  encryption: ['encryption', 'asc'],
  federatable: ['federatable', 'asc'],
  public: ['is_public', 'asc'],
  join_rules: ['join_rule', 'asc'],
  guest_access: ['guest_access', 'asc'],
  history_visibility: ['history_visibility', 'asc'],
  state_events: ['state_events', 'desc'],
};

export type RoomListQuery = {
  from: number;
  limit: number;
  orderBy: RoomOrder;
  direction: 'f' | 'b';
  /** A part of a name or alias, or a room ID. */
  search?: string | undefined;
  isPublic?: boolean | undefined;
  isEmpty?: boolean | undefined;
};

/** Returns one page of rooms and the number of all that match. */
export async function listRooms(
  db: Database,
  query: RoomListQuery,
): Promise<{ rooms: RoomRecord[]; total: number }> {
  const total = await countRooms(db, query);
  const limit = Math.min(query.limit, maximumRoomsPerPage, Math.max(0, total - query.from));
  return { rooms: limit === 0 ? [] : await readPage(db, query, limit, total), total };
}

type Filter = Pick<RoomListQuery, 'search' | 'isPublic' | 'isEmpty'>;

/** Reads the totals; only a search counts rooms, in a covering index. */
async function countRooms(db: Database, filter: Filter): Promise<number> {
  if (filter.search === undefined) {
    let totals = db.selectFrom('room_totals').select(({ fn }) => fn.sum<number>('total').as('total'));
    if (filter.isPublic !== undefined) totals = totals.where('is_public', '=', filter.isPublic ? 1 : 0);
    if (filter.isEmpty !== undefined) totals = totals.where('is_empty', '=', filter.isEmpty ? 1 : 0);
    return Number((await totals.executeTakeFirst())?.total ?? 0);
  }
  const row = await db
    .selectFrom('rooms')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where(matches(filter))
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}

const matches = (filter: Filter) => (eb: ExpressionBuilder<Schema, 'rooms'>) => {
  const conditions: Expression<SqlBool>[] = [];
  if (filter.isPublic !== undefined) conditions.push(eb('is_public', '=', filter.isPublic ? 1 : 0));
  if (filter.isEmpty !== undefined) {
    conditions.push(eb('joined_members', filter.isEmpty ? '=' : '>', 0));
  }
  if (filter.search !== undefined) {
    conditions.push(
      eb.or([
        eb('room_id', '=', filter.search),
        contains(eb.ref('folded_name'), filter.search.toLowerCase()),
        localpartContains(eb.ref('canonical_alias'), '#', filter.search),
      ]),
    );
  }
  return eb.and(conditions);
};

/** Up to this many matches are found before they are sorted; walking the order's index could read all rooms. */
const maximumSorted = 1000;

/** Skipping a row takes time, so pages in the far half are read from the other end, and IDs are skipped in an index. */
async function readPage(
  db: Database,
  query: RoomListQuery,
  limit: number,
  total: number,
): Promise<RoomRecord[]> {
  const [column, first] = orders[query.orderBy];
  const wanted = query.direction === 'f' ? first : opposite(first);
  const behind = total - query.from - limit;
  const fromFarEnd = behind < query.from;
  const direction = fromFarEnd ? opposite(wanted) : wanted;
  const ids = db
    .selectFrom('rooms')
    .select('room_id')
    .$if(total <= maximumSorted, (rooms) =>
      rooms.where('room_id', 'in', db.selectFrom('rooms').select('room_id').where(matches(query))),
    )
    .$if(total > maximumSorted, (rooms) => rooms.where(matches(query)))
    .orderBy(column, direction)
    .orderBy('room_id', direction)
    .limit(limit)
    .offset(fromFarEnd ? behind : query.from);
  const rows = await db
    .selectFrom('rooms')
    .selectAll()
    .where('room_id', 'in', ids)
    .orderBy(column, wanted)
    .orderBy('room_id', wanted)
    .execute();
  return rows.map(asRoom);
}

const opposite = (direction: OrderByDirection): OrderByDirection => (direction === 'asc' ? 'desc' : 'asc');

export type RoomDetail = RoomRecord & {
  /** Number of its members' devices. */
  joinedDevices: number;
  /** Whether all former members have forgotten it. */
  forgotten: boolean;
  tombstoned: boolean;
  replacementRoom: string | null;
};

export async function findRoomDetail(db: Database, roomId: string): Promise<RoomDetail | undefined> {
  const room = await findRoom(db, roomId);
  if (!room) return undefined;
  const [tombstone] = await findState(db, roomId, [['m.room.tombstone', '']]);
  const replacement = tombstone?.redactedBy === null && tombstone.pdu.content.replacement_room;
  const devices = await db
    .selectFrom('memberships')
    .innerJoin('devices', 'devices.user_id', 'memberships.user_id')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('memberships.room_id', '=', roomId)
    .where('membership', '=', 'join')
    .executeTakeFirst();
  const rememberedBy = await db
    .selectFrom('memberships')
    .select('user_id')
    .where('room_id', '=', roomId)
    .where('forgotten', '=', 0)
    .limit(1)
    .executeTakeFirst();
  return {
    ...room,
    joinedDevices: Number(devices?.total ?? 0),
    forgotten: rememberedBy === undefined,
    tombstoned: tombstone !== undefined,
    replacementRoom: typeof replacement === 'string' ? replacement : null,
  };
}
