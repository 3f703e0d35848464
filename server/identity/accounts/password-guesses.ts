/** Password checks with a rate limit for wrong ones. */
import { networkOf } from '../../platform/core/network.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Limit, Limiters } from '../../platform/http/policy.ts';
import { listConnections } from '../sessions/connection-store.ts';
import type { LastSeen } from '../sessions/last-seen.ts';
import { verifyPassword } from './passwords.ts';
import { findUser, type User } from './user-store.ts';

type PasswordCheck = { db: Database; limiter: Limiters };

/** Limits of routes that call `checkPassword`. */
export const passwordLimits: readonly Limit[] = [
  { of: 'loginFailures', by: 'in the handler' },
  { of: 'loginFailuresAnywhere', by: 'in the handler' },
];

/** Limits of routes that call `checkOwnPassword`. */
export const ownPasswordLimits: readonly Limit[] = [{ of: 'loginFailures', by: 'in the handler' }];

/**
 * Checks the password of a login. Wrong ones count per account and network, so that guesses from elsewhere don't lock
 * the owner out, and with a higher limit per account, so that many networks don't get many more guesses. Networks from
 * which the account was recently used are exempt from the second limit, so the owner can always log in from there.
 *
 * @param network of the client
 * @returns the user; undefined for a wrong password, a user without one, or an unknown user
 * @throws MatrixError 429 after too many wrong passwords
 */
export async function checkPassword(
  { db, limiter, lastSeen }: PasswordCheck & { lastSeen: LastSeen },
  userId: string,
  password: string,
  network: string,
): Promise<User | undefined> {
  const here = { limiter: limiter('loginFailures'), name: JSON.stringify([userId, network]) };
  const anywhere = { limiter: limiter('loginFailuresAnywhere'), name: userId };
  await lastSeen.settle();
  const counts = (await isKnownNetwork(db, userId, network)) ? [here] : [here, anywhere];
  return countingGuess(db, counts, { userId, password, limiterKey: network });
}

/**
 * Checks the password of a signed-in user. Wrong ones count separately from logins, and across networks: a stolen token
 * has no more guesses from many networks.
 *
 * @throws MatrixError 429 after too many wrong passwords
 */
export async function checkOwnPassword(
  { db, limiter }: PasswordCheck,
  userId: string,
  password: string,
): Promise<boolean> {
  const signedIn = { limiter: limiter('loginFailures'), name: JSON.stringify([userId, 'signed in']) };
  return (await countingGuess(db, [signedIn], { userId, password, limiterKey: userId })) !== undefined;
}

type Count = { limiter: ReturnType<Limiters>; name: string };

async function countingGuess(
  db: Database,
  counts: Count[],
  { userId, password, limiterKey }: { userId: string; password: string; limiterKey: string },
): Promise<User | undefined> {
  const taken: Count[] = [];
  const giveBack = async () => {
    for (const { limiter, name } of taken) await limiter.giveBack(name);
  };
  // Counted before the check: otherwise concurrent guesses would all pass.
  for (const count of counts) {
    await count.limiter.take(count.name).catch(async (error: unknown) => {
      await giveBack();
      throw error;
    });
    taken.push(count);
  }
  const user = await findUser(db, userId);
  if (!(await verifyPassword(limiterKey, password, user?.passwordHash))) return undefined;
  await giveBack();
  return user;
}

async function isKnownNetwork(db: Database, userId: string, network: string): Promise<boolean> {
  const connections = await listConnections(db, userId);
  return connections.some(({ ip }) => networkOf(ip) === network);
}
