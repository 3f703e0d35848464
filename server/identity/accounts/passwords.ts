import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { createLimiter, type Limiter, QueueFull } from '../../platform/concurrency/limiter.ts';
import { MatrixError, notFound } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction, type Tx } from '../../platform/database/transaction.ts';
import { deleteLoginTokens } from '../login/login-token-store.ts';
import { deleteImpersonationTokens } from '../sessions/session-store.ts';
import { type DeviceDeletionContext, deleteDevices } from '../sessions/sessions.ts';
import { updateUser } from './user-store.ts';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** 32 MiB and about a tenth of a second of one core per hash; tests of other things lower it. */
export const passwordCost = { N: 2 ** 15, r: 8, p: 3 };
const maximumMemory = 64 * 1024 * 1024;

const limits = {
  // At most half of Node's four threads, and all cores but one: the rest is for file access and other requests.
  total: Math.max(1, Math.min(2, availableParallelism() - 1)),
  // A hundred take about ten seconds.
  queuedPerKey: 100,
  queued: 1_000,
};
const limiter = createLimiter(limits);
/** Share a key of the limiter above, so that creating accounts from many networks doesn't slow down logins. */
const settersLimiter = createLimiter(limits);
const settersKey = 'set';

const deriveInTurn = (key: string, password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> =>
  runIn(limiter, key, () =>
    derive(password.normalize('NFKC'), salt, 32, { ...options, maxmem: maximumMemory }),
  );

/** @throws MatrixError 429 if too many are waiting */
async function runIn(chosen: Limiter, key: string, work: () => Promise<Buffer>): Promise<Buffer> {
  return chosen.run(key, work).catch((error: unknown) => {
    if (!(error instanceof QueueFull)) throw error;
    throw new MatrixError(429, 'M_LIMIT_EXCEEDED', 'Too many logins at the moment. Try again soon.', {
      retry_after_ms: 5_000,
    });
  });
}

/**
 * Returns a salted scrypt hash with its parameters.
 *
 * @param key of the limiter: the signed-in user, or the network of a registration
 * @throws MatrixError 429 if too many passwords are being hashed
 */
export async function hashPassword(key: string, password: string): Promise<string> {
  const salt = randomBytes(16);
  const derived = await runIn(settersLimiter, key, () =>
    deriveInTurn(settersKey, password, salt, passwordCost),
  );
  return serialize(salt, derived);
}

/**
 * Checks a password. Takes as long if there is no hash (an unknown user, or one without a password), so that the
 * time doesn't reveal which accounts exist.
 *
 * @param key of the limiter: a network, or the signed-in user
 * @throws MatrixError 429 if too many passwords are being hashed
 */
export async function verifyPassword(
  key: string,
  password: string,
  stored: string | null | undefined,
): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = (stored ?? decoy()).split('$');
  const options = { N: Number(N), r: Number(r), p: Number(p) };
  const derived = await deriveInTurn(key, password, Buffer.from(salt, 'base64'), options);
  return timingSafeEqual(derived, Buffer.from(hash, 'base64')) && stored != null;
}

function serialize(salt: Buffer, hash: Buffer): string {
  const { N, r, p } = passwordCost;
  return ['scrypt', N, r, p, salt.toString('base64'), hash.toString('base64')].join('$');
}

const decoy = () => serialize(randomBytes(16), randomBytes(32));

type Reset = {
  /** The user who resets it: key of the limiter for password hashing. */
  limiterKey: string;
  logoutDevices: boolean;
  exceptDevice?: string | null;
};

/** Sets a user's password. @throws MatrixError 404 */
export async function resetPassword(
  context: DeviceDeletionContext & { db: Database },
  userId: string,
  password: string,
  { limiterKey, logoutDevices, exceptDevice = null }: Reset,
): Promise<void> {
  const passwordHash = await hashPassword(limiterKey, password);
  await inTransaction(context.db, async (tx) => {
    const known = await updateUser(tx, userId, { passwordHash }, async () => {
      if (logoutDevices) await revokeAccess(tx, context, userId, exceptDevice);
    });
    if (!known) throw notFound('User not found');
  });
}

/** Ends all access that someone who knows the old password may have obtained. */
export async function revokeAccess(
  tx: Tx,
  context: DeviceDeletionContext,
  userId: string,
  exceptDevice: string | null = null,
): Promise<void> {
  await deleteDevices(tx, context, userId, { except: exceptDevice });
  await deleteImpersonationTokens(tx, 'made_for', userId);
  await deleteLoginTokens(tx, userId);
}
