/** The task that makes a deactivated user leave all rooms. */
import { Type } from 'typebox';
import { findUser } from '../../../identity/accounts/user-store.ts';
import { yieldToEventLoop } from '../../../platform/concurrency/yield.ts';
import { MatrixError } from '../../../platform/core/matrix-error.ts';
import type { Tx } from '../../../platform/database/transaction.ts';
import type { Scheduler } from '../../../platform/tasks/scheduler.ts';
import type { TaskAction, TaskKind } from '../../../platform/tasks/task.ts';
import type { RoomContext } from '../events/append-events.ts';
import { appendLeave } from './change-membership.ts';
import { listRoomsOfUser } from './membership-store.ts';

const Params = Type.Object({ user_id: Type.String() });

const leaveAllRoomsTask = {
  action: 'leave_rooms_of_deactivated_user',
  params: Params,
  requestedBy: 'users',
} satisfies TaskKind;

/** Rooms per transaction. */
const roomsAtOnce = 10;

/** Also rejects invitations and withdraws knocks. A rerun skips rooms already left. */
export const leaveAllRooms = (context: RoomContext): TaskAction<typeof Params> => ({
  kind: leaveAllRoomsTask,
  async run({ params: { user_id: userId }, signal, inTransaction }) {
    const failed: string[] = [];
    for (let after = ''; ; ) {
      signal.throwIfAborted();
      const batch = await inTransaction((tx) => leaveSomeRooms(tx, context, userId, after));
      if (!batch) return { status: 'complete', result: { failed_rooms: failed } };
      failed.push(...batch.failed);
      after = batch.last;
      await yieldToEventLoop();
    }
  },
});

/** Leaves the next rooms. Returns the last of them and those that failed; undefined if there are no more. */
async function leaveSomeRooms(
  tx: Tx,
  context: RoomContext,
  userId: string,
  after: string,
): Promise<{ last: string; failed: string[] } | undefined> {
  // The user may have been reactivated.
  if (!(await findUser(tx, userId))?.deactivated) return undefined;
  const rooms = await listRoomsOfUser(tx, userId, {
    memberships: ['join', 'invite', 'knock'],
    after,
    limit: roomsAtOnce,
  });
  const failed: string[] = [];
  for (const roomId of rooms) {
    await appendLeave(tx, context, roomId, userId).catch((error: unknown) => {
      if (!(error instanceof MatrixError)) throw error;
      failed.push(roomId);
    });
  }
  const last = rooms.at(-1);
  return last === undefined ? undefined : { last, failed };
}

/** Schedules the task. Wake the scheduler after the commit. */
export function scheduleLeavingAllRooms(tasks: Scheduler, tx: Tx, userId: string): Promise<string> {
  const params = { user_id: userId };
  return tasks.schedule(leaveAllRoomsTask, { params, resourceId: userId, requestedBy: userId }, tx);
}
