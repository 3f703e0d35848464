import type { Database } from '../../platform/database/schema.ts';

/**
 * Marks a nonce as used until it expires. Returns false if it was used before.
 *
 * @param expires in milliseconds since the Unix epoch, as `now`
 */
export async function spendNonce(
  db: Database,
  nonce: string,
  { expires, now }: { expires: number; now: number },
): Promise<boolean> {
  await db.deleteFrom('used_nonces').where('expires_ts', '<=', now).execute();
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('used_nonces')
    .values({ nonce, expires_ts: expires })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
