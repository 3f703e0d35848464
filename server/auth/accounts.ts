/** Making users and opening sessions: what every way to log in or to register ends in. */
import type { LoginResponse } from '../../shared/api/login.ts';
import { forbidden, MatrixError, userLocked } from '../http/matrix-error.ts';
import type { Services } from '../services.ts';
import { insertLoginToken, insertSession, takeLoginToken } from '../storage/sessions.ts';
import { findUser, insertUser } from '../storage/users.ts';
import type { AppService } from './app-services.ts';
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

/**
 * Makes a user unless there is one of that name, and gives the identifier either way.
 *
 * @throws MatrixError 400 `M_INVALID_USERNAME`; `M_EXCLUSIVE` for a name that is an application service's
 */
export async function ensureUser(
  { db, config, clock, appServices }: AccountServices,
  account: NewAccount,
): Promise<{ userId: string; created: boolean }> {
  const { appService } = account;
  const userId = newUserId(account.localpart, config.serverName, { reserved: appService !== undefined });
  appServices.refuseReserved(userId, appService);
  if (await findUser(db, userId)) return { userId, created: false };
  const passwordHash = account.password === undefined ? null : await hashPassword(account.password);
  const created = await db.transaction().execute((transaction) =>
    insertUser(transaction, {
      userId,
      passwordHash,
      displayName: account.displayName ?? account.localpart,
      admin: account.admin ?? false,
      createdTs: clock.now(),
      userType: account.userType ?? null,
      appServiceId: appService?.id ?? null,
    }),
  );
  return { userId, created };
}

/**
 * Makes a user and gives its identifier.
 *
 * @throws MatrixError 400 `M_INVALID_USERNAME`, `M_USER_IN_USE`, `M_EXCLUSIVE`
 */
export async function createUser(services: AccountServices, account: NewAccount): Promise<string> {
  const { userId, created } = await ensureUser(services, account);
  if (!created) throw new MatrixError(400, 'M_USER_IN_USE', 'User ID already taken.');
  return userId;
}

export type DeviceRequest = {
  device_id?: string | undefined;
  initial_device_display_name?: string | undefined;
};

/** Opens a session for a user who has proved to be that user. Interface: "Login response". */
export async function openSession(
  services: AccountServices,
  userId: string,
  device: DeviceRequest,
): Promise<LoginResponse> {
  const { db, config, clock } = services;
  const user = await findUser(db, userId);
  if (!user) throw forbidden('Invalid username or password');
  if (user.deactivated) {
    throw new MatrixError(403, 'M_USER_DEACTIVATED', 'This account has been deactivated');
  }
  if (user.locked) throw userLocked();
  const accessToken = randomSecret();
  const deviceId = device.device_id ?? randomDeviceId();
  await db.transaction().execute((transaction) =>
    insertSession(transaction, {
      userId,
      deviceId,
      deviceDisplayName: device.initial_device_display_name ?? null,
      tokenHash: tokenHash(accessToken),
      now: clock.now(),
    }),
  );
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
