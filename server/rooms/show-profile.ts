import { MatrixError } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import type { Scheduler } from '../tasks/scheduler.ts';
import type { RoomContext } from './append-events.ts';
import { changeMembership } from './membership.ts';
import { findMembership, listJoinedRooms } from './membership-store.ts';

/**
 * Brings a user's member event in a room up to the user's profile, in a transaction of its own. A room that
 * doesn't let that happen keeps the older one.
 */
export async function showProfileInRoom(
  services: RoomContext & { db: Database },
  roomId: string,
  userId: string,
): Promise<void> {
  await inTransaction(services.db, async (tx) => {
    if ((await findMembership(tx, roomId, userId))?.membership !== 'join') return;
    await changeMembership(tx, services, {
      roomId,
      sender: userId,
      target: userId,
      content: { membership: 'join' },
    });
  }).catch((error: unknown) => {
    if (!(error instanceof MatrixError)) throw error;
  });
}

/** In how many rooms a change is shown before its reply is sent; a task shows it in more. */
const roomsAtOnce = 20;

/** Shows a user's changed profile in the rooms that the user is in. */
export async function showProfile(
  context: RoomContext & { db: Database; tasks: Scheduler },
  userId: string,
): Promise<void> {
  const rooms = await listJoinedRooms(context.db, userId);
  if (rooms.length > roomsAtOnce) {
    await context.tasks.schedule({
      action: 'update_join_states',
      params: { user_id: userId },
      resourceId: userId,
    });
    return;
  }
  for (const roomId of rooms) await showProfileInRoom(context, roomId, userId);
}
