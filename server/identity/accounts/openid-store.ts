/** Tokens with which users show to others who they are, by their digests. */
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

export type OpenIdToken = { hash: string; userId: string; expiresTs: number };

export async function insertOpenIdToken(tx: Tx, { hash, userId, expiresTs }: OpenIdToken): Promise<void> {
  await tx
    .insertInto('openid_tokens')
    .values({ token_hash: hash, user_id: userId, expires_ts: expiresTs })
    .execute();
}

/** Of a user who is still there. */
export async function findOpenIdToken(db: Database, hash: string): Promise<OpenIdToken | undefined> {
  const row = await db
    .selectFrom('openid_tokens')
    .innerJoin('users', 'users.user_id', 'openid_tokens.user_id')
    .select(['openid_tokens.user_id', 'openid_tokens.expires_ts'])
    .where('token_hash', '=', hash)
    .where('users.deactivated', '=', 0)
    .executeTakeFirst();
  return row && { hash, userId: row.user_id, expiresTs: row.expires_ts };
}

export async function deleteExpiredOpenIdTokens(tx: Tx, now: number): Promise<void> {
  await tx.deleteFrom('openid_tokens').where('expires_ts', '<=', now).execute();
}

/** Ends what a user could still be shown to be by. */
export async function deleteOpenIdTokens(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('openid_tokens').where('user_id', '=', userId).execute();
}
