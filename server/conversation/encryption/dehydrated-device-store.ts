/** Dehydrated devices, at most one per user. */
import type { JsonObject } from '../../../shared/api/common.ts';
import { readJson } from '../../../shared/read-json.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

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
