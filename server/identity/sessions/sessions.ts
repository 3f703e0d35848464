/** Opening and ending sessions. Whoever does locks the user first: what ends an account ends them all. */
import type { Config } from '../../platform/config/config.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { accountDeactivated, forbidden, unknownToken, userLocked } from '../../platform/core/matrix-error.ts';
import type { Requester } from '../../platform/core/requester.ts';
import { randomDeviceId, randomSecret, tokenHash } from '../../platform/core/secrets.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction, type Tx } from '../../platform/database/transaction.ts';
import { type EndingContext as DeviceEndingContext, endDevices } from '../accounts/endings.ts';
import { findUser, lockUser, type User } from '../accounts/user-store.ts';
import { requireDevice, type WantedDevice } from '../login/device-request.ts';
import { ensureDevice } from './device-store.ts';
import { refreshableTokens } from './refresh.ts';
import { insertRefreshToken } from './refresh-token-store.ts';
import {
  deleteBorrowedSessions,
  deleteToken,
  findSession,
  insertSession,
  replaceSession,
} from './session-store.ts';

type Context = { db: Database };
type EndingContext = Context & DeviceEndingContext;

/** A session as whoever opened it gets to know it: this is the only time that its token is seen. */
export type NewSession = {
  userId: string;
  deviceId: string;
  accessToken: string;
  /** Left out where the token doesn't expire. */
  expiresInMs?: number;
  /** What gets another token when this one expires, where that was asked for. */
  refreshToken?: string;
};

/**
 * Looks once more, with the user locked, whether what somebody proved to be the user by still does, and uses it up where
 * it is good once.
 *
 * @throws MatrixError where it doesn't
 */
export type Proof = (tx: Tx, user: User) => void | Promise<void>;

/**
 * Opens a session for a user who has proved to be that user, on a new device where none is named.
 *
 * @param requireProof of what may have ended meanwhile
 * @throws MatrixError 403 for a deactivated user, 401 for a locked one, and what the proof throws
 */
export async function openSession(
  { db, clock, config }: Context & { clock: Clock; config: Pick<Config, 'sessions'> },
  userId: string,
  device: WantedDevice = {},
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
    // Whoever ends the account at this moment ends this session with it, or comes first.
    const user = await lockUser(tx, userId);
    if (!user) throw wrongPassword();
    if (user.deactivated) throw accountDeactivated();
    if (user.locked) throw userLocked();
    await requireProof(tx, user);
    const keepSession = device.deviceId === undefined ? insertSession : replaceSession;
    await keepSession(tx, {
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

/** A request by whom it is, and the hash of the token that it came with. */
export type Signed = { requester: Pick<Requester, 'userId' | 'actsFor' | 'appServiceId'>; hash: string };

/**
 * Keeps a request's session, and some other users, as they are until the transaction ends, so that what is handed out
 * by it ends with it: whoever ends it at this moment comes first, or ends that, too.
 *
 * @throws MatrixError 401 where it has ended since the request was let in
 */
export async function holdSession(
  tx: Tx,
  { requester: { userId, actsFor = userId, appServiceId }, hash }: Signed,
  others: readonly string[] = [],
): Promise<{ admin: boolean }> {
  for (const each of [...new Set([userId, actsFor, ...others])].sort()) await lockUser(tx, each);
  const session = await (appServiceId === undefined ? findSession(tx, hash) : findUser(tx, userId));
  if (!session) throw unknownToken('Invalid access token passed.');
  if (session.locked) throw userLocked();
  return session;
}

/** Ends the session that a request came with, and its device with it. */
export async function endSession(
  context: EndingContext,
  { userId, deviceId }: Requester,
  hash: string,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await lockUser(tx, userId);
    if (deviceId === null) return deleteToken(tx, hash);
    await endDevices(tx, context, userId, { only: [deviceId] });
  });
}

/**
 * Ends every session that a user opened. An administrator stops acting as others, too; whoever acts as this
 * user goes on.
 */
export async function endAllSessions(context: EndingContext, { userId, actsFor }: Requester): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await lockUser(tx, userId);
    await endDevices(tx, context, userId, { except: null });
    if (actsFor === undefined) await deleteBorrowedSessions(tx, 'made_for', userId);
  });
}

/**
 * Makes a device without a session, for an application service that acts as its user. Matrix specification, `PUT
 * …/devices/{deviceId}`.
 *
 * @returns false where there is one of that name already
 * @throws MatrixError 400 for one that nobody can have; 403 for a user who is gone
 */
export async function makeDevice(
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

/** Removes devices of a user, with their sessions. */
export async function removeDevices(
  context: EndingContext,
  userId: string,
  deviceIds: string[],
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await lockUser(tx, userId);
    await endDevices(tx, context, userId, { only: deviceIds });
  });
}
