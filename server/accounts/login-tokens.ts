/** Tokens for one `m.login.token` login: who is signed in can sign in elsewhere with one. */
import type { Clock } from '../core/clock.ts';
import { forbidden } from '../core/matrix-error.ts';
import { randomSecret, tokenHash } from '../core/secrets.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import { deleteOldLoginTokens, insertLoginToken, takeLoginToken } from './session-store.ts';

type Context = { db: Database; clock: Clock };

/**
 * Makes one, good for two minutes unless said otherwise. Interface: "Limits".
 *
 * @param token the one that it is, where somebody has been told already
 */
export async function createLoginToken(
  { db, clock }: Context,
  userId: string,
  lifetimeMs = 120_000,
  token = randomSecret(),
): Promise<string> {
  const now = clock.now();
  await inTransaction(db, async (tx) => {
    await deleteOldLoginTokens(tx, now);
    await insertLoginToken(tx, { tokenHash: tokenHash(token), userId, expiresTs: now + lifetimeMs });
  });
  return token;
}

/**
 * Uses a login token up and gives its user.
 *
 * @throws MatrixError 403 `M_FORBIDDEN`
 */
export async function redeemLoginToken({ db, clock }: Context, token: string): Promise<string> {
  const userId = await takeLoginToken(db, tokenHash(token), clock.now());
  if (!userId) throw forbidden('This login token is not valid: it was used before, or it is too old');
  return userId;
}
