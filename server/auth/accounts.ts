/** Making users and opening sessions: what every way to log in or to register ends in. */
import type { Transaction } from 'kysely';
import type { LoginResponse } from '../../shared/api/login.ts';
import { forbidden, MatrixError, userLocked } from '../http/matrix-error.ts';
import { maximumDisplayName } from '../rooms/profile.ts';
import type { Services } from '../services.ts';
import type { Schema } from '../storage/schema.ts';
import { insertLoginToken, insertSession, takeLoginToken } from '../storage/sessions.ts';
import { findUser, insertUser, lockUser } from '../storage/users.ts';
import type { AppService } from './app-services.ts';
import type { DeviceRequest } from './device-request.ts';
import { newUserId, randomDeviceId, randomSecret, tokenHash } from './identifiers.ts';
import { hashPassword } from './passwords.ts';

type AccountServices = Pick<Services, 'db' | 'config' | 'clock' | 'appServices'>;

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
type WithUser = (transaction: Transaction<Schema>) => Promise<void>;

/**
 * Makes a user unless there is one of that name, and gives the identifier either way.
 *
 * @throws MatrixError 400 `M_INVALID_USERNAME`; `M_EXCLUSIVE` for a name that is an application service's
 */
export async function ensureUser(
  { db, config, clock, appServices }: AccountServices,
  account: NewAccount,
  withUser?: WithUser,
): Promise<{ userId: string; created: boolean }> {
  const { appService } = account;
  const userId = newUserId(account.localpart, config.serverName, { reserved: appService !== undefined });
  appServices.refuseReserved(userId, appService);
  if (await findUser(db, userId)) return { userId, created: false };
  const passwordHash = account.password === undefined ? null : await hashPassword(account.password);
  const created = await db.transaction().execute(async (transaction) => {
    const isNew = await insertUser(transaction, {
      userId,
      passwordHash,
      // What a token or another service calls someone may be of any length.
      displayName: (account.displayName ?? account.localpart).slice(0, maximumDisplayName).toWellFormed(),
      admin: account.admin ?? false,
      createdTs: clock.now(),
      userType: account.userType ?? null,
      appServiceId: appService?.id ?? null,
    });
    if (isNew) await withUser?.(transaction);
    return isNew;
  });
  return { userId, created };
}

/**
 * Makes a user and gives its identifier.
 *
 * @throws MatrixError 400 `M_INVALID_USERNAME`, `M_USER_IN_USE`, `M_EXCLUSIVE`
 */
export async function createUser(
  services: AccountServices,
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
  services: AccountServices,
  userId: string,
  device: DeviceRequest,
): Promise<LoginResponse> {
  const { db, config, clock } = services;
  const accessToken = randomSecret();
  const deviceId = device.device_id ?? randomDeviceId();
  await db.transaction().execute(async (transaction) => {
    // Whoever ends the account at this moment ends this session with it, or comes first.
    const user = await lockUser(transaction, userId);
    if (!user) throw forbidden('Invalid username or password');
    if (user.deactivated) {
      throw new MatrixError(403, 'M_USER_DEACTIVATED', 'This account has been deactivated');
    }
    if (user.locked) throw userLocked();
    await insertSession(transaction, {
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
  { db, clock }: AccountServices,
  userId: string,
  lifetimeMs = 120_000,
): Promise<string> {
  const token = randomSecret();
  await insertLoginToken(db, { tokenHash: tokenHash(token), userId, expiresTs: clock.now() + lifetimeMs });
  return token;
}

/**
 * Uses a login token up and gives its user.
 *
 * @throws MatrixError 403 `M_FORBIDDEN`
 */
export async function redeemLoginToken({ db, clock }: AccountServices, token: string): Promise<string> {
  const userId = await takeLoginToken(db, tokenHash(token), clock.now());
  if (!userId) throw forbidden('This login token is not valid: it was used before, or it is too old');
  return userId;
}
