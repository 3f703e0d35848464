/** Uploaded device keys, and dehydrated devices. */
import type { JsonObject } from '../../../shared/api/common.ts';
import type { DeviceKeys } from '../../../shared/api/encryption-keys.ts';
import { readJson } from '../../../shared/read-json.ts';
import { chunks } from '../../platform/concurrency/yield.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

export type KeyedDevice = {
  userId: string;
  deviceId: string;
  displayName: string | null;
  keys: DeviceKeys;
};

/** Returns whether the keys have changed. */
export async function setDeviceKeys(
  tx: Tx,
  { userId, deviceId }: { userId: string; deviceId: string },
  keys: DeviceKeys,
): Promise<boolean> {
  const json = JSON.stringify(keys);
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('device_keys')
    .values({ user_id: userId, device_id: deviceId, json })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'device_id']).doUpdateSet({ json }).where('device_keys.json', '!=', json),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** Returns devices with keys, by user and device ID. */
export async function listDeviceKeys(db: Database, userIds: readonly string[]): Promise<KeyedDevice[]> {
  const devices: KeyedDevice[] = [];
  for (const chunk of chunks(userIds, 500)) {
    const rows = await db
      .selectFrom('device_keys')
      .innerJoin('devices', (join) =>
        join
          .onRef('devices.user_id', '=', 'device_keys.user_id')
          .onRef('devices.device_id', '=', 'device_keys.device_id'),
      )
      .select(['device_keys.user_id', 'device_keys.device_id', 'display_name', 'json'])
      .where('device_keys.user_id', 'in', chunk)
      .orderBy('device_keys.user_id')
      .orderBy('device_keys.device_id')
      .execute();
    for (const row of rows) {
      const keys = readJson(row.json) as DeviceKeys;
      devices.push({
        userId: row.user_id,
        deviceId: row.device_id,
        displayName: row.display_name,
        keys,
      });
    }
  }
  return devices;
}

/** At most one per user. */
export type DehydratedDevice = {
  deviceId: string;
  /** Data that clients need for rehydration. */
  data: JsonObject;
};

export async function findDehydratedDevice(
  db: Database,
  userId: string,
): Promise<DehydratedDevice | undefined> {
  const row = await db
    .selectFrom('dehydrated_devices')
    .select(['device_id', 'json'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row && { deviceId: row.device_id, data: readJson(row.json) };
}

/** The user must have none, and the device must exist. */
export async function insertDehydratedDevice(
  tx: Tx,
  userId: string,
  { deviceId, data }: DehydratedDevice,
): Promise<void> {
  await tx
    .insertInto('dehydrated_devices')
    .values({ user_id: userId, device_id: deviceId, json: JSON.stringify(data) })
    .execute();
}
