/** Rooms that nobody may join or make any more. */
import type { Database } from '../database/schema.ts';

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
