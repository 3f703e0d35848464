/**
 * Dehydrated devices, which receive to-device messages while the user has no other device: the next one rehydrates it to
 * read them. MSC3814.
 */

import { lockUser } from '../../identity/accounts/user-store.ts';
import { requireDevice } from '../../identity/login/device-request.ts';
import { noteDeviceListChange } from '../../identity/sessions/device-list-store.ts';
import { ensureDevice, findDevice, renameDevice } from '../../identity/sessions/device-store.ts';
import { deleteSession } from '../../identity/sessions/session-store.ts';
import { forbidden, invalidParameter, notFound } from '../../platform/core/matrix-error.ts';
import { settledChangePosition } from '../../platform/database/changes.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { type DehydratedDevice, findDehydratedDevice, insertDehydratedDevice } from './device-key-store.ts';
import { type Inbox, readInbox } from './to-device-store.ts';
import { parseUpload, storeKeys, type UploadContext, type UploadedKeys } from './upload-keys.ts';

type NewDevice = DehydratedDevice & { displayName: string | undefined; keys: UploadedKeys };

/** Replaces the user's dehydrated device. @throws MatrixError 400, 413 */
export async function putDehydratedDevice(
  context: UploadContext,
  userId: string,
  { deviceId, data, displayName, keys }: NewDevice,
): Promise<void> {
  requireDevice({ device_id: deviceId, initial_device_display_name: displayName });
  const checked = parseUpload({ userId, deviceId }, keys);
  await inTransaction(context.db, async (tx) => {
    await lockUser(tx, userId);
    const old = await findDehydratedDevice(tx, userId);
    if (old) await deleteSession(tx, userId, old.deviceId);
    if (await findDevice(tx, userId, deviceId)) {
      throw invalidParameter(`Device ${deviceId} is in use and can't be dehydrated`);
    }
    await ensureDevice(tx, userId, deviceId);
    if (displayName !== undefined) await renameDevice(tx, userId, deviceId, displayName);
    await insertDehydratedDevice(tx, userId, { deviceId, data });
    await storeKeys(tx, context, { userId, deviceId }, checked, context.clock.now());
  });
}

/** @throws MatrixError 404 if the user has none */
export async function requireDehydratedDevice(db: Database, userId: string): Promise<DehydratedDevice> {
  const device = await findDehydratedDevice(db, userId);
  if (!device) throw notFound('No dehydrated device available');
  return device;
}

/** Deletes the user's dehydrated device with its messages. Returns its ID. @throws MatrixError 404 */
export async function deleteDehydratedDevice(context: UploadContext, userId: string): Promise<string> {
  return inTransaction(context.db, async (tx) => {
    await lockUser(tx, userId);
    const device = await findDehydratedDevice(tx, userId);
    if (!device) throw notFound('No dehydrated device available');
    await deleteSession(tx, userId, device.deviceId);
    await noteDeviceListChange(tx, context, userId);
    return device.deviceId;
  });
}

/**
 * Returns a page of messages to the dehydrated device. They are kept until the device is replaced, so that a client can
 * start over.
 *
 * @throws MatrixError 400 for an invalid token; 403 for another device; 404
 */
export async function readDehydratedEvents(
  db: Database,
  userId: string,
  { deviceId, from = '0' }: { deviceId: string; from?: string | undefined },
): Promise<Inbox & { isLast: boolean }> {
  if (!/^\d{1,15}$/.test(from)) throw invalidParameter(`Invalid pagination token '${from}'`);
  const device = await requireDehydratedDevice(db, userId);
  if (device.deviceId !== deviceId) throw forbidden('You may only fetch messages for your dehydrated device');
  const newest = await settledChangePosition(db);
  const inbox = await readInbox(db, { userId, deviceId, after: Number(from), upTo: newest });
  return { ...inbox, isLast: inbox.upTo === newest };
}
