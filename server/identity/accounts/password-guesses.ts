/** Checking passwords, with wrong ones counted. */
import { networkOf } from '../../platform/core/network.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Limit, Limiters } from '../../platform/http/policy.ts';
import { listConnections } from '../sessions/connection-store.ts';
import type { LastSeen } from '../sessions/last-seen.ts';
import { verifyPassword } from './passwords.ts';
import { findUser, type User } from './user-store.ts';

export type PasswordCheck = { db: Database; limiter: Limiters };

/** What a route declares in which `checkPassword` is asked. */
export const passwordLimits: readonly Limit[] = [
  { of: 'loginFailures', by: 'in the handler' },
  { of: 'loginFailuresAnywhere', by: 'in the handler' },
];

/** What a route declares in which `checkOwnPassword` is asked. */
export const ownPasswordLimits: readonly Limit[] = [{ of: 'loginFailures', by: 'in the handler' }];

/**
 * Checks a password of someone who has nothing else to show. Wrong ones count for the account and the network
 * together, so that who guesses elsewhere doesn't keep the owner out; and with a looser bound for the account
 * alone, so that many networks don't have many more guesses. Networks from which the account has been used
 * lately are not held to that bound: the owner gets in from there whatever happens elsewhere.
 *
 * @param network what the address counts as
 * @returns the user; undefined for a wrong password, a user without one, or nobody
 * @throws MatrixError 429 where too many were wrong
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
  return countingGuess(db, counts, { userId, password, asker: network });
}

/**
 * Checks the password of someone who is signed in. Wrong ones count apart from those of people who aren't, and
 * from wherever they come: a stolen token has no more guesses from many networks.
 *
 * @returns whether it is right
 * @throws MatrixError 429 where too many were wrong
 */
export async function checkOwnPassword(
  { db, limiter }: PasswordCheck,
  userId: string,
  password: string,
): Promise<boolean> {
  const signedIn = { limiter: limiter('loginFailures'), name: JSON.stringify([userId, 'signed in']) };
  return (await countingGuess(db, [signedIn], { userId, password, asker: userId })) !== undefined;
}

type Count = { limiter: ReturnType<Limiters>; name: string };

async function countingGuess(
  db: Database,
  counts: Count[],
  { userId, password, asker }: { userId: string; password: string; asker: string },
): Promise<User | undefined> {
  const taken: Count[] = [];
  const giveBack = async () => {
    for (const { limiter, name } of taken) await limiter.giveBack(name);
  };
  // Counted before the password is checked, or many tries at once would all pass.
  for (const count of counts) {
    await count.limiter.take(count.name).catch(async (error: unknown) => {
      await giveBack();
      throw error;
    });
    taken.push(count);
  }
  const user = await findUser(db, userId);
  if (!(await verifyPassword(asker, password, user?.passwordHash))) return undefined;
  await giveBack();
  return user;
}

async function isKnownNetwork(db: Database, userId: string, network: string): Promise<boolean> {
  const connections = await listConnections(db, userId);
  return connections.some(({ ip }) => networkOf(ip) === network);
}
