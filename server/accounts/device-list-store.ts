/** When users' devices, and the keys that vouch for them, changed last. */
import type { Database } from '../database/schema.ts';
import type { Tx } from '../database/transaction.ts';

/** @param seenBy whom it concerns alone; empty for everyone who shares an encrypted room with the user */
export async function setDeviceListChange(
  tx: Tx,
  userId: string,
  seenBy: string,
  place: number,
): Promise<void> {
  await tx
    .insertInto('device_list_changes')
    .values({ user_id: userId, seen_by: seenBy, stream_id: place })
    .onConflict((conflict) => conflict.columns(['user_id', 'seen_by']).doUpdateSet({ stream_id: place }))
    .execute();
}

/** The encrypted rooms in which a user is. */
export async function listEncryptedRooms(db: Database, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('rooms', 'rooms.room_id', 'memberships.room_id')
    .select('rooms.room_id')
    .where('user_id', '=', userId)
    .where('membership', '=', 'join')
    .where('encryption', 'is not', null)
    .execute();
  return rows.map((row) => row.room_id);
}
