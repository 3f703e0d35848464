/** Updates a user's member events after a profile change: immediately in a few rooms, by a task in more. */
import { Type } from 'typebox';
import { yieldToEventLoop } from '../../../platform/concurrency/yield.ts';
import { ignoreRefusal } from '../../../platform/core/matrix-error.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { inTransaction, type Tx } from '../../../platform/database/transaction.ts';
import type { Scheduler } from '../../../platform/tasks/scheduler.ts';
import type { TaskAction, TaskKind } from '../../../platform/tasks/task.ts';
import type { RoomContext } from '../events/append-events.ts';
import { changeMembership, ownChange } from './change-membership.ts';
import { findMembership, listJoinedRooms } from './membership-store.ts';

const Params = Type.Object({ user_id: Type.String() });

const updateJoinStatesTask = {
  action: 'update_join_states',
  params: Params,
  requestedBy: 'users',
} satisfies TaskKind;

/** Can be rerun: unchanged state is not sent again. */
export const updateJoinStates = (context: RoomContext & { db: Database }): TaskAction<typeof Params> => ({
  kind: updateJoinStatesTask,
  async run({ params: { user_id: userId }, signal, inTransaction: inTaskTransaction }) {
    for (const roomId of await listJoinedRooms(context.db, userId)) {
      signal.throwIfAborted();
      // A room that refuses the change keeps the older profile.
      await inTaskTransaction((tx) => showProfileInRoom(tx, context, roomId, userId)).catch(ignoreRefusal);
      await yieldToEventLoop();
    }
    return { status: 'complete' };
  },
});

/** Rooms that are updated before the reply. */
const roomsAtOnce = 20;

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
  for (const roomId of rooms) {
    await inTransaction(context.db, (tx) => showProfileInRoom(tx, context, roomId, userId)).catch(
      ignoreRefusal,
    );
  }
}

async function showProfileInRoom(
  tx: Tx,
  context: RoomContext,
  roomId: string,
  userId: string,
): Promise<void> {
  if ((await findMembership(tx, roomId, userId))?.membership !== 'join') return;
  await changeMembership(tx, context, ownChange(roomId, userId, 'join'));
}
