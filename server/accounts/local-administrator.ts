import { readFact, writeFact } from '../database/server-facts.ts';
import { type AccountContext, ensureUser } from './create-user.ts';
import { createLoginToken } from './login-tokens.ts';
import { findUser } from './user-store.ts';

/**
 * A token that signs the person at this machine in, once, as an administrator. Whoever can ask for it
 * already holds the data.
 *
 * @param lifetimeMs how long the token is good, in milliseconds
 */
export async function issueSignInToken(services: AccountContext, lifetimeMs: number): Promise<string> {
  return createLoginToken(services, await localAdministrator(services), lifetimeMs);
}

/**
 * The account of the person at this machine, made when it is first needed. A user who happens to be
 * called `admin` without being an administrator is never made one.
 */
async function localAdministrator(services: AccountContext): Promise<string> {
  const known = await readFact(services.db, 'local_administrator');
  if (known && (await isAdministrator(services, known))) return known;

  for (let attempt = 1; ; attempt++) {
    const localpart = attempt === 1 ? 'admin' : `admin-${attempt}`;
    const { userId, created } = await ensureUser(services, {
      localpart,
      displayName: 'Administrator',
      admin: true,
    });
    if (created || (await isAdministrator(services, userId))) {
      await writeFact(services.db, 'local_administrator', userId);
      return userId;
    }
  }
}

async function isAdministrator({ db }: AccountContext, userId: string): Promise<boolean> {
  const user = await findUser(db, userId);
  return user?.admin === true && !user.deactivated;
}
