/** The administrators' list of rooms, and one of them in detail. */
import type { Expression, ExpressionBuilder, OrderByDirection, SqlBool } from 'kysely';
import { maximumRoomsPerPage, type RoomOrder } from '../../../shared/api/room-administration.ts';
import { asRoom, findRoom, type RoomRecord } from '../../conversation/rooms/room-store.ts';
import { findState } from '../../conversation/rooms/state/room-state-store.ts';
import { holds, localpartHolds } from '../../platform/database/query/expressions.ts';
import type { Database, Schema } from '../../platform/database/schema.ts';

/** Each order's column, and whether it begins with the largest. */
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
  /** A part of a name or of an alias, or a whole identifier. */
  search?: string | undefined;
  isPublic?: boolean | undefined;
  isEmpty?: boolean | undefined;
};

/** One page of rooms and how many there are in all. */
export async function listRooms(
  db: Database,
  query: RoomListQuery,
): Promise<{ rooms: RoomRecord[]; total: number }> {
  const total = await countRooms(db, query);
  const limit = Math.min(query.limit, maximumRoomsPerPage, Math.max(0, total - query.from));
  return { rooms: limit === 0 ? [] : await readPage(db, query, limit, total), total };
}

type Filter = Pick<RoomListQuery, 'search' | 'isPublic' | 'isEmpty'>;

/** From the counters, unless something is searched: then from an index that has all that is looked at. */
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
        holds(eb.ref('folded_name'), filter.search.toLowerCase()),
        localpartHolds(eb.ref('canonical_alias'), '#', filter.search),
      ]),
    );
  }
  return eb.and(conditions);
};

/** So few rooms are found first and ordered then; to look for them in their order would be to read all. */
const few = 1000;

/**
 * Skipping rows costs time for each, so a page in the far half is read from the other end; and only
 * identifiers are skipped, from an index, before anything else is looked up.
 */
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
    .$if(total <= few, (rooms) =>
      rooms.where('room_id', 'in', db.selectFrom('rooms').select('room_id').where(matches(query))),
    )
    .$if(total > few, (rooms) => rooms.where(matches(query)))
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

/** What only the detail of a room says. */
export type RoomDetail = RoomRecord & {
  /** How many devices its members have. */
  joinedDevices: number;
  /** Whether everyone who was in it has forgotten it. */
  forgotten: boolean;
  tombstoned: boolean;
  /** The room that its tombstone leads to. */
  replacementRoom: string | null;
};

/** A room in detail; undefined where there is none. */
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
