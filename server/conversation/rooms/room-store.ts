/** Rooms, and what lists need to know of their state. */
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
  /** How many pieces of state the room has. */
  stateEvents: number;
  /** The newest event; null only until the first one is appended. */
  headEventId: string | null;
  headDepth: number;
};

export async function findRoom(db: Database, roomId: string): Promise<RoomRecord | undefined> {
  const row = await db.selectFrom('rooms').selectAll().where('room_id', '=', roomId).executeTakeFirst();
  return row && asRoom(row);
}

/** Rooms by identifier, after one of them: a page for whoever walks over all. */
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

/** Adds a room's row. What is in the room follows in the same transaction, and at its end `countRoom`. */
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

/** Counts a room that was added. */
export const countRoom = (tx: Tx, room: RoomRecord): Promise<void> => countRooms(tx, room, 1);

export type RoomChange = Partial<
  Omit<RoomRecord, 'roomId' | 'roomVersion' | 'creator' | 'createdTs' | 'isPublic'>
>;

/** Changes a room's row; `before` is the room as it is, locked. */
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

/** All that a message changes of its room. */
const moveHead = builtOnce((db, { roomId, headEventId, headDepth }: Head) =>
  db
    .updateTable('rooms')
    .set({ head_event_id: headEventId, head_depth: headDepth })
    .where('room_id', '=', roomId),
);

/** Lists the room in the public directory, or takes it out; `before` is the room as it is, locked. */
export async function setRoomPublic(tx: Tx, before: RoomRecord, isPublic: boolean): Promise<void> {
  if (before.isPublic === isPublic) return;
  await tx
    .updateTable('rooms')
    .set({ is_public: isPublic ? 1 : 0 })
    .where('room_id', '=', before.roomId)
    .execute();
  await recountRoom(tx, before, { ...before, isPublic });
}

/** Deletes the room's row; its current state, memberships and aliases go with it, and events that are left. */
export async function deleteRoom(tx: Tx, roomId: string): Promise<void> {
  const row = await tx.deleteFrom('rooms').where('room_id', '=', roomId).returningAll().executeTakeFirst();
  if (row) await countRooms(tx, asRoom(row), -1);
}

/*
 * What transactions lock, in the order in which they do: users, by identifier; rooms, by identifier, each with
 * what is in it; totals last, in the order of `rank`. All rooms share the totals, so whoever changes them ends
 * soon after. A transaction that can't keep to the order may meet one that goes the other way: `inTransaction`
 * runs the one again that loses.
 */

/** What a room is counted by. */
type Counted = Pick<RoomRecord, 'isPublic' | 'joinedMembers'>;

/** Counts a room that became another kind of room. */
async function recountRoom(tx: Tx, before: Counted, after: Counted): Promise<void> {
  // Always the same counter first: two transactions that each held one would wait for each other.
  const rank = ({ isPublic, joinedMembers }: Counted) => (joinedMembers === 0 ? 0 : 2) + (isPublic ? 1 : 0);
  if (rank(before) < rank(after)) await countRooms(tx, before, -1);
  await countRooms(tx, after, 1);
  if (rank(before) > rank(after)) await countRooms(tx, before, -1);
}

/** Counts a room as one more of its kind, or one less. */
async function countRooms(tx: Tx, { isPublic, joinedMembers }: Counted, by: 1 | -1): Promise<void> {
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

/** A text as searches see it. */
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

/** Rooms that nobody may join or make any more. */

/** Keeps a room from being joined, or made; `userId` is the administrator who wants it so. */
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

/** The administrator who blocked the room. */
export async function findRoomBlocker(db: Database, roomId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('blocked_rooms')
    .select('user_id')
    .where('room_id', '=', roomId)
    .executeTakeFirst();
  return row?.user_id;
}
