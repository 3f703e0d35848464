/** Tokens that are good for one login, until the database's clock says otherwise. */
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

/** One that is made at the database's time `now`, and good for so many milliseconds. */
export type NewLoginToken = {
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

export type FoundLoginToken = { userId: string };

/** A login token; undefined where it is unknown, used or too old at the database's time `now`. */
export const findLoginToken = (
  db: Database,
  tokenHash: string,
  now: RawBuilder<number>,
): Promise<FoundLoginToken | undefined> =>
  db
    .selectFrom('login_tokens')
    .select('user_id as userId')
    .where('token_hash', '=', tokenHash)
    .where('expires_ts', '>', now)
    .executeTakeFirst();

/** Uses a login token up; undefined where it is unknown, used or too old. */
export const takeLoginToken = (
  tx: Tx,
  tokenHash: string,
  now: RawBuilder<number>,
): Promise<FoundLoginToken | undefined> =>
  tx
    .deleteFrom('login_tokens')
    .where('token_hash', '=', tokenHash)
    .where('expires_ts', '>', now)
    .returning('user_id as userId')
    .executeTakeFirst();

/** Forgets the login tokens that are too old. */
export async function deleteOldLoginTokens(tx: Tx, now: RawBuilder<number>): Promise<void> {
  await tx.deleteFrom('login_tokens').where('expires_ts', '<=', now).execute();
}

/** Ends what a user could still log in with by token. */
export async function deleteLoginTokens(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('login_tokens').where('user_id', '=', userId).execute();
}
