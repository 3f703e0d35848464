/** Rooms, and what lists need to know of their state. */
import type { Selectable, Updateable } from 'kysely';
import type { Database, Schema } from './schema.ts';

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
  /** The newest event; null only until the first one is appended. */
  headEventId: string | null;
  headDepth: number;
};

export async function findRoom(db: Database, roomId: string): Promise<RoomRecord | undefined> {
  const row = await db.selectFrom('rooms').selectAll().where('room_id', '=', roomId).executeTakeFirst();
  return row && asRoom(row);
}

/**
 * The room, locked until the transaction ends: whoever else wants to append to it waits. (SQLite's
 * transactions lock everything anyway; this is the one statement that does it on every engine.)
 */
export async function lockRoom(db: Database, roomId: string): Promise<RoomRecord | undefined> {
  const row = await db
    .updateTable('rooms')
    .set((eb) => ({ head_depth: eb.ref('head_depth') }))
    .where('room_id', '=', roomId)
    .returningAll()
    .executeTakeFirst();
  return row && asRoom(row);
}

export type NewRoom = Pick<RoomRecord, 'roomId' | 'roomVersion' | 'creator' | 'createdTs' | 'isPublic'>;

/** Adds a room without events; appending its first ones follows in the same transaction. */
export async function insertRoom(db: Database, room: NewRoom): Promise<void> {
  await db
    .insertInto('rooms')
    .values({
      room_id: room.roomId,
      room_version: room.roomVersion,
      creator: room.creator,
      created_ts: room.createdTs,
      is_public: room.isPublic ? 1 : 0,
      join_rule: 'invite',
      history_visibility: 'shared',
      joined_members: 0,
      head_depth: 0,
    })
    .execute();
}

export type RoomChange = Partial<
  Pick<
    RoomRecord,
    | 'name'
    | 'topic'
    | 'canonicalAlias'
    | 'joinRule'
    | 'historyVisibility'
    | 'joinedMembers'
    | 'headEventId'
    | 'headDepth'
  >
>;

export async function updateRoom(db: Database, roomId: string, change: RoomChange): Promise<void> {
  const columns: Updateable<Schema['rooms']> = {};
  if (change.name !== undefined) columns.name = change.name;
  if (change.topic !== undefined) columns.topic = change.topic;
  if (change.canonicalAlias !== undefined) columns.canonical_alias = change.canonicalAlias;
  if (change.joinRule !== undefined) columns.join_rule = change.joinRule;
  if (change.historyVisibility !== undefined) columns.history_visibility = change.historyVisibility;
  if (change.joinedMembers !== undefined) columns.joined_members = change.joinedMembers;
  if (change.headEventId !== undefined) columns.head_event_id = change.headEventId;
  if (change.headDepth !== undefined) columns.head_depth = change.headDepth;
  await db.updateTable('rooms').set(columns).where('room_id', '=', roomId).execute();
}

/** Deletes the room's row; its current state, memberships and aliases go with it, and events that are left. */
export async function deleteRoom(db: Database, roomId: string): Promise<void> {
  await db.deleteFrom('rooms').where('room_id', '=', roomId).execute();
}

/** Keeps a room from being joined, or made; `userId` is the administrator who wants it so. */
export async function blockRoom(db: Database, roomId: string, userId: string, now: number): Promise<void> {
  await db
    .insertInto('blocked_rooms')
    .values({ room_id: roomId, user_id: userId, blocked_ts: now })
    .onConflict((conflict) => conflict.column('room_id').doNothing())
    .execute();
}

export async function isRoomBlocked(db: Database, roomId: string): Promise<boolean> {
  const row = await db
    .selectFrom('blocked_rooms')
    .select('room_id')
    .where('room_id', '=', roomId)
    .executeTakeFirst();
  return row !== undefined;
}

const asRoom = (row: Selectable<Schema['rooms']>): RoomRecord => ({
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
  headEventId: row.head_event_id,
  headDepth: row.head_depth,
});
