/** Single-use login tokens, which expire by the database's clock. */
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

/** `now` is an expression for the database's time. */
type NewLoginToken = {
  tokenHash: string;
  userId: string;
  now: RawBuilder<number>;
  lifetimeMs: number;
};

export async function insertLoginToken(
  tx: Tx,
  { tokenHash, userId, now, lifetimeMs }: NewLoginToken,
): Promise<void> {
  const expires = sql<number>`cast(${now} + ${sql.lit(lifetimeMs)} as bigint)`;
  await tx
    .insertInto('login_tokens')
    .values({ token_hash: tokenHash, user_id: userId, expires_ts: expires })
    .execute();
}

export type LoginToken = { userId: string };

/** Returns undefined if the token is unknown, used or expired. */
export const findLoginToken = (
  db: Database,
  tokenHash: string,
  now: RawBuilder<number>,
): Promise<LoginToken | undefined> =>
  db
    .selectFrom('login_tokens')
    .select('user_id as userId')
    .where('token_hash', '=', tokenHash)
    .where('expires_ts', '>', now)
    .executeTakeFirst();

/** Redeems a token. Returns undefined if it is unknown, used or expired. */
export const takeLoginToken = (
  tx: Tx,
  tokenHash: string,
  now: RawBuilder<number>,
): Promise<LoginToken | undefined> =>
  tx
    .deleteFrom('login_tokens')
    .where('token_hash', '=', tokenHash)
    .where('expires_ts', '>', now)
    .returning('user_id as userId')
    .executeTakeFirst();

export async function deleteOldLoginTokens(tx: Tx, now: RawBuilder<number>): Promise<void> {
  await tx.deleteFrom('login_tokens').where('expires_ts', '<=', now).execute();
}

export async function deleteLoginTokens(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('login_tokens').where('user_id', '=', userId).execute();
}
