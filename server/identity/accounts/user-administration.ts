/** What administrators do to accounts. The reference homeserver's "User Admin API". */
import type { UserPut } from '../../../shared/api/users.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { localpartOf, newUserId, requireUserId, serverOf } from '../../platform/core/identifiers.ts';
import { forbidden, MatrixError, notFound, unknownError } from '../../platform/core/matrix-error.ts';
import { randomSecret, tokenHash } from '../../platform/core/secrets.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction, type Tx } from '../../platform/database/transaction.ts';
import { maximumAvatarUrl, type ProfileChange, type ProfileContext } from '../profiles/profile.ts';
import { deleteBorrowedSessions, insertToken } from '../sessions/session-store.ts';
import { holdSession, type Signed } from '../sessions/sessions.ts';
import type { AccountContext } from './create-user.ts';
import { type DeactivationContext, deactivated, endBelongings } from './deactivation.ts';
import {
  type ExternalId,
  listExternalIds,
  listThreepids,
  replaceExternalIds,
  replaceThreepids,
  type Threepid,
} from './identity-store.ts';
import { endSessionsOfPassword, hashPassword } from './passwords.ts';
import { findUser, insertUser, type NewUser, type User, type UserChange, updateUser } from './user-store.ts';

/** What it takes to make and change users. */
export type UserChangeContext = AccountContext & DeactivationContext & ProfileContext;

const unknownUser = () => notFound('User not found');

/**
 * A user identifier of this server; whether there is such a user is another question.
 *
 * @throws MatrixError 400, for a user of another server with the sentence that is given
 */
export function requireOwnUserId(text: string, serverName: string, sentence: string): string {
  if (serverOf(requireUserId(text)) !== serverName) throw unknownError(sentence);
  return text;
}

export type UserAccount = { user: User; threepids: Threepid[]; externalIds: ExternalId[] };

/** A user with what the user is known by elsewhere. @throws MatrixError 404 */
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
 * Makes a user or changes one, all that is asked for or nothing.
 *
 * @returns whether the user was made
 * @throws MatrixError 400 for a name that nobody can have and for changes that exclude each other
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
  // Hashing takes its time, in which nothing else should have to wait for the database.
  const passwordHash =
    put.password === undefined ? undefined : await hashPassword(administrator, put.password);
  const change = changeIn(put, passwordHash);
  const created = await inTransaction(context.db, async (tx) => {
    const changeBelongings = () => putBelongings(tx, context, userId, put);
    if (!(await findUser(tx, userId))) {
      const user = { ...newUser(context, userId), ...change };
      if (await insertUser(tx, user, changeBelongings)) return true;
    }
    await updateUser(tx, userId, change, changeBelongings);
    return false;
  });
  if (put.deactivated) context.tasks.wake();
  // Once it is kept, it is shown in the user's rooms, which may be many.
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

/** @throws MatrixError 400 for a name that nobody can have, or an application service only */
function newUser({ config, clock, appServices }: Omit<AccountContext, 'db'>, userId: string): NewUser {
  const localpart = localpartOf(userId);
  newUserId(localpart, config.serverName);
  appServices.refuseReserved(userId);
  return { userId, createdTs: clock.now(), appServiceId: null, displayName: localpart };
}

async function putBelongings(
  tx: Tx,
  context: DeactivationContext,
  userId: string,
  put: UserPut,
): Promise<void> {
  if (put.deactivated) {
    await endBelongings(tx, context, userId);
  } else {
    // Nor may who is locked, or no administrator any more, act as others.
    if (put.locked || put.admin === false) await deleteBorrowedSessions(tx, 'made_for', userId);
    if (put.password !== undefined && put.logout_devices) await endSessionsOfPassword(tx, context, userId);
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

/** Changes what a user may do. @throws MatrixError 404 */
export async function setFlags(
  { db }: { db: Database },
  userId: string,
  flags: Pick<UserChange, 'admin' | 'suspended' | 'shadowBanned'>,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const known = await updateUser(tx, userId, flags, async () => {
      // Nor may who is no administrator any more act as others.
      if (flags.admin === false) await deleteBorrowedSessions(tx, 'made_for', userId);
    });
    if (!known) throw unknownUser();
  });
}

/**
 * A token with which an administrator acts as a user, on no device of theirs. One who acts as another
 * administrator meanwhile stays the one whom it is made for, and ends with it.
 *
 * @throws MatrixError 404 for no such user; 400 for a deactivated one and for oneself; 401 and 403 for one who is no
 *   administrator any more
 */
export async function logInAs(
  { db, clock }: { db: Database; clock: Clock },
  userId: string,
  administrator: Signed,
  expiresTs: number | null,
): Promise<string> {
  const { requester } = administrator;
  if (userId === requester.userId) throw unknownError('Cannot use admin API to login as self');
  const token = randomSecret();
  await inTransaction(db, async (tx) => {
    if (!(await holdSession(tx, administrator, [userId])).admin)
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
