/** What users are called and look like. */
import type { Database } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import { updateUser } from './user-store.ts';

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

/**
 * Changes a user's profile, there and in every room that the user is in; the rooms are left out for a
 * shadow-banned user (`hidden`), whom nobody is to hear.
 */
export async function changeProfile(
  { db, showProfile }: ProfileContext,
  userId: string,
  change: ProfileChange,
  { hidden = false } = {},
): Promise<void> {
  await inTransaction(db, (tx) => updateUser(tx, userId, change));
  if (!hidden) await showProfile(userId);
}
