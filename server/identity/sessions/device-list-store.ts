/**
 * Notifies other users of changes to devices and cross-signing keys. Matrix specification, client-server API, "Tracking
 * the device list for a user".
 */
import type { Notifier } from '../../platform/concurrency/notifier.ts';
import { nextChange } from '../../platform/database/changes.ts';
import type { Database } from '../../platform/database/schema.ts';
import { afterCommit, type Tx } from '../../platform/database/transaction.ts';

/** @param seenBy the only user to notify; empty for everyone who shares an encrypted room */
async function setDeviceListChange(tx: Tx, userId: string, seenBy: string, position: number): Promise<void> {
  await tx
    .insertInto('device_list_changes')
    .values({ user_id: userId, seen_by: seenBy, stream_id: position })
    .onConflict((conflict) => conflict.columns(['user_id', 'seen_by']).doUpdateSet({ stream_id: position }))
    .execute();
}

async function listEncryptedRooms(db: Database, userId: string): Promise<string[]> {
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

export type DeviceListContext = { notifier: Notifier };

/** Notifies everyone who shares an encrypted room with the user. */
export async function noteDeviceListChange(
  tx: Tx,
  { notifier }: DeviceListContext,
  userId: string,
): Promise<void> {
  await setDeviceListChange(tx, userId, '', await nextChange(tx));
  const rooms = await listEncryptedRooms(tx, userId);
  afterCommit(tx, () => {
    notifier.wake('users', userId);
    for (const roomId of rooms) notifier.wake('rooms', roomId);
  });
}

/** Notifies only the user who signed a key of another. */
export async function noteSignatureBy(
  tx: Tx,
  { notifier }: DeviceListContext,
  signer: string,
  userId: string,
): Promise<void> {
  await setDeviceListChange(tx, userId, signer, await nextChange(tx));
  afterCommit(tx, () => notifier.wake('users', signer));
}
