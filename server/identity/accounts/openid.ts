/** Matrix specification, client-server API, "OpenID". */
import type { Clock } from '../../platform/core/clock.ts';
import { unknownToken } from '../../platform/core/matrix-error.ts';
import { randomSecret, tokenHash } from '../../platform/core/secrets.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { deleteExpiredOpenIdTokens, findOpenIdToken, insertOpenIdToken } from './identity-store.ts';
import { lockActiveUser } from './user-store.ts';

export type OpenIdContext = { db: Database; clock: Clock };

/** Of a token, in milliseconds. */
export const openIdLifetime = 3_600_000;

/** Creates a token that proves the user's identity and grants no access. @throws MatrixError 403 for a deactivated user */
export async function createOpenIdToken({ db, clock }: OpenIdContext, userId: string): Promise<string> {
  const token = randomSecret();
  const now = clock.now();
  const hash = tokenHash(token);
  await inTransaction(db, async (tx) => {
    await lockActiveUser(tx, userId);
    await deleteExpiredOpenIdTokens(tx, now);
    await insertOpenIdToken(tx, { hash, userId, expiresTs: now + openIdLifetime });
  });
  return token;
}

/** Returns the user of a token. @throws MatrixError 401 for an unknown or expired token */
export async function redeemOpenIdToken({ db, clock }: OpenIdContext, token: string): Promise<string> {
  const found = await findOpenIdToken(db, tokenHash(token));
  if (!found || found.expiresTs <= clock.now()) throw unknownToken('Access Token unknown or expired');
  return found.userId;
}
