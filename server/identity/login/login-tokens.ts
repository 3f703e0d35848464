/** Tokens for one `m.login.token` login: who is signed in can sign in elsewhere with one. */
import type { Clock } from '../../platform/core/clock.ts';
import { forbidden } from '../../platform/core/matrix-error.ts';
import { randomSecret, tokenHash } from '../../platform/core/secrets.ts';
import { databaseTime } from '../../platform/database/query/expressions.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction, type Tx } from '../../platform/database/transaction.ts';
import { holdSession, type Signed } from '../sessions/sessions.ts';
import {
  deleteOldLoginTokens,
  type FoundLoginToken,
  findLoginToken,
  insertLoginToken,
  takeLoginToken,
} from './login-token-store.ts';

type Context = { db: Database; clock: Clock };

export type LoginTokenOptions = {
  lifetimeMs?: number;
  /** The one that it is, where somebody has been told already. */
  token?: string;
  /** The request that asks for it, where a session does: what ends that ends the token, too. */
  signed?: Signed;
};

/**
 * Makes one, good for two minutes unless said otherwise, by the database's time: they last as long at whichever process.
 * Interface: "Limits".
 *
 * @throws MatrixError 401 where the session that asks for it has ended; 403 for an administrator who acts as the user:
 *   what the token opens would be the user's own, and last when the administrator acts as nobody any more
 */
export async function createLoginToken(
  { db, clock }: Context,
  userId: string,
  { lifetimeMs = 120_000, token = randomSecret(), signed }: LoginTokenOptions = {},
): Promise<string> {
  if (signed?.requester.actsFor !== undefined)
    throw forbidden("Can't create login tokens while logged in as another user");
  const now = databaseTime(db, clock);
  await inTransaction(db, async (tx) => {
    if (signed) await holdSession(tx, signed, [userId]);
    await deleteOldLoginTokens(tx, now);
    await insertLoginToken(tx, { tokenHash: tokenHash(token), userId, now, lifetimeMs });
  });
  return token;
}

/** Whose a login token is, which stays good. @throws MatrixError 403 `M_FORBIDDEN` */
export const findLoginTokenUser = async ({ db, clock }: Context, token: string): Promise<string> =>
  requireGood(await findLoginToken(db, tokenHash(token), databaseTime(db, clock)));

/** Uses up a login token of a user who is locked. @throws MatrixError 403 `M_FORBIDDEN` */
export const redeemLoginToken = async (
  tx: Tx,
  { clock }: Pick<Context, 'clock'>,
  token: string,
): Promise<string> => requireGood(await takeLoginToken(tx, tokenHash(token), databaseTime(tx, clock)));

function requireGood(token: FoundLoginToken | undefined): string {
  if (token) return token.userId;
  throw forbidden('Invalid login token');
}
