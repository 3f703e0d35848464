/** Tokens with which users show to others who they are. Matrix specification, client-server API, "OpenID". */
import type { Clock } from '../core/clock.ts';
import { unknownToken } from '../core/matrix-error.ts';
import { randomSecret, tokenHash } from '../core/secrets.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction, type Tx } from '../database/transaction.ts';

type Context = { db: Database; clock: Clock };

/** How long one is good, in milliseconds. */
export const openIdLifetime = 3_600_000;

/** Makes one, which says who the user is and lets nobody do anything. */
export async function createOpenIdToken({ db, clock }: Context, userId: string): Promise<string> {
  const token = randomSecret();
  const now = clock.now();
  await inTransaction(db, async (tx) => {
    await tx.deleteFrom('openid_tokens').where('expires_ts', '<=', now).execute();
    await tx
      .insertInto('openid_tokens')
      .values({ token_hash: tokenHash(token), user_id: userId, expires_ts: now + openIdLifetime })
      .execute();
  });
  return token;
}

/** Whose token it is. @throws MatrixError 401 for one that is unknown or expired */
export async function redeemOpenIdToken({ db, clock }: Context, token: string): Promise<string> {
  const row = await db
    .selectFrom('openid_tokens')
    .innerJoin('users', 'users.user_id', 'openid_tokens.user_id')
    .select(['openid_tokens.user_id', 'openid_tokens.expires_ts'])
    .where('token_hash', '=', tokenHash(token))
    .where('users.deactivated', '=', 0)
    .executeTakeFirst();
  if (!row || row.expires_ts <= clock.now()) throw unknownToken('Access Token unknown or expired');
  return row.user_id;
}

/** Ends what a user could still be shown to be by. */
export async function deleteOpenIdTokens(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('openid_tokens').where('user_id', '=', userId).execute();
}
