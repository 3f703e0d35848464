/** What users are called and look like, and showing that in the rooms that they are in. */
import type { Services } from '../services.ts';
import { listJoinedRooms } from '../storage/memberships.ts';
import { updateUser } from '../storage/users.ts';
import type { RoomServices } from './append-events.ts';
import { showProfileInRoom } from './show-profile.ts';

/** In how many rooms a change is shown before its reply is sent; a task shows it in more. */
const roomsAtOnce = 20;

/** The longest name, in characters. */
export const maximumDisplayName = 256;
/** The longest address of a picture, in bytes of UTF-8: it stands in indexes. */
export const maximumAvatarUrl = 1000;

export type ProfileChange = { displayName?: string | null; avatarUrl?: string | null };

/**
 * Changes a user's profile, there and in every room that the user is in; the rooms are left out for a
 * shadow-banned user (`hidden`), whom nobody is to hear.
 */
export async function changeProfile(
  services: RoomServices & Pick<Services, 'db' | 'tasks'>,
  userId: string,
  change: ProfileChange,
  { hidden = false } = {},
): Promise<void> {
  const { db, tasks } = services;
  await db.transaction().execute((transaction) => updateUser(transaction, userId, change));
  if (hidden) return;
  const rooms = await listJoinedRooms(db, userId);
  if (rooms.length > roomsAtOnce) {
    await tasks.schedule({
      action: 'update_join_states',
      params: { user_id: userId },
      resourceId: userId,
    });
    return;
  }
  for (const roomId of rooms) await showProfileInRoom(services, roomId, userId);
}
