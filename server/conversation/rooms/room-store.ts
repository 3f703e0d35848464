/** Rooms, with the columns that room lists filter, sort and show. */
import { type Selectable, sql, type Updateable } from 'kysely';
import { isPostgres } from '../../platform/database/engine.ts';
import { builtOnce } from '../../platform/database/query/built-once.ts';
import { ownPart } from '../../platform/database/query/expressions.ts';
import type { Database, Schema } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

export type RoomRecord = {
  roomId: string;
  roomVersion: string;
  creator: string;
  createdTs: number;
  name: string | null;
  topic: string | null;
  canonicalAlias: string | null;
  joinRule: string;
  historyVisibility: string;
  isPublic: boolean;
  joinedMembers: number;
  avatar: string | null;
  encryption: string | null;
  guestAccess: string | null;
  roomType: string | null;
  federatable: boolean;
  /** Number of state entries. */
  stateEvents: number;
  /** The newest event; null only until the first one is appended. */
  headEventId: string | null;
  headDepth: number;
};

export async function findRoom(db: Database, roomId: string): Promise<RoomRecord | undefined> {
  const row = await db.selectFrom('rooms').selectAll().where('room_id', '=', roomId).executeTakeFirst();
  return row && asRoom(row);
}

/** Returns a page of room IDs, in order, after one of them. */
export async function listRoomIds(
  db: Database,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('rooms')
    .select('room_id')
    .where('room_id', '>', after)
    .orderBy('room_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.room_id);
}

/** Locks the room's row until the transaction ends: other appends wait. */
export async function lockRoom(tx: Tx, roomId: string): Promise<RoomRecord | undefined> {
  const {
    rows: [row],
  } = await selectLockedRoom(tx, { roomId });
  return row && asRoom(row);
}

// On SQLite the transaction has locked everything already.
const selectLockedRoom = builtOnce((db, { roomId }: { roomId: string }) =>
  db
    .selectFrom('rooms')
    .selectAll()
    .where('room_id', '=', roomId)
    .$if(isPostgres(db), (room) => room.forNoKeyUpdate()),
);

/** Inserts a room's row. Call `countRoom` at the end of the same transaction. */
export async function insertRoom(tx: Tx, room: RoomRecord): Promise<void> {
  await tx
    .insertInto('rooms')
    .values({
      room_id: room.roomId,
      room_version: room.roomVersion,
      creator: room.creator,
      created_ts: room.createdTs,
      name: room.name,
      folded_name: folded(room.name),
      topic: room.topic,
      folded_topic: folded(room.topic),
      canonical_alias: room.canonicalAlias,
      join_rule: room.joinRule,
      history_visibility: room.historyVisibility,
      is_public: room.isPublic ? 1 : 0,
      joined_members: room.joinedMembers,
      avatar: room.avatar,
      encryption: room.encryption,
      guest_access: room.guestAccess,
      room_type: room.roomType,
      federatable: room.federatable ? 1 : 0,
      state_events: room.stateEvents,
      head_event_id: room.headEventId,
      head_depth: room.headDepth,
    })
    .execute();
}

/** Adds a new room to the totals. */
export const countRoom = (tx: Tx, room: RoomRecord): Promise<void> => countRooms(tx, room, 1);

export type RoomChange = Partial<
  Omit<RoomRecord, 'roomId' | 'roomVersion' | 'creator' | 'createdTs' | 'isPublic'>
>;

/** @param before the current, locked room */
export async function updateRoom(tx: Tx, before: RoomRecord, change: RoomChange): Promise<void> {
  const { name, topic } = change;
  const columns: Updateable<Schema['rooms']> = {
    ...(name !== undefined && { name, folded_name: folded(name) }),
    ...(topic !== undefined && { topic, folded_topic: folded(topic) }),
    ...(change.canonicalAlias !== undefined && { canonical_alias: change.canonicalAlias }),
    ...(change.avatar !== undefined && { avatar: change.avatar }),
    ...(change.encryption !== undefined && { encryption: change.encryption }),
    ...(change.guestAccess !== undefined && { guest_access: change.guestAccess }),
    ...(change.roomType !== undefined && { room_type: change.roomType }),
    ...(change.federatable !== undefined && { federatable: change.federatable ? 1 : 0 }),
    ...(change.joinRule !== undefined && { join_rule: change.joinRule }),
    ...(change.historyVisibility !== undefined && { history_visibility: change.historyVisibility }),
    ...(change.joinedMembers !== undefined && { joined_members: change.joinedMembers }),
    ...(change.stateEvents !== undefined && { state_events: change.stateEvents }),
    ...(change.headEventId !== undefined && { head_event_id: change.headEventId }),
    ...(change.headDepth !== undefined && { head_depth: change.headDepth }),
  };
  const isMessage = Object.keys(columns).join() === 'head_event_id,head_depth';
  if (isMessage) {
    const { headEventId = before.headEventId, headDepth = before.headDepth } = change;
    await moveHead(tx, { roomId: before.roomId, headEventId, headDepth });
    return;
  }
  await tx.updateTable('rooms').set(columns).where('room_id', '=', before.roomId).execute();
  const after = { ...before, ...change };
  if ((before.joinedMembers === 0) !== (after.joinedMembers === 0)) await recountRoom(tx, before, after);
}

type Head = Pick<RoomRecord, 'roomId' | 'headEventId' | 'headDepth'>;

const moveHead = builtOnce((db, { roomId, headEventId, headDepth }: Head) =>
  db
    .updateTable('rooms')
    .set({ head_event_id: headEventId, head_depth: headDepth })
    .where('room_id', '=', roomId),
);

/** Adds the room to the public directory or removes it. @param before the current, locked room */
export async function setRoomPublic(tx: Tx, before: RoomRecord, isPublic: boolean): Promise<void> {
  if (before.isPublic === isPublic) return;
  await tx
    .updateTable('rooms')
    .set({ is_public: isPublic ? 1 : 0 })
    .where('room_id', '=', before.roomId)
    .execute();
  await recountRoom(tx, before, { ...before, isPublic });
}

/** Deletes the room's row and, by foreign keys, its current state, memberships, aliases and remaining events. */
export async function deleteRoom(tx: Tx, roomId: string): Promise<void> {
  const row = await tx.deleteFrom('rooms').where('room_id', '=', roomId).returningAll().executeTakeFirst();
  if (row) await countRooms(tx, asRoom(row), -1);
}

/*
 * Lock order of transactions: users, by ID; rooms, by ID, each with its contents; totals last, in the order of `rank`,
 * because all rooms share them. A transaction that can't keep the order may deadlock: `inTransaction` retries it.
 */

type CountedRoom = Pick<RoomRecord, 'isPublic' | 'joinedMembers'>;

/** Moves a changed room to other totals. */
async function recountRoom(tx: Tx, before: CountedRoom, after: CountedRoom): Promise<void> {
  // In a fixed order, to avoid deadlocks.
  const rank = ({ isPublic, joinedMembers }: CountedRoom) =>
    (joinedMembers === 0 ? 0 : 2) + (isPublic ? 1 : 0);
  if (rank(before) < rank(after)) await countRooms(tx, before, -1);
  await countRooms(tx, after, 1);
  if (rank(before) > rank(after)) await countRooms(tx, before, -1);
}

async function countRooms(tx: Tx, { isPublic, joinedMembers }: CountedRoom, by: 1 | -1): Promise<void> {
  const kind = { is_public: isPublic ? 1 : 0, is_empty: joinedMembers === 0 ? 1 : 0 };
  await tx
    .insertInto('room_totals')
    .values({ ...kind, part: ownPart(tx), total: by })
    .onConflict((conflict) =>
      conflict
        .columns(['is_public', 'is_empty', 'part'])
        .doUpdateSet({ total: sql<number>`room_totals.total + excluded.total` }),
    )
    .execute();
}

/** For case-insensitive search. */
const folded = (text: string | null) => text?.toLowerCase() ?? null;

export const asRoom = (row: Selectable<Schema['rooms']>): RoomRecord => ({
  roomId: row.room_id,
  roomVersion: row.room_version,
  creator: row.creator,
  createdTs: row.created_ts,
  name: row.name,
  topic: row.topic,
  canonicalAlias: row.canonical_alias,
  joinRule: row.join_rule,
  historyVisibility: row.history_visibility,
  isPublic: row.is_public === 1,
  joinedMembers: row.joined_members,
  avatar: row.avatar,
  encryption: row.encryption,
  guestAccess: row.guest_access,
  roomType: row.room_type,
  federatable: row.federatable === 1,
  stateEvents: row.state_events,
  headEventId: row.head_event_id,
  headDepth: row.head_depth,
});

/** Prevents joining or creating a room. @param userId the server admin */
export async function blockRoom(db: Database, roomId: string, userId: string, now: number): Promise<void> {
  await db
    .insertInto('blocked_rooms')
    .values({ room_id: roomId, user_id: userId, blocked_ts: now })
    .onConflict((conflict) => conflict.column('room_id').doNothing())
    .execute();
}

export async function unblockRoom(db: Database, roomId: string): Promise<void> {
  await db.deleteFrom('blocked_rooms').where('room_id', '=', roomId).execute();
}

export const isRoomBlocked = async (db: Database, roomId: string): Promise<boolean> =>
  (await findRoomBlocker(db, roomId)) !== undefined;

/** Returns the server admin who blocked the room. */
export async function findRoomBlocker(db: Database, roomId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('blocked_rooms')
    .select('user_id')
    .where('room_id', '=', roomId)
    .executeTakeFirst();
  return row?.user_id;
}
