/** Making users: what every way to register ends in, and a first login by a token. */
import type { Config } from '../../platform/config/config.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { newUserId } from '../../platform/core/identifiers.ts';
import { MatrixError } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction, type Tx } from '../../platform/database/transaction.ts';
import { maximumDisplayName } from '../profiles/profile.ts';
import type { AppService, AppServices } from './app-services.ts';
import { hashPassword } from './passwords.ts';
import { findUser, insertUser } from './user-store.ts';

/** What it takes to make users. */
export type AccountContext = { db: Database; config: Config; clock: Clock; appServices: AppServices };

export type NewAccount = {
  localpart: string;
  /** Left out for a user whom only a token or another service lets in. */
  password?: string;
  /** Whose turn it takes to hash that; left out where nobody else waits. */
  asker?: string;
  /** In place of the password, where it is not known any more, or is the same for many. */
  passwordHash?: string;
  displayName?: string;
  admin?: boolean;
  userType?: string;
  /** Guests have names of digits alone. */
  guest?: boolean;
  /** The application service that makes the user: it may take names that others can't have. */
  appService?: AppService;
};

/** Done together with making the user, or neither is. */
type WithUser = (tx: Tx) => Promise<void>;

/**
 * Makes a user unless there is one of that name, and gives the identifier either way.
 *
 * @throws MatrixError 400 `M_INVALID_USERNAME`; `M_EXCLUSIVE` for a name that is an application service's
 */
export async function ensureUser(
  { db, config, clock, appServices }: AccountContext,
  account: NewAccount,
  withUser?: WithUser,
): Promise<{ userId: string; created: boolean }> {
  const { appService, guest = false } = account;
  const reserved = appService !== undefined || guest;
  const userId = newUserId(account.localpart, config.serverName, { reserved });
  appServices.refuseReserved(userId, appService);
  if (await findUser(db, userId)) return { userId, created: false };
  const { password, asker = 'the server' } = account;
  const passwordHash =
    password === undefined ? (account.passwordHash ?? null) : await hashPassword(asker, password);
  const user = {
    userId,
    passwordHash,
    // What a token or another service calls someone may be of any length.
    displayName: (account.displayName ?? account.localpart).slice(0, maximumDisplayName).toWellFormed(),
    admin: account.admin ?? false,
    createdTs: clock.now(),
    userType: account.userType ?? null,
    guest,
    appServiceId: appService?.id ?? null,
  };
  const created = await inTransaction(db, (tx) => insertUser(tx, user, async () => withUser?.(tx)));
  return { userId, created };
}

/**
 * Makes a user and gives its identifier.
 *
 * @throws MatrixError 400 `M_INVALID_USERNAME`, `M_USER_IN_USE`, `M_EXCLUSIVE`
 */
export async function createUser(
  context: AccountContext,
  account: NewAccount,
  withUser?: WithUser,
): Promise<string> {
  const { userId, created } = await ensureUser(context, account, withUser);
  if (!created) throw new MatrixError(400, 'M_USER_IN_USE', 'User ID already taken.');
  return userId;
}
