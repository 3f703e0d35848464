/** Synapse's "User Admin API", and locking and suspending as in the Matrix specification. */
import type { UserPut } from '../../../shared/api/users.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { localpartOf, newUserId, requireUserId, serverOf } from '../../platform/core/identifiers.ts';
import {
  forbidden,
  invalidParameter,
  MatrixError,
  notFound,
  unknownError,
} from '../../platform/core/matrix-error.ts';
import { randomSecret, tokenHash } from '../../platform/core/secrets.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction, type Tx } from '../../platform/database/transaction.ts';
import { maximumAvatarUrl, type ProfileChange, type ProfileContext } from '../profiles/profile.ts';
import { deleteImpersonationTokens, insertToken } from '../sessions/session-store.ts';
import { type AuthenticatedRequest, lockSession } from '../sessions/sessions.ts';
import type { AccountContext } from './create-user.ts';
import { type DeactivationContext, deactivated, deleteRelatedData } from './deactivation.ts';
import {
  type ExternalId,
  listExternalIds,
  listThreepids,
  replaceExternalIds,
  replaceThreepids,
  type Threepid,
} from './identity-store.ts';
import { hashPassword, revokeAccess } from './passwords.ts';
import {
  findUser,
  insertUser,
  lockUser,
  type NewUser,
  type User,
  type UserChange,
  updateUser,
} from './user-store.ts';

export type UserChangeContext = AccountContext & DeactivationContext & ProfileContext;

const unknownUser = () => notFound('User not found');

/** Returns the ID of a local user, who may not exist. @throws MatrixError 400, with the sentence for a remote user */
export function requireOwnUserId(text: string, serverName: string, sentence: string): string {
  if (serverOf(requireUserId(text)) !== serverName) throw unknownError(sentence);
  return text;
}

/** Returns the ID of a local user. @throws MatrixError 400 for a remote user, 404 for an unknown one */
export async function requireLocalUser(
  { db, config }: { db: Database; config: Pick<Config, 'serverName'> },
  text: string,
): Promise<string> {
  const userId = requireOwnUserId(text, config.serverName, 'Can only look up local users');
  if (!(await findUser(db, userId))) throw notFound('Unknown user');
  return userId;
}

export type UserAccount = { user: User; threepids: Threepid[]; externalIds: ExternalId[] };

/** @throws MatrixError 404 */
export async function readUser(db: Database, userId: string): Promise<UserAccount> {
  const user = await findUser(db, userId);
  if (!user) throw unknownUser();
  return {
    user,
    threepids: await listThreepids(db, userId),
    externalIds: await listExternalIds(db, userId),
  };
}

/**
 * Creates or updates a user in one transaction.
 *
 * @returns whether the user was created
 * @throws MatrixError 400 for an invalid or reserved user ID and for conflicting changes; 409 for another user's external ID
 */
export async function putUser(
  context: UserChangeContext,
  userId: string,
  put: UserPut,
  administrator: string,
): Promise<boolean> {
  if (put.locked && put.deactivated) throw unknownError("A user can't be deactivated and locked");
  if (userId === administrator && put.admin === false) throw unknownError('You may not demote yourself.');
  if (Buffer.byteLength(put.avatar_url ?? '') > maximumAvatarUrl) {
    throw unknownError(`Avatar URL is too long (max ${maximumAvatarUrl})`);
  }
  // Outside of the transaction: hashing is slow.
  const passwordHash =
    put.password === undefined ? undefined : await hashPassword(administrator, put.password);
  const change = changeIn(put, passwordHash);
  const created = await inTransaction(context.db, async (tx) => {
    const changeRelatedData = () => updateRelatedData(tx, context, userId, put);
    if (!(await findUser(tx, userId))) {
      const user = { ...newUser(context, userId), ...change };
      if (await insertUser(tx, user, changeRelatedData)) return true;
    }
    await updateUser(tx, userId, change, changeRelatedData);
    return false;
  });
  if (put.deactivated) context.tasks.wake();
  // After the commit: the user may be in many rooms.
  if (Object.keys(profileIn(put)).length > 0) await context.hooks.profileChanged(userId);
  return created;
}

const profileIn = (put: UserPut): ProfileChange => ({
  ...(put.displayname !== undefined && { displayName: put.displayname || null }),
  ...(put.avatar_url !== undefined && { avatarUrl: put.avatar_url || null }),
});

const changeIn = (put: UserPut, passwordHash: string | undefined): UserChange => ({
  ...profileIn(put),
  ...(passwordHash !== undefined && { passwordHash }),
  ...(put.admin !== undefined && { admin: put.admin }),
  ...(put.locked !== undefined && { locked: put.locked }),
  ...(put.suspended !== undefined && { suspended: put.suspended }),
  ...(put.user_type !== undefined && { userType: put.user_type }),
  ...(put.deactivated === false && { deactivated: false, erased: false }),
  ...(put.deactivated && deactivated),
});

