/** What users are called and look like, and showing that in the rooms that they are in. */
import type { Services } from '../services.ts';
import { listJoinedRooms } from '../storage/memberships.ts';
import { updateUser } from '../storage/users.ts';
import type { RoomServices } from './append-events.ts';
import { showProfileInRoom } from './show-profile.ts';

/** In how many rooms a change is shown before its reply is sent; a task shows it in more. */
const roomsAtOnce = 20;

export type ProfileChange = { displayName?: string | null; avatarUrl?: string | null };

/** Changes a user's profile, there and in every room that the user is in. */
export async function changeProfile(
  services: RoomServices & Pick<Services, 'db' | 'tasks'>,
  userId: string,
  change: ProfileChange,
): Promise<void> {
  const { db, tasks } = services;
  await db.transaction().execute((transaction) => updateUser(transaction, userId, change));
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
