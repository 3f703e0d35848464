/** Shows a changed profile in the rooms of its user: at once in a few, by a task in more. */
import { Type } from 'typebox';
import { yieldToEventLoop } from '../../../platform/concurrency/yield.ts';
import { ignoreRefusal } from '../../../platform/core/matrix-error.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { inTransaction, type Tx } from '../../../platform/database/transaction.ts';
import type { Scheduler } from '../../../platform/tasks/scheduler.ts';
import type { TaskAction, TaskKind } from '../../../platform/tasks/task.ts';
import type { RoomContext } from '../events/append-events.ts';
import { changeMembership } from './change-membership.ts';
import { findMembership, listJoinedRooms } from './membership-store.ts';

const Params = Type.Object({ user_id: Type.String() });

const updateJoinStatesTask = {
  action: 'update_join_states',
  params: Params,
  askedBy: 'users',
} satisfies TaskKind;

/** A room that shows the profile already is left as it is, so that running it again changes nothing. */
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
  for (const roomId of rooms) {
    await inTransaction(context.db, (tx) => showProfileInRoom(tx, context, roomId, userId)).catch(
      ignoreRefusal,
    );
  }
}

/** Brings a user's member event in a room up to the user's profile. */
async function showProfileInRoom(
  tx: Tx,
  context: RoomContext,
  roomId: string,
  userId: string,
): Promise<void> {
  if ((await findMembership(tx, roomId, userId))?.membership !== 'join') return;
  await changeMembership(tx, context, {
    roomId,
    sender: userId,
    target: userId,
    content: { membership: 'join' },
  });
}
