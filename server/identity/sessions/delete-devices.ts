import type { Tx } from '../../platform/database/transaction.ts';
import type { HookContext } from '../accounts/identity-hooks.ts';
import { type DeviceListContext, noteDeviceListChange } from './device-list-store.ts';
import { deleteSession, deleteSessions } from './session-store.ts';

export type DeviceDeletionContext = DeviceListContext & HookContext;

/** Deletes devices with their sessions. Lock the user first. */
export async function deleteDevices(
  tx: Tx,
  context: DeviceDeletionContext,
  userId: string,
  devices: { only: readonly string[] } | { except: string | null },
): Promise<void> {
  if ('only' in devices) {
    for (const deviceId of devices.only) await deleteSession(tx, userId, deviceId);
  } else {
    await deleteSessions(tx, userId, { exceptDevice: devices.except });
  }
  await context.hooks.devicesDeleted(tx, userId);
  await noteDeviceListChange(tx, context, userId);
}
