/** Making users and opening sessions: what every way to log in or to register ends in. */
import type { LoginResponse } from '../../shared/api/login.ts';
import { forbidden, MatrixError } from '../http/matrix-error.ts';
import type { Services } from '../services.ts';
import { insertLoginToken, insertSession, takeLoginToken } from '../storage/sessions.ts';
import { findUser, insertUser } from '../storage/users.ts';
import { newUserId, randomDeviceId, randomSecret, tokenHash } from './identifiers.ts';
import { hashPassword } from './passwords.ts';

type AccountServices = Pick<Services, 'db' | 'config' | 'clock'>;

export type NewAccount = {
  localpart: string;
  /** Left out for a user whom only a token or another service lets in. */
  password?: string;
  displayName?: string;
  admin?: boolean;
};

/**
 * Makes a user unless there is one of that name, and gives the identifier either way.
 *
 * @throws MatrixError 400 `M_INVALID_USERNAME`
 */
export async function ensureUser(
  { db, config, clock }: AccountServices,
  account: NewAccount,
): Promise<{ userId: string; created: boolean }> {
  const userId = newUserId(account.localpart, config.serverName);
  if (await findUser(db, userId)) return { userId, created: false };
  const created = await insertUser(db, {
    userId,
    passwordHash: account.password === undefined ? null : await hashPassword(account.password),
    displayName: account.displayName ?? account.localpart,
    admin: account.admin ?? false,
    createdTs: clock.now(),
  });
  return { userId, created };
}

/**
 * Makes a user and gives its identifier.
 *
 * @throws MatrixError 400 `M_INVALID_USERNAME`, `M_USER_IN_USE`
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
