import type { Selectable } from 'kysely';
import type { Database, Schema } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

export type Device = {
  deviceId: string;
  displayName: string | null;
  lastSeenTs: number | null;
  lastSeenIp: string | null;
};

export async function listDevices(db: Database, userId: string): Promise<Device[]> {
  const rows = await db
    .selectFrom('devices')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('device_id')
    .execute();
  return rows.map(asDevice);
}

export async function findDevice(
  db: Database,
  userId: string,
  deviceId: string,
): Promise<Device | undefined> {
  const row = await db
    .selectFrom('devices')
    .selectAll()
    .where('user_id', '=', userId)
    .where('device_id', '=', deviceId)
    .executeTakeFirst();
  return row && asDevice(row);
}

/** Adds a device. Returns false if it exists. */
export async function ensureDevice(
  tx: Tx,
  userId: string,
  deviceId: string,
  displayName: string | null = null,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('devices')
    .values({ user_id: userId, device_id: deviceId, display_name: displayName })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** Returns false if the device doesn't exist. */
export async function renameDevice(
  db: Database,
  userId: string,
  deviceId: string,
  displayName: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('devices')
    .set({ display_name: displayName })
    .where('user_id', '=', userId)
    .where('device_id', '=', deviceId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const asDevice = (row: Selectable<Schema['devices']>): Device => ({
  deviceId: row.device_id,
  displayName: row.display_name,
  lastSeenTs: row.last_seen_ts,
  lastSeenIp: row.last_seen_ip,
});