/** @throws MatrixError 400 for an invalid or reserved user ID */
function newUser({ config, clock, appServices }: Omit<AccountContext, 'db'>, userId: string): NewUser {
  const localpart = localpartOf(userId);
  newUserId(localpart, config.serverName);
  appServices.refuseReserved(userId);
  return { userId, createdTs: clock.now(), appServiceId: null, displayName: localpart };
}

async function updateRelatedData(
  tx: Tx,
  context: DeactivationContext,
  userId: string,
  put: UserPut,
): Promise<void> {
  if (put.deactivated) {
    await deleteRelatedData(tx, context, userId);
  } else {
    // They may no longer act as other users.
    if (put.locked || put.admin === false) await deleteImpersonationTokens(tx, 'made_for', userId);
    if (put.password !== undefined && put.logout_devices) await revokeAccess(tx, context, userId);
    if (put.threepids) await replaceThreepids(tx, userId, put.threepids, context.clock.now());
  }
  if (put.external_ids) {
    const ids = put.external_ids.map((id) => ({
      authProvider: id.auth_provider,
      externalId: id.external_id,
    }));
    if (!(await replaceExternalIds(tx, userId, ids))) {
      throw new MatrixError(409, 'M_UNKNOWN', 'External id is already in use.');
    }
  }
}

/** Sets flags of any user, also of an admin, like Synapse. `moderateUser` has Matrix's rules. @throws MatrixError 404 */
export async function setFlags(
  { db }: { db: Database },
  userId: string,
  flags: Pick<UserChange, 'admin' | 'suspended' | 'shadowBanned'>,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const known = await updateUser(tx, userId, flags, async () => {
      if (flags.admin === false) await deleteImpersonationTokens(tx, 'made_for', userId);
    });
    if (!known) throw unknownUser();
  });
}

/**
 * Creates a token with which an administrator acts as a user, without a device. If the administrator acts as another
 * one, it belongs to the former and ends with their session.
 *
 * @throws MatrixError 404 for an unknown user; 400 for a deactivated user and for oneself; 401 and 403 if the requester
 *   is no longer an administrator
 */
export async function logInAs(
  { db, clock }: { db: Database; clock: Clock },
  userId: string,
  administrator: AuthenticatedRequest,
  expiresTs: number | null,
): Promise<string> {
  const { requester } = administrator;
  if (userId === requester.userId) throw unknownError('Cannot use admin API to login as self');
  const token = randomSecret();
  await inTransaction(db, async (tx) => {
    if (!(await lockSession(tx, administrator, [userId])).admin)
      throw forbidden('You are not a server admin');
    const user = await findUser(tx, userId);
    if (!user) throw unknownUser();
    if (user.deactivated) throw unknownError('This account has been deactivated');
    await insertToken(tx, {
      tokenHash: tokenHash(token),
      userId,
      madeFor: requester.actsFor ?? requester.userId,
      expiresTs,
      now: clock.now(),
    });
  });
  return token;
}

export type ModerationContext = { db: Database; config: Pick<Config, 'serverName'> };

type Moderation = { userId: string; administrator: string };

/**
 * Returns a user that the administrator may lock or suspend.
 *
 * @throws MatrixError 400 for a remote user; 404 for an unknown or deactivated user; 403 for another administrator
 */
export async function readModeratedUser(
  { db, config }: ModerationContext,
  target: Moderation,
): Promise<User> {
  requireLocal(config, target.userId);
  return requireModerated(await findUser(db, target.userId), target);
}

/** Locks or suspends a user, or ends that. @throws MatrixError as `readModeratedUser`; 403 for oneself */
export async function moderateUser(
  { db, config }: ModerationContext,
  target: Moderation,
  change: Pick<UserChange, 'locked' | 'suspended'>,
): Promise<void> {
  const { userId, administrator } = target;
  requireLocal(config, userId);
  if (userId === administrator) throw forbidden("You can't lock or suspend your own account");
  await inTransaction(db, async (tx) => {
    requireModerated(await lockUser(tx, userId), target);
    await updateUser(tx, userId, change);
  });
}

function requireLocal({ serverName }: ModerationContext['config'], userId: string): void {
  if (serverOf(requireUserId(userId)) !== serverName) {
    throw invalidParameter('This user does not belong to this server');
  }
}

function requireModerated(user: User | undefined, { administrator }: Moderation): User {
  if (!user || user.deactivated) throw unknownUser();
  if (user.admin && user.userId !== administrator) throw forbidden('This user is a server admin');
  return user;
}
