/** What a membership event says about its user. */
import type { JsonObject } from '../../shared/api/common.ts';
import { findUser, findUsers, holdUser, type User } from '../accounts/user-store.ts';
import { serverOf } from '../core/identifiers.ts';
import { MatrixError } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import type { Tx } from '../database/transaction.ts';

/** The content of a membership, with the user's name and picture where others are to recognize them. */
export async function memberContent(db: Database, userId: string, membership: string): Promise<JsonObject> {
  if (membership === 'leave' || membership === 'ban') return { membership };
  return arrivalOf(await findUser(db, userId), membership);
}

/**
 * The same for who comes into a room, or knocks on it: a deactivated user doesn't, and one whose account ends at this
 * moment leaves with all others.
 *
 * @throws MatrixError 403
 */
export const ownArrivalContent = async (tx: Tx, userId: string, membership: string): Promise<JsonObject> =>
  arrivalOf(await holdUser(tx, userId), membership);

/** The contents of invitations for many, in their order. */
export async function invitationContents(db: Database, userIds: readonly string[]): Promise<JsonObject[]> {
  const users = await findUsers(db, userIds);
  return userIds.map((userId) => arrivalOf(users.get(userId), 'invite'));
}

const arrivalOf = (user: User | undefined, membership: string): JsonObject => ({
  membership,
  ...(user?.displayName && { displayname: user.displayName }),
  ...(user?.avatarUrl && { avatar_url: user.avatarUrl }),
  ...(user?.guest && { kind: 'guest' }),
});

/**
 * Refuses users of other servers: an invitation would never reach them. A local user need not exist yet.
 *
 * @throws MatrixError 400
 */
export function requireLocalUser(userId: string, serverName: string): void {
  if (serverOf(userId) !== serverName) {
    throw new MatrixError(400, 'M_UNKNOWN', `Can't connect to server ${serverOf(userId)}`);
  }
}
