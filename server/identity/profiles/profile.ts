/** What users are called and look like. */

import { requireCanonical } from '../../platform/core/json.ts';
import { invalidParameter, MatrixError, notFound } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction, type Tx } from '../../platform/database/transaction.ts';
import type { HookContext } from '../accounts/endings.ts';
import { holdUser, lockUser, type User, updateUser } from '../accounts/user-store.ts';
import { listProfileFields, setProfileField } from './profile-field-store.ts';

/** The longest name, in characters. */
export const maximumDisplayName = 256;
/** The longest address of a picture, in bytes of UTF-8: it stands in indexes. */
export const maximumAvatarUrl = 1000;

export type ProfileChange = { displayName?: string | null; avatarUrl?: string | null };

/** What it takes to change a profile. */
export type ProfileContext = { db: Database } & HookContext;

/** Whose profile is changed, and by whom. */
export type ChangedProfile = { userId: string; by: string };

/**
 * Changes a user's profile, there and in every room that the user is in; the rooms are left out for a
 * shadow-banned user (`hidden`), whom nobody is to hear.
 *
 * @throws MatrixError 403 for a deactivated user's own change
 */
export async function changeProfile(
  { db, hooks }: ProfileContext,
  profile: ChangedProfile,
  change: ProfileChange,
  { hidden = false } = {},
): Promise<void> {
  const { userId } = profile;
  await inTransaction(db, async (tx) => {
    await lockProfile(tx, profile);
    await updateUser(tx, userId, change);
  });
  if (!hidden) await hooks.profileChanged(userId);
}

/**
 * Locks the user whose profile is changed: what erases it at this moment erases the user's own change, too, or comes
 * first. Administrators may change what a deactivated user is called.
 *
 * @throws MatrixError 403 for a deactivated user's own change
 */
const lockProfile = (tx: Tx, { userId, by }: ChangedProfile): Promise<User | undefined> =>
  by === userId ? holdUser(tx, userId) : lockUser(tx, userId);

/** Fields that users add to their profiles. Matrix specification, client-server API, "Profiles"; MSC4133. */

/** The largest profile, in bytes of canonical JSON, and the longest name of a field, in bytes. */
const maximumProfile = 65_536;
const maximumName = 255;

/** Names are those of the specification's "Common Namespaced Identifier Grammar". @throws MatrixError 400 */
export function requireFieldName(name: string): void {
  if (Buffer.byteLength(name) > maximumName) {
    throw new MatrixError(400, 'M_KEY_TOO_LARGE', 'Field name too long');
  }
  if (!/^[a-z][a-z0-9_.-]*$/.test(name)) {
    throw invalidParameter('Field name does not follow Common Namespaced Identifier Grammar');
  }
}

/**
 * Sets one field of a user's profile.
 *
 * @throws MatrixError 400 for a profile that would be too large; 403 for a deactivated user's own; 404 for an unknown user
 */
export async function changeProfileField(
  db: Database,
  profile: ChangedProfile,
  name: string,
  value: unknown,
): Promise<void> {
  const { userId } = profile;
  await inTransaction(db, async (tx) => {
    const user = await lockProfile(tx, profile);
    if (!user) throw notFound('Profile was not found');
    const fields = await listProfileFields(tx, userId);
    const changed = { ...asProfile(user, fields), [name]: value };
    if (Buffer.byteLength(requireCanonical(changed)) > maximumProfile) {
      throw new MatrixError(400, 'M_PROFILE_TOO_LARGE', 'Profile too large');
    }
    await setProfileField(tx, userId, name, value);
  });
}

/** All that a user's profile says. */
export const asProfile = (
  { displayName, avatarUrl }: Pick<User, 'displayName' | 'avatarUrl'>,
  fields: ReadonlyMap<string, unknown>,
): Record<string, unknown> => ({
  ...(displayName !== null && { displayname: displayName }),
  ...(avatarUrl !== null && { avatar_url: avatarUrl }),
  ...Object.fromEntries(fields),
});
