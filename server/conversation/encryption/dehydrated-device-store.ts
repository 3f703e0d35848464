/** The devices that take messages for users of whose devices none is there. */
import type { JsonObject } from '../../../shared/api/common.ts';
import { readJson } from '../../../shared/read-json.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

export type DehydratedDevice = {
  deviceId: string;
  /** What its user's clients need to become it. */
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

/** Of a user who has none, for a device that there is. */
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
