import type { Database } from '../../platform/database/schema.ts';

/**
 * Uses a nonce up; false where it was used before.
 *
 * @param expires until when that has to be known, in milliseconds since the Unix epoch, as `now`
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
