/** What users are called and look like. */
import type { Database } from '../database/schema.ts';
import { inTransaction, type Tx } from '../database/transaction.ts';
import { holdUser, lockUser, type User, updateUser } from './user-store.ts';

/** The longest name, in characters. */
export const maximumDisplayName = 256;
/** The longest address of a picture, in bytes of UTF-8: it stands in indexes. */
export const maximumAvatarUrl = 1000;

export type ProfileChange = { displayName?: string | null; avatarUrl?: string | null };

/** What it takes to change a profile. */
export type ProfileContext = {
  db: Database;
  /** Shows a user's changed profile in the rooms that the user is in. */
  showProfile(userId: string): Promise<void>;
};

/** Whose profile is changed, and by whom. */
export type ChangedProfile = { userId: string; by: string };

/**
 * Changes a user's profile, there and in every room that the user is in; the rooms are left out for a
 * shadow-banned user (`hidden`), whom nobody is to hear.
 *
 * @throws MatrixError 403 for a deactivated user's own change
 */
export async function changeProfile(
  { db, showProfile }: ProfileContext,
  profile: ChangedProfile,
  change: ProfileChange,
  { hidden = false } = {},
): Promise<void> {
  const { userId } = profile;
  await inTransaction(db, async (tx) => {
    await lockProfile(tx, profile);
    await updateUser(tx, userId, change);
  });
  if (!hidden) await showProfile(userId);
}

/**
 * Locks the user whose profile is changed: what erases it at this moment erases the user's own change, too, or comes
 * first. Administrators may change what a deactivated user is called.
 *
 * @throws MatrixError 403 for a deactivated user's own change
 */
export const lockProfile = (tx: Tx, { userId, by }: ChangedProfile): Promise<User | undefined> =>
  by === userId ? holdUser(tx, userId) : lockUser(tx, userId);
