/** Cross-signing keys. */
import type { CrossSigningKey } from '../../../shared/api/encryption-keys.ts';
import { readJson } from '../../../shared/read-json.ts';
import { chunks } from '../../platform/concurrency/yield.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

export type Usage = 'master' | 'self_signing' | 'user_signing';
export type CrossSigningKeys = Partial<Record<Usage, CrossSigningKey>>;

export async function setCrossSigningKey(
  tx: Tx,
  userId: string,
  usage: Usage,
  key: CrossSigningKey,
): Promise<void> {
  const json = JSON.stringify(key);
  await tx
    .insertInto('cross_signing_keys')
    .values({ user_id: userId, usage, json })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'usage']).doUpdateSet({ json, free_until_ts: null }),
    )
    .execute();
}

export async function listCrossSigningKeys(
  db: Database,
  userIds: readonly string[],
): Promise<Map<string, CrossSigningKeys>> {
  const keys = new Map<string, CrossSigningKeys>();
  for (const chunk of chunks(userIds, 500)) {
    const rows = await db
      .selectFrom('cross_signing_keys')
      .selectAll()
      .where('user_id', 'in', chunk)
      .execute();
    for (const { user_id, usage, json } of rows) {
      keys.set(user_id, { ...keys.get(user_id), [usage]: readJson(json) });
    }
  }
  return keys;
}

/** Lets the user replace the master key without a password until a time. Returns false if there is none. */
export async function freeMasterKey(db: Database, userId: string, untilTs: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('cross_signing_keys')
    .set({ free_until_ts: untilTs })
    .where('user_id', '=', userId)
    .where('usage', '=', 'master')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function isMasterKeyFree(db: Database, userId: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('cross_signing_keys')
    .select('free_until_ts')
    .where('user_id', '=', userId)
    .where('usage', '=', 'master')
    .where('free_until_ts', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

export async function findCrossSigningKeys(db: Database, userId: string): Promise<CrossSigningKeys> {
  return (await listCrossSigningKeys(db, [userId])).get(userId) ?? {};
}

/** Returns the public key, unpadded base64. */
export function publicPart({ keys }: CrossSigningKey): string {
  const [name = ''] = Object.keys(keys);
  return keys[name] ?? '';
}
