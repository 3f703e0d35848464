/** Hooks of other features into changes of identity data, and the deletion of devices, which calls one. */
import type { Tx } from '../../platform/database/transaction.ts';
import type { AccountDataKey } from '../account-data/account-data-store.ts';
import { type DeviceListContext, noteDeviceListChange } from '../sessions/device-list-store.ts';
import { deleteSession, deleteSessions } from '../sessions/session-store.ts';

/** Calls into features that identity can't import; `app/services.ts` implements them. What belongs to a device by foreign key needs no hook. */
export type IdentityHooks = {
  /** Deletes the data of devices that the user no longer has. */
  devicesDeleted(tx: Tx, userId: string): Promise<void>;
  /** Deletes the data of an account whose devices are deleted. */
  accountDeactivated(tx: Tx, userId: string): Promise<void>;
  accountDataChanged(tx: Tx, key: AccountDataKey): Promise<void>;
  /** Called after the commit. */
  profileChanged(userId: string): Promise<void>;
};

export type HookContext = { hooks: IdentityHooks };

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
