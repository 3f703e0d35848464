/** Opening and ending sessions. Each locks the user first, so that none outlives the account. */
import type { Config } from '../../platform/config/config.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { accountDeactivated, forbidden, unknownToken, userLocked } from '../../platform/core/matrix-error.ts';
import type { Requester } from '../../platform/core/requester.ts';
import { randomDeviceId, randomSecret, tokenHash } from '../../platform/core/secrets.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction, type Tx } from '../../platform/database/transaction.ts';
import type { HookContext } from '../accounts/identity-hooks.ts';
import { findUser, lockUser, type User } from '../accounts/user-store.ts';
import { type DeviceOptions, requireDevice } from '../login/device-request.ts';
import { type DeviceListContext, noteDeviceListChange } from './device-list-store.ts';
import { ensureDevice } from './device-store.ts';
import { refreshableTokens } from './refresh.ts';
import { insertRefreshToken } from './refresh-token-store.ts';
import {
  deleteImpersonationTokens,
  deleteSession,
  deleteSessions,
  deleteToken,
  findSession,
  insertSession,
  replaceSession,
} from './session-store.ts';

type Context = { db: Database };
type EndingContext = Context & DeviceDeletionContext;

/** A new session with its tokens, of which only hashes are stored. */
export type NewSession = {
  userId: string;
  deviceId: string;
  accessToken: string;
  /** Missing if the token doesn't expire. */
  expiresInMs?: number;
  /** Present if requested. */
  refreshToken?: string;
};

/**
 * Checks again, with the user locked, that the credentials are still valid, and redeems those that are single-use.
 *
 * @throws MatrixError if they aren't
 */
export type Proof = (tx: Tx, user: User) => void | Promise<void>;

/**
 * Opens a session for an authenticated user, on a new device if none is given.
 *
 * @throws MatrixError 403 for a deactivated user, 401 for a locked one; errors of `requireProof`
 */
export async function openSession(
  { db, clock, config }: Context & { clock: Clock; config: Pick<Config, 'sessions'> },
  userId: string,
  device: DeviceOptions = {},
  requireProof: Proof = () => {},
): Promise<NewSession> {
  const now = clock.now();
  const { lifetimeMs, plainTokenMs = lifetimeMs } = config.sessions;
  const sessionEndsTs = lifetimeMs === undefined ? null : now + lifetimeMs;
  const refreshable = device.refreshable ? refreshableTokens(config, now, sessionEndsTs) : undefined;
  const accessToken = refreshable?.session.accessToken ?? randomSecret();
  const expiresInMs = refreshable?.session.expiresInMs ?? plainTokenMs;
  const deviceId = device.deviceId ?? randomDeviceId();
  await inTransaction(db, async (tx) => {
    // A concurrent deactivation either comes first or ends this session as well.
    const user = await lockUser(tx, userId);
    if (!user) throw wrongPassword();
    if (user.deactivated) throw accountDeactivated();
    if (user.locked) throw userLocked();
    await requireProof(tx, user);
    const storeSession = device.deviceId === undefined ? insertSession : replaceSession;
    await storeSession(tx, {
      userId,
      deviceId,
      deviceDisplayName: device.displayName ?? null,
      tokenHash: tokenHash(accessToken),
      now,
      expiresTs: expiresInMs === undefined ? null : now + expiresInMs,
    });
    if (!refreshable) return;
    const { accessHash, refreshHash, refreshEndsTs: expiresTs } = refreshable;
    await insertRefreshToken(tx, {
      userId,
      deviceId,
      accessHash,
      sessionEndsTs,
      tokenHash: refreshHash,
      expiresTs,
    });
  });
  return {
    ...{ userId, deviceId, accessToken },
    ...(expiresInMs !== undefined && { expiresInMs }),
    ...(refreshable && { refreshToken: refreshable.session.refreshToken }),
  };
}

export const wrongPassword = () => forbidden('Invalid username or password');

/** Its requester, and the hash of its access token. */
export type AuthenticatedRequest = {
  requester: Pick<Requester, 'userId' | 'actsFor' | 'appServiceId'>;
  hash: string;
};

/**
 * Locks a request's session, and other users, until the transaction ends: new tokens and the like must not outlive the
 * session.
 *
 * @throws MatrixError 401 if the session has ended since the request was authenticated
 */
export async function lockSession(
  tx: Tx,
  { requester: { userId, actsFor = userId, appServiceId }, hash }: AuthenticatedRequest,
  others: readonly string[] = [],
): Promise<{ admin: boolean }> {
  for (const each of [...new Set([userId, actsFor, ...others])].sort()) await lockUser(tx, each);
  const session = await (appServiceId === undefined ? findSession(tx, hash) : findUser(tx, userId));
  if (!session) throw unknownToken('Invalid access token passed.');
  if (session.locked) throw userLocked();
  return session;
}

/** Signs out the session of a request and deletes its device. */
export async function endSession(
  context: EndingContext,
  { userId, deviceId }: Requester,
  hash: string,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await lockUser(tx, userId);
    if (deviceId === null) return deleteToken(tx, hash);
    await deleteDevices(tx, context, userId, { only: [deviceId] });
  });
}

/** Signs out all sessions that a user opened, including "log in as user"; not those in which an admin acts as the user. */
export async function endAllSessions(context: EndingContext, { userId, actsFor }: Requester): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await lockUser(tx, userId);
    await deleteDevices(tx, context, userId, { except: null });
    if (actsFor === undefined) await deleteImpersonationTokens(tx, 'made_for', userId);
  });
}

/**
 * Creates a device without a session, for an application service. Matrix specification, `PUT …/devices/{deviceId}`.
 *
 * @returns false if the device exists
 * @throws MatrixError 400 for an invalid ID or name; 403 for a deactivated user
 */
export async function createDevice(
  { db }: Context,
  userId: string,
  deviceId: string,
  { display_name: name }: { display_name?: string | null | undefined },
): Promise<boolean> {
  const { displayName } = requireDevice({
    device_id: deviceId,
    initial_device_display_name: name ?? undefined,
  });
  return inTransaction(db, async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user || user.deactivated) throw forbidden('This account has been deactivated');
    return ensureDevice(tx, userId, deviceId, displayName);
  });
}

export async function removeDevices(
  context: EndingContext,
  userId: string,
  deviceIds: string[],
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await lockUser(tx, userId);
    await deleteDevices(tx, context, userId, { only: deviceIds });
  });
}

export type DeviceDeletionContext = DeviceListContext & HookContext;

/** Deletes devices with their sessions. Lock the user first. */
export async function deleteDevices(
  tx: Tx,
  context: DeviceDeletionContext,
  userId: string,
  devices: { only: readonly string[] } | { except: string | null },
): Promise<void> {
  if ('only' in devices) {
    for (const deviceId of devices.only) await deleteSession(tx, userId, deviceId);
  } else {
    await deleteSessions(tx, userId, { exceptDevice: devices.except });
  }
  await context.hooks.devicesDeleted(tx, userId);
  await noteDeviceListChange(tx, context, userId);
}
