/** Devices and the access tokens that speak for them. */
import type { Database } from './schema.ts';

export type Session = { userId: string; deviceId: string | null; admin: boolean };

/** Whose token this is; undefined for one that is unknown or was revoked. */
export async function findSession(db: Database, tokenHash: string): Promise<Session | undefined> {
  const row = await db
    .selectFrom('access_tokens')
    .innerJoin('users', 'users.user_id', 'access_tokens.user_id')
    .select(['users.user_id', 'access_tokens.device_id', 'users.admin'])
    .where('token_hash', '=', tokenHash)
    .where('deactivated', '=', 0)
    .executeTakeFirst();
  return row && { userId: row.user_id, deviceId: row.device_id, admin: row.admin === 1 };
}

export type NewSession = {
  userId: string;
  deviceId: string;
  deviceDisplayName: string | null;
  tokenHash: string;
  now: number;
};

/** Makes the device if it is new, and gives it this token in place of any that it had. */
export async function insertSession(db: Database, session: NewSession): Promise<void> {
  await db
    .insertInto('devices')
    .values({
      user_id: session.userId,
      device_id: session.deviceId,
      display_name: session.deviceDisplayName,
      last_seen_ts: session.now,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'device_id']).doUpdateSet({ last_seen_ts: session.now }),
    )
    .execute();
  await deleteSession(db, session.userId, session.deviceId, { keepDevice: true });
  await db
    .insertInto('access_tokens')
    .values({
      token_hash: session.tokenHash,
      user_id: session.userId,
      device_id: session.deviceId,
      created_ts: session.now,
    })
    .execute();
}

/** Ends a device's session. */
export async function deleteSession(
  db: Database,
  userId: string,
  deviceId: string,
  { keepDevice = false } = {},
): Promise<void> {
  await db
    .deleteFrom('access_tokens')
    .where('user_id', '=', userId)
    .where('device_id', '=', deviceId)
    .execute();
  if (keepDevice) return;
  await db.deleteFrom('devices').where('user_id', '=', userId).where('device_id', '=', deviceId).execute();
}

/** Ends every session of a user. */
export async function deleteSessions(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('access_tokens').where('user_id', '=', userId).execute();
  await db.deleteFrom('devices').where('user_id', '=', userId).execute();
}

export async function deleteToken(db: Database, tokenHash: string): Promise<void> {
  await db.deleteFrom('access_tokens').where('token_hash', '=', tokenHash).execute();
}

export type LoginToken = { tokenHash: string; userId: string; expiresTs: number };

export async function insertLoginToken(db: Database, token: LoginToken): Promise<void> {
  await db
    .insertInto('login_tokens')
    .values({ token_hash: token.tokenHash, user_id: token.userId, expires_ts: token.expiresTs })
    .execute();
}

/** Uses a login token up: whose it was, or undefined where it is unknown, used or too old. */
export async function takeLoginToken(
  db: Database,
  tokenHash: string,
  now: number,
): Promise<string | undefined> {
  await db.deleteFrom('login_tokens').where('expires_ts', '<=', now).execute();
  const row = await db
    .deleteFrom('login_tokens')
    .where('token_hash', '=', tokenHash)
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id;
}
