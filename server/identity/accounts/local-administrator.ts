import { readFact, writeFact } from '../../platform/database/server-facts.ts';
import { createLoginToken } from '../login/login-tokens.ts';
import { type AccountContext, ensureUser } from './create-user.ts';
import { findUser } from './user-store.ts';

/**
 * A token that signs the person at this machine in, once, as an administrator. Whoever can ask for it
 * already holds the data.
 *
 * @param lifetimeMs how long the token is good, in milliseconds
 * @param token the one that it is, where somebody has been told already
 */
export async function issueSignInToken(
  context: AccountContext,
  lifetimeMs: number,
  token?: string,
): Promise<string> {
  return createLoginToken(context, await localAdministrator(context), {
    lifetimeMs,
    ...(token !== undefined && { token }),
  });
}

/**
 * The account of the person at this machine, made when it is first needed. A user who happens to be
 * called `admin` without being an administrator is never made one.
 */
async function localAdministrator(context: AccountContext): Promise<string> {
  const known = await readFact(context.db, 'local_administrator');
  if (known && (await isAdministrator(context, known))) return known;

  for (let attempt = 1; ; attempt++) {
    const localpart = attempt === 1 ? 'admin' : `admin-${attempt}`;
    const { userId, created } = await ensureUser(context, {
      localpart,
      displayName: 'Administrator',
      admin: true,
    });
    if (created || (await isAdministrator(context, userId))) {
      await writeFact(context.db, 'local_administrator', userId);
      return userId;
    }
  }
}

async function isAdministrator({ db }: AccountContext, userId: string): Promise<boolean> {
  const user = await findUser(db, userId);
  return user?.admin === true && !user.deactivated;
}
