/** Making users and opening sessions: what every way to log in or to register ends in. */

import type { LoginResponse } from '../../shared/api/login.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { newUserId } from '../core/identifiers.ts';
import { forbidden, MatrixError, userLocked } from '../core/matrix-error.ts';
import { randomDeviceId, randomSecret, tokenHash } from '../core/secrets.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction, type Tx } from '../database/transaction.ts';
import type { AppService, AppServices } from './app-services.ts';
import type { DeviceRequest } from './device-request.ts';
import { hashPassword } from './passwords.ts';
import { maximumDisplayName } from './profile.ts';
import { deleteOldLoginTokens, insertLoginToken, insertSession, takeLoginToken } from './session-store.ts';
import { findUser, insertUser, lockUser } from './user-store.ts';

/** What it takes to make users and their sessions. */
export type AccountContext = { db: Database; config: Config; clock: Clock; appServices: AppServices };

export type NewAccount = {
  localpart: string;
  /** Left out for a user whom only a token or another service lets in. */
  password?: string;
  displayName?: string;
  admin?: boolean;
  userType?: string;
  /** The application service that makes the user: it may take names that others can't have. */
  appService?: AppService;
};

/** Done together with making the user, or neither is. */
type WithUser = (tx: Tx) => Promise<void>;

/**
 * Makes a user unless there is one of that name, and gives the identifier either way.
 *
 * @throws MatrixError 400 `M_INVALID_USERNAME`; `M_EXCLUSIVE` for a name that is an application service's
 */
export async function ensureUser(
  { db, config, clock, appServices }: AccountContext,
  account: NewAccount,
  withUser?: WithUser,
): Promise<{ userId: string; created: boolean }> {
  const { appService } = account;
  const userId = newUserId(account.localpart, config.serverName, { reserved: appService !== undefined });
  appServices.refuseReserved(userId, appService);
  if (await findUser(db, userId)) return { userId, created: false };
  const passwordHash = account.password === undefined ? null : await hashPassword(account.password);
  const user = {
    userId,
    passwordHash,
    // What a token or another service calls someone may be of any length.
    displayName: (account.displayName ?? account.localpart).slice(0, maximumDisplayName).toWellFormed(),
    admin: account.admin ?? false,
    createdTs: clock.now(),
    userType: account.userType ?? null,
    appServiceId: appService?.id ?? null,
  };
  const created = await inTransaction(db, (tx) => insertUser(tx, user, async () => withUser?.(tx)));
  return { userId, created };
}

/**
 * Makes a user and gives its identifier.
 *
 * @throws MatrixError 400 `M_INVALID_USERNAME`, `M_USER_IN_USE`, `M_EXCLUSIVE`
 */
export async function createUser(
  services: AccountContext,
  account: NewAccount,
  withUser?: WithUser,
): Promise<string> {
  const { userId, created } = await ensureUser(services, account, withUser);
  if (!created) throw new MatrixError(400, 'M_USER_IN_USE', 'User ID already taken.');
  return userId;
}

/**
 * Opens a session for a user who has proved to be that user. Interface: "Login response".
 *
 * @throws MatrixError 403 for a deactivated user, 401 for a locked one
 */
export async function openSession(
  services: AccountContext,
  userId: string,
  device: DeviceRequest,
): Promise<LoginResponse> {
  const { db, config, clock } = services;
  const accessToken = randomSecret();
  const deviceId = device.device_id ?? randomDeviceId();
  await inTransaction(db, async (tx) => {
    // Whoever ends the account at this moment ends this session with it, or comes first.
    const user = await lockUser(tx, userId);
    if (!user) throw forbidden('Invalid username or password');
    if (user.deactivated) {
      throw new MatrixError(403, 'M_USER_DEACTIVATED', 'This account has been deactivated');
    }
    if (user.locked) throw userLocked();
    await insertSession(tx, {
      userId,
      deviceId,
      deviceDisplayName: device.initial_device_display_name ?? null,
      tokenHash: tokenHash(accessToken),
      now: clock.now(),
    });
  });
  return {
    user_id: userId,
    access_token: accessToken,
    home_server: config.serverName,
    device_id: deviceId,
  };
}

/** A token for one `m.login.token` login, good for two minutes unless said otherwise. Interface: "Limits". */
export async function createLoginToken(
  { db, clock }: AccountContext,
  userId: string,
  lifetimeMs = 120_000,
): Promise<string> {
  const token = randomSecret();
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
export async function redeemLoginToken({ db, clock }: AccountContext, token: string): Promise<string> {
  const userId = await takeLoginToken(db, tokenHash(token), clock.now());
  if (!userId) throw forbidden('This login token is not valid: it was used before, or it is too old');
  return userId;
}
