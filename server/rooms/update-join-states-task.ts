/** The task that shows a changed profile in the rooms of a user who is in many. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { Type } from 'typebox';
import type { Database } from '../database/schema.ts';
import type { Scheduler } from '../tasks/scheduler.ts';
import type { TaskAction, TaskKind } from '../tasks/task.ts';
import type { RoomContext } from './append-events.ts';
import { listJoinedRooms } from './membership-store.ts';
import { showProfileInRoom } from './show-profile.ts';

const Params = Type.Object({ user_id: Type.String() });

export const updateJoinStatesTask = {
  action: 'update_join_states',
  params: Params,
  askedBy: 'users',
} satisfies TaskKind;

/** A room that shows the profile already is left as it is, so that running it again changes nothing. */
export const updateJoinStates = (services: RoomContext & { db: Database }): TaskAction<typeof Params> => ({
  kind: updateJoinStatesTask,
  async run({ params: { user_id: userId }, signal }) {
    for (const roomId of await listJoinedRooms(services.db, userId)) {
      signal.throwIfAborted();
      await showProfileInRoom(services, roomId, userId);
      await nextTurn();
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
