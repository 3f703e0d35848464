/**
 * Telling those who encrypt for a user that the user's devices, or the keys that vouch for them, have changed. Matrix
 * specification, client-server API, "Tracking the device list for a user".
 */
import type { Notifier } from '../core/notifier.ts';
import { nextChange } from '../database/changes.ts';
import { afterCommit, type Tx } from '../database/transaction.ts';
import { listEncryptedRooms, setDeviceListChange } from './device-list-store.ts';

export type DeviceListContext = { notifier: Notifier };

/** For everyone who shares an encrypted room with the user. */
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

/** For one who has signed a key of the user, and for nobody else. */
export async function noteSignatureBy(
  tx: Tx,
  { notifier }: DeviceListContext,
  signer: string,
  userId: string,
): Promise<void> {
  await setDeviceListChange(tx, userId, signer, await nextChange(tx));
  afterCommit(tx, () => notifier.wake('users', signer));
}
