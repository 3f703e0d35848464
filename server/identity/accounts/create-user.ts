/** Creates users, for every way to register and for the first login with a token. */
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

export type AccountContext = { db: Database; config: Config; clock: Clock; appServices: AppServices };

export type NewAccount = {
  localpart: string;
  /** Missing for users without a password. */
  password?: string;
  /** Key of the limiter for password hashing; by default the server's. */
  limiterKey?: string;
  /** Instead of the password. */
  passwordHash?: string;
  displayName?: string;
  admin?: boolean;
  userType?: string;
  /** Guests have numeric localparts. */
  guest?: boolean;
  /** The application service that creates the user, which may use reserved names. */
  appService?: AppService;
};

/** Runs in the transaction that creates the user. */
type WithUser = (tx: Tx) => Promise<void>;

/**
 * Creates a user if it doesn't exist.
 *
 * @throws MatrixError 400 `M_INVALID_USERNAME`; `M_EXCLUSIVE` for a reserved name
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
  const { password, limiterKey = 'the server' } = account;
  const passwordHash =
    password === undefined ? (account.passwordHash ?? null) : await hashPassword(limiterKey, password);
  const user = {
    userId,
    passwordHash,
    // A name from a token or an external service can have any length.
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
 * Creates a user and returns the user ID.
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
