/**
 * What goes with a device that is removed and with an account that ends. What features keep of them they say
 * themselves; what hangs on a device by a foreign key (its keys and messages) goes by that.
 */
import type { Tx } from '../../platform/database/transaction.ts';
import { type DeviceListContext, noteDeviceListChange } from '../sessions/device-list-store.ts';
import { deleteSession, deleteSessions } from '../sessions/session-store.ts';

export type Endings = {
  /** Forget what belonged to devices that the user has no more. */
  ofDevices: readonly ((tx: Tx, userId: string) => Promise<unknown>)[];
  /** Forget what belonged to an account whose devices are gone already. */
  ofAccounts: readonly ((tx: Tx, userId: string) => Promise<unknown>)[];
};

export type EndingContext = DeviceListContext & { endings: Endings };

/** Removes devices with their sessions and what features keep of them. While the user is locked. */
export async function endDevices(
  tx: Tx,
  context: EndingContext,
  userId: string,
  devices: { only: readonly string[] } | { except: string | null },
): Promise<void> {
  if ('only' in devices) {
    for (const deviceId of devices.only) await deleteSession(tx, userId, deviceId);
  } else {
    await deleteSessions(tx, userId, { exceptDevice: devices.except });
  }
  for (const forget of context.endings.ofDevices) await forget(tx, userId);
  await noteDeviceListChange(tx, context, userId);
}
