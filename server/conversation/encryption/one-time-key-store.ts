/** One-time keys and fallback keys, with which other devices start Olm sessions. */
import { sql } from 'kysely';
import type { JsonObject } from '../../../shared/api/common.ts';
import { readJson } from '../../../shared/read-json.ts';
import { isPostgres } from '../../platform/database/engine.ts';
import { builtOnce } from '../../platform/database/query/built-once.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

export type DeviceName = { userId: string; deviceId: string };
export type NamedKey = { algorithm: string; keyId: string; key: string | JsonObject };

/** Returns the unclaimed keys with these IDs. */
export async function findOneTimeKeys(
  db: Database,
  { userId, deviceId }: DeviceName,
  keyIds: readonly string[],
): Promise<NamedKey[]> {
  const rows = await db
    .selectFrom('one_time_keys')
    .select(['algorithm', 'key_id', 'json'])
    .where('user_id', '=', userId)
    .where('device_id', '=', deviceId)
    .where('key_id', 'in', keyIds)
    .execute();
  return rows.map(asNamedKey);
}

export async function insertOneTimeKeys(
  tx: Tx,
  { userId, deviceId }: DeviceName,
  keys: readonly NamedKey[],
  now: number,
): Promise<void> {
  if (keys.length === 0) return;
  await tx
    .insertInto('one_time_keys')
    .values(
      keys.map(({ algorithm, keyId, key }) => ({
        user_id: userId,
        device_id: deviceId,
        algorithm,
        key_id: keyId,
        added_ts: now,
        json: JSON.stringify(key),
      })),
    )
    .execute();
}

/** Replaces the fallback key of the same algorithm. A different key counts as unused. */
export async function setFallbackKey(
  tx: Tx,
  { userId, deviceId }: DeviceName,
  { algorithm, keyId, key }: NamedKey,
): Promise<void> {
  const json = JSON.stringify(key);
  await tx
    .insertInto('fallback_keys')
    .values({ user_id: userId, device_id: deviceId, algorithm, key_id: keyId, json })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'device_id', 'algorithm'])
        .doUpdateSet({ key_id: keyId, json, used: 0 })
        .where((eb) =>
          eb.or([eb('fallback_keys.key_id', '!=', keyId), eb('fallback_keys.json', '!=', json)]),
        ),
    )
    .execute();
}

/** Claims the oldest one-time key of a device by deleting it. */
export async function takeOneTimeKey(
  tx: Tx,
  { userId, deviceId }: DeviceName,
  algorithm: string,
): Promise<NamedKey | undefined> {
  const {
    rows: [row],
  } = await deleteOldestKey(tx, { userId, deviceId, algorithm });
  return row && asNamedKey(row);
}

type KeyQuery = DeviceName & { algorithm: string };

const deleteOldestKey = builtOnce((db, { userId, deviceId, algorithm }: KeyQuery) =>
  db
    .deleteFrom('one_time_keys')
    .where('user_id', '=', userId)
    .where('device_id', '=', deviceId)
    .where('algorithm', '=', algorithm)
    .where('key_id', '=', (eb) => {
      const oldest = eb
        .selectFrom('one_time_keys')
        .select('key_id')
        .where('user_id', '=', userId)
        .where('device_id', '=', deviceId)
        .where('algorithm', '=', algorithm)
        .orderBy('added_ts')
        .orderBy('key_id')
        .limit(1);
      // Concurrent claims take the next key instead of waiting for this one.
      return isPostgres(db) ? oldest.forUpdate().skipLocked() : oldest;
    })
    .returning(['algorithm', 'key_id', 'json']),
);

/** Returns the fallback key of a device and marks it as used. */
export async function takeFallbackKey(
  tx: Tx,
  { userId, deviceId }: DeviceName,
  algorithm: string,
): Promise<NamedKey | undefined> {
  const row = await tx
    .selectFrom('fallback_keys')
    .select(['algorithm', 'key_id', 'json', 'used'])
    .where('user_id', '=', userId)
    .where('device_id', '=', deviceId)
    .where('algorithm', '=', algorithm)
    .executeTakeFirst();
  if (row?.used === 0) {
    await tx
      .updateTable('fallback_keys')
      .set({ used: 1 })
      .where('user_id', '=', userId)
      .where('device_id', '=', deviceId)
      .where('algorithm', '=', algorithm)
      .where('key_id', '=', row.key_id)
      .execute();
  }
  return row && asNamedKey(row);
}

export type KeyCounts = {
  /** By algorithm; `signed_curve25519` is always included. */
  oneTimeKeys: Record<string, number>;
  unusedFallbackKeys: string[];
};

/** Counts the remaining keys. `/sync` returns the counts, so that the device uploads more when few are left. */
export async function readKeyCounts(db: Database, device: DeviceName): Promise<KeyCounts> {
  const { rows } = await selectKeyCounts(db, device);
  const counted = rows.filter(({ fallback }) => fallback === 0);
  return {
    oneTimeKeys: Object.fromEntries([
      ['signed_curve25519', 0],
      ...counted.map(({ algorithm, total }) => [algorithm, Number(total)] as const),
    ]),
    unusedFallbackKeys: rows.flatMap(({ algorithm, fallback }) => (fallback === 1 ? [algorithm] : [])),
  };
}

const selectKeyCounts = builtOnce((db, { userId, deviceId }: DeviceName) =>
  db
    .selectFrom('one_time_keys')
    .select(({ fn }) => ['algorithm', fn.countAll<number>().as('total'), sql<number>`0`.as('fallback')])
    .where('user_id', '=', userId)
    .where('device_id', '=', deviceId)
    .groupBy('algorithm')
    .unionAll(
      db
        .selectFrom('fallback_keys')
        .select(['algorithm', sql<number>`1`.as('total'), sql<number>`1`.as('fallback')])
        .where('user_id', '=', userId)
        .where('device_id', '=', deviceId)
        .where('used', '=', 0),
    ),
);

const asNamedKey = (row: { algorithm: string; key_id: string; json: string }): NamedKey => ({
  algorithm: row.algorithm,
  keyId: row.key_id,
  key: readJson(row.json),
});
