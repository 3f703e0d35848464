/** Registration tokens, and used nonces of shared-secret registration. */
import { type Selectable, sql } from 'kysely';
import type { Database, Schema } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

export type RegistrationToken = {
  token: string;
  /** Null for unlimited. */
  usesAllowed: number | null;
  /** Completed registrations. */
  completed: number;
  /** In milliseconds since the Unix epoch; null if it never expires. */
  expiryTime: number | null;
};

export async function listRegistrationTokens(db: Database): Promise<RegistrationToken[]> {
  const rows = await db.selectFrom('registration_tokens').selectAll().orderBy('token').execute();
  return rows.map(asToken);
}

export async function findRegistrationToken(
  db: Database,
  token: string,
): Promise<RegistrationToken | undefined> {
  const row = await db
    .selectFrom('registration_tokens')
    .selectAll()
    .where('token', '=', token)
    .executeTakeFirst();
  return row && asToken(row);
}

/** Locks a token until the transaction ends. */
export async function lockRegistrationToken(tx: Tx, token: string): Promise<RegistrationToken | undefined> {
  const row = await tx
    .updateTable('registration_tokens')
    // Changing nothing locks it on every engine.
    .set(({ ref }) => ({ completed: ref('completed') }))
    .where('token', '=', token)
    .returningAll()
    .executeTakeFirst();
  return row && asToken(row);
}

/** Returns false if the token exists. */
export async function insertRegistrationToken(
  db: Database,
  { token, usesAllowed, expiryTime }: Omit<RegistrationToken, 'completed'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('registration_tokens')
    .values({ token, uses_allowed: usesAllowed, completed: 0, expiry_time: expiryTime })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

type RegistrationTokenChange = Partial<Pick<RegistrationToken, 'usesAllowed' | 'expiryTime'>>;

/** Returns the updated token, or undefined if it doesn't exist. */
export async function updateRegistrationToken(
  db: Database,
  token: string,
  { usesAllowed, expiryTime }: RegistrationTokenChange,
): Promise<RegistrationToken | undefined> {
  const change = {
    ...(usesAllowed !== undefined && { uses_allowed: usesAllowed }),
    ...(expiryTime !== undefined && { expiry_time: expiryTime }),
  };
  if (Object.keys(change).length > 0) {
    await db.updateTable('registration_tokens').set(change).where('token', '=', token).execute();
  }
  return findRegistrationToken(db, token);
}

/** Returns false if the token doesn't exist. */
export async function deleteRegistrationToken(db: Database, token: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('registration_tokens')
    .where('token', '=', token)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Counts a completed registration. Returns false if the token has no uses left or was deleted. */
export async function completeRegistration(db: Database, token: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('registration_tokens')
    .set({ completed: sql<number>`completed + 1` })
    .where('token', '=', token)
    .where(({ eb, or, ref }) =>
      or([eb('uses_allowed', 'is', null), eb('completed', '<', ref('uses_allowed'))]),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const asToken = (row: Selectable<Schema['registration_tokens']>): RegistrationToken => ({
  token: row.token,
  usesAllowed: row.uses_allowed,
  completed: row.completed,
  expiryTime: row.expiry_time,
});

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
