/** Profiles. Matrix specification, client-server API, "Profiles"; custom fields as in MSC4133. */
import { requireCanonical } from '../../platform/core/json.ts';
import { invalidParameter, MatrixError, notFound } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction, type Tx } from '../../platform/database/transaction.ts';
import type { HookContext } from '../accounts/identity-hooks.ts';
import {
  listProfileFields,
  lockActiveUser,
  lockUser,
  setProfileField,
  type User,
  updateUser,
} from '../accounts/user-store.ts';

/** In characters. */
export const maximumDisplayName = 256;
/** In bytes of UTF-8: avatar URLs are in indexes. */
export const maximumAvatarUrl = 1000;

export type ProfileChange = { displayName?: string | null; avatarUrl?: string | null };

export type ProfileContext = { db: Database } & HookContext;

/** `by` is the user ID of the requester. */
type ProfileEdit = { userId: string; by: string };

/**
 * Changes a user's profile.
 *
 * @param hidden doesn't update the user's rooms, as for shadow-banned users
 * @throws MatrixError 403 for a deactivated user's own change
 */
export async function changeProfile(
  { db, hooks }: ProfileContext,
  edit: ProfileEdit,
  change: ProfileChange,
  { hidden = false } = {},
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockProfile(tx, edit);
    await updateUser(tx, edit.userId, change);
  });
  if (!hidden) await hooks.profileChanged(edit.userId);
}

/** Locks the user. Only administrators can edit the profile of a deactivated user. */
const lockProfile = (tx: Tx, { userId, by }: ProfileEdit): Promise<User | undefined> =>
  by === userId ? lockActiveUser(tx, userId) : lockUser(tx, userId);

/** In bytes of canonical JSON. */
const maximumProfile = 65_536;
/** In bytes. */
const maximumFieldName = 255;

/** @throws MatrixError 400 for a name that isn't a common namespaced identifier */
export function requireFieldName(name: string): void {
  if (Buffer.byteLength(name) > maximumFieldName) {
    throw new MatrixError(400, 'M_KEY_TOO_LARGE', 'Field name too long');
  }
  if (!/^[a-z][a-z0-9_.-]*$/.test(name)) {
    throw invalidParameter('Field name does not follow Common Namespaced Identifier Grammar');
  }
}

/**
 * Sets a custom field of a user's profile.
 *
 * @throws MatrixError 400 for a profile that would be too large; 403 for a deactivated user's own; 404 for an unknown user
 */
export async function changeProfileField(
  db: Database,
  edit: ProfileEdit,
  name: string,
  value: unknown,
): Promise<void> {
  const { userId } = edit;
  await inTransaction(db, async (tx) => {
    const user = await lockProfile(tx, edit);
    if (!user) throw notFound('Profile was not found');
    const fields = await listProfileFields(tx, userId);
    const changed = { ...asProfile(user, fields), [name]: value };
    if (Buffer.byteLength(requireCanonical(changed)) > maximumProfile) {
      throw new MatrixError(400, 'M_PROFILE_TOO_LARGE', 'Profile too large');
    }
    await setProfileField(tx, userId, name, value);
  });
}

export const asProfile = (
  { displayName, avatarUrl }: Pick<User, 'displayName' | 'avatarUrl'>,
  fields: ReadonlyMap<string, unknown>,
): Record<string, unknown> => ({
  ...(displayName !== null && { displayname: displayName }),
  ...(avatarUrl !== null && { avatar_url: avatarUrl }),
  ...Object.fromEntries(fields),
});
