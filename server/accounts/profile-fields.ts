/** Fields that users add to their profiles. Matrix specification, client-server API, "Profiles"; MSC4133. */
import { requireCanonical } from '../core/canonical.ts';
import { invalidParameter, MatrixError, notFound } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import { type ChangedProfile, lockProfile } from './profile.ts';
import { listProfileFields, setProfileField } from './profile-field-store.ts';
import type { User } from './user-store.ts';

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
