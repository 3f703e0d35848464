/** Access tokens and their devices. */
import { builtOnce } from '../../platform/database/query/built-once.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';
import { deleteRefreshTokens } from './refresh-token-store.ts';

export type Session = {
  userId: string;
  deviceId: string | null;
  admin: boolean;
  locked: boolean;
  suspended: boolean;
  shadowBanned: boolean;
  guest: boolean;
  /** Null for a token that doesn't expire. */
  expiresTs: number | null;
  /** The administrator who acts as the user with it; null for the user's own. */
  madeFor: string | null;
  /** Whether this is the first use of a refreshable token. */
  isFirstUse: boolean;
};

/** Returns undefined if the token is unknown or revoked. */
export async function findSession(db: Database, tokenHash: string): Promise<Session | undefined> {
  const {
    rows: [row],
  } = await selectSession(db, { tokenHash });
  return (
    row && {
      userId: row.user_id,
      deviceId: row.device_id,
      admin: row.admin === 1,
      locked: row.locked === 1,
      suspended: row.suspended === 1,
      shadowBanned: row.shadow_banned === 1,
      guest: row.is_guest === 1,
      expiresTs: row.expires_ts,
      madeFor: row.made_for,
      isFirstUse: row.unused === 1,
    }
  );
}

const selectSession = builtOnce((db, { tokenHash }: { tokenHash: string }) =>
  db
    .selectFrom('access_tokens')
    .innerJoin('users', 'users.user_id', 'access_tokens.user_id')
    .select([
      'users.user_id',
      'users.admin',
      'users.locked',
      'users.suspended',
      'users.shadow_banned',
      'users.is_guest',
      'access_tokens.device_id',
      'access_tokens.expires_ts',
      'access_tokens.made_for',
      'access_tokens.unused',
    ])
    .where('token_hash', '=', tokenHash)
    .where('deactivated', '=', 0),
);

export type NewSession = {
  userId: string;
  deviceId: string;
  deviceDisplayName: string | null;
  tokenHash: string;
  now: number;
  /** Null for a token that doesn't expire. */
  expiresTs: number | null;
};

/** Creates the device if it's new, and replaces its tokens. */
export async function replaceSession(tx: Tx, session: NewSession): Promise<void> {
  await upsertDevice(tx, session);
  await deleteSession(tx, session.userId, session.deviceId, { keepDevice: true });
  await insertAccessToken(tx, session);
}

/** Creates a device with a token. The device ID must be new. */
export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await insertDevice(tx, session);
  await insertAccessToken(tx, session);
}

const insertDevice = builtOnce((db, session: NewSession) =>
  db.insertInto('devices').values(deviceOf(session)),
);

const upsertDevice = builtOnce((db, session: NewSession) =>
  db
    .insertInto('devices')
    .values(deviceOf(session))
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'device_id']).doUpdateSet({ last_seen_ts: session.now }),
    ),
);

const deviceOf = ({ userId, deviceId, deviceDisplayName, now }: NewSession) => ({
  user_id: userId,
  device_id: deviceId,
  display_name: deviceDisplayName,
  last_seen_ts: now,
});

const insertAccessToken = builtOnce((db, session: NewSession) =>
  db.insertInto('access_tokens').values({
    token_hash: session.tokenHash,
    user_id: session.userId,
    device_id: session.deviceId,
    created_ts: session.now,
    expires_ts: session.expiresTs,
  }),
);

/** Adds a token to a device; the previous one stays valid until this one is used. */
export async function insertRefreshedToken(
  tx: Tx,
  { tokenHash, userId, deviceId, now, expiresTs }: Omit<NewSession, 'deviceDisplayName'>,
): Promise<void> {
  await tx
    .insertInto('access_tokens')
    .values({
      token_hash: tokenHash,
      user_id: userId,
      device_id: deviceId,
      created_ts: now,
      expires_ts: expiresTs,
      unused: 1,
    })
    .execute();
}

/** Marks a token as used: the refresh token that it came from then becomes invalid. */
export async function noteFirstUse(db: Database, tokenHash: string): Promise<void> {
  await db.updateTable('access_tokens').set({ unused: 0 }).where('token_hash', '=', tokenHash).execute();
}

/** Deletes the tokens of a device, and the device unless `keepDevice`. */
export async function deleteSession(
  tx: Tx,
  userId: string,
  deviceId: string,
  { keepDevice = false } = {},
): Promise<void> {
  await deleteTokens(tx, { userId, deviceId });
  await deleteRefreshTokens(tx, userId, { deviceId });
  if (keepDevice) return;
  await tx.deleteFrom('devices').where('user_id', '=', userId).where('device_id', '=', deviceId).execute();
}

const deleteTokens = builtOnce((db, { userId, deviceId }: { userId: string; deviceId: string }) =>
  db.deleteFrom('access_tokens').where('user_id', '=', userId).where('device_id', '=', deviceId),
);

/** Deletes a user's sessions and devices. Sessions in which an administrator acts as the user stay. */
export async function deleteSessions(
  tx: Tx,
  userId: string,
  { exceptDevice = null }: { exceptDevice?: string | null } = {},
): Promise<void> {
  let tokens = tx.deleteFrom('access_tokens').where('user_id', '=', userId).where('made_for', 'is', null);
  let devices = tx.deleteFrom('devices').where('user_id', '=', userId);
  if (exceptDevice !== null) {
    tokens = tokens.where(({ eb, or }) =>
      or([eb('device_id', 'is', null), eb('device_id', '!=', exceptDevice)]),
    );
    devices = devices.where('device_id', '!=', exceptDevice);
  }
  await tokens.execute();
  await deleteRefreshTokens(tx, userId, { exceptDevice });
  await devices.execute();
}

/** Deletes sessions in which an administrator acts as a user: those of the administrator, or those of the user. */
export async function deleteImpersonationTokens(
  tx: Tx,
  column: 'made_for' | 'user_id',
  userId: string,
): Promise<void> {
  await tx.deleteFrom('access_tokens').where('made_for', 'is not', null).where(column, '=', userId).execute();
}

export type NewToken = {
  tokenHash: string;
  userId: string;
  /** The administrator who uses it. */
  madeFor: string;
  expiresTs: number | null;
  now: number;
};

/** Adds a token without a device, with which an administrator acts as a user. */
export async function insertToken(tx: Tx, token: NewToken): Promise<void> {
  await tx
    .insertInto('access_tokens')
    .values({
      token_hash: token.tokenHash,
      user_id: token.userId,
      device_id: null,
      created_ts: token.now,
      expires_ts: token.expiresTs,
      made_for: token.madeFor,
    })
    .execute();
}

export async function deleteToken(tx: Tx, tokenHash: string): Promise<void> {
  await tx.deleteFrom('access_tokens').where('token_hash', '=', tokenHash).execute();
}
