/** Shows a changed profile in the rooms of its user: at once in a few, by a task in more. */

import { Type } from 'typebox';
import { MatrixError } from '../core/matrix-error.ts';
import { breathe } from '../core/turn.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import type { Scheduler } from '../tasks/scheduler.ts';
import type { TaskAction, TaskKind } from '../tasks/task.ts';
import type { RoomContext } from './append-events.ts';
import { changeMembership } from './change-membership.ts';
import { findMembership, listJoinedRooms } from './membership-store.ts';

const Params = Type.Object({ user_id: Type.String() });

export const updateJoinStatesTask = {
  action: 'update_join_states',
  params: Params,
  askedBy: 'users',
} satisfies TaskKind;

/** A room that shows the profile already is left as it is, so that running it again changes nothing. */
export const updateJoinStates = (context: RoomContext & { db: Database }): TaskAction<typeof Params> => ({
  kind: updateJoinStatesTask,
  async run({ params: { user_id: userId }, signal }) {
    for (const roomId of await listJoinedRooms(context.db, userId)) {
      signal.throwIfAborted();
      await showProfileInRoom(context, roomId, userId);
      await breathe();
    }
    return { status: 'complete' };
  },
});

/** In how many rooms a change is shown before its reply is sent; a task shows it in more. */
const roomsAtOnce = 20;

/** Shows a user's changed profile in the rooms that the user is in. */
export async function showProfile(
  context: RoomContext & { db: Database; tasks: Scheduler },
  userId: string,
): Promise<void> {
  const rooms = await listJoinedRooms(context.db, userId);
  if (rooms.length > roomsAtOnce) {
    await context.tasks.schedule(updateJoinStatesTask, {
      params: { user_id: userId },
      resourceId: userId,
      requestedBy: userId,
    });
    return;
  }
  for (const roomId of rooms) await showProfileInRoom(context, roomId, userId);
}

/**
 * Brings a user's member event in a room up to the user's profile, in a transaction of its own. A room that
 * doesn't let that happen keeps the older one.
 */
async function showProfileInRoom(
  context: RoomContext & { db: Database },
  roomId: string,
  userId: string,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    if ((await findMembership(tx, roomId, userId))?.membership !== 'join') return;
    await changeMembership(tx, context, {
      roomId,
      sender: userId,
      target: userId,
      content: { membership: 'join' },
    });
  }).catch((error: unknown) => {
    if (!(error instanceof MatrixError)) throw error;
  });
}
