/** The keys by which users vouch for their devices and for each other. */
import type { CrossSigningKey } from '../../shared/api/encryption-keys.ts';
import { inPieces } from '../core/pieces.ts';
import type { Database } from '../database/schema.ts';
import type { Tx } from '../database/transaction.ts';

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
    .onConflict((conflict) => conflict.columns(['user_id', 'usage']).doUpdateSet({ json }))
    .execute();
}

export async function listCrossSigningKeys(
  db: Database,
  userIds: readonly string[],
): Promise<Map<string, CrossSigningKeys>> {
  const keys = new Map<string, CrossSigningKeys>();
  for (const piece of inPieces(userIds, 500)) {
    const rows = await db
      .selectFrom('cross_signing_keys')
      .selectAll()
      .where('user_id', 'in', piece)
      .execute();
    for (const { user_id, usage, json } of rows) {
      keys.set(user_id, { ...keys.get(user_id), [usage]: JSON.parse(json) });
    }
  }
  return keys;
}

export async function findCrossSigningKeys(db: Database, userId: string): Promise<CrossSigningKeys> {
  return (await listCrossSigningKeys(db, [userId])).get(userId) ?? {};
}

/** The public part of a cross-signing key, which has one: unpadded base64. */
export function publicPart({ keys }: CrossSigningKey): string {
  const [name = ''] = Object.keys(keys);
  return keys[name] ?? '';
}
