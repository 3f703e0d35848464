/** The task that takes a deactivated user out of every room. */
import { Type } from 'typebox';
import { findUser } from '../../../identity/accounts/user-store.ts';
import { yieldToEventLoop } from '../../../platform/concurrency/yield.ts';
import { MatrixError } from '../../../platform/core/matrix-error.ts';
import type { Tx } from '../../../platform/database/transaction.ts';
import type { Scheduler } from '../../../platform/tasks/scheduler.ts';
import type { TaskAction, TaskKind } from '../../../platform/tasks/task.ts';
import type { RoomContext } from '../events/append-events.ts';
import { exitRoom } from './change-membership.ts';
import { listRoomsOfUser } from './membership-store.ts';

const Params = Type.Object({ user_id: Type.String() });

const leaveAllRoomsTask = {
  action: 'leave_rooms_of_deactivated_user',
  params: Params,
  askedBy: 'users',
} satisfies TaskKind;

/** How many rooms one transaction is about. */
const roomsAtOnce = 10;

/** Invitations are refused and knocks taken back, too. What a run has left, a later one doesn't find again. */
export const leaveAllRooms = (context: RoomContext): TaskAction<typeof Params> => ({
  kind: leaveAllRoomsTask,
  async run({ params: { user_id: userId }, signal, inTransaction }) {
    const failed: string[] = [];
    for (let after = ''; ; ) {
      signal.throwIfAborted();
      const piece = await inTransaction((tx) => leaveSomeRooms(tx, context, userId, after));
      if (!piece) return { status: 'complete', result: { failed_rooms: failed } };
      failed.push(...piece.failed);
      after = piece.last;
      await yieldToEventLoop();
    }
  },
});

/** Leaves some rooms after one of them, and gives the last and those that could not be left. */
async function leaveSomeRooms(
  tx: Tx,
  context: RoomContext,
  userId: string,
  after: string,
): Promise<{ last: string; failed: string[] } | undefined> {
  // Who was activated again in the meantime stays where they are.
  if (!(await findUser(tx, userId))?.deactivated) return undefined;
  const rooms = await listRoomsOfUser(tx, userId, {
    memberships: ['join', 'invite', 'knock'],
    after,
    limit: roomsAtOnce,
  });
  const failed: string[] = [];
  for (const roomId of rooms) {
    await exitRoom(tx, context, roomId, userId).catch((error: unknown) => {
      if (!(error instanceof MatrixError)) throw error;
      failed.push(roomId);
    });
  }
  const last = rooms.at(-1);
  return last === undefined ? undefined : { last, failed };
}

/** Schedules that a user leaves every room, in a transaction: wake the scheduler when that is through. */
export function scheduleLeavingAllRooms(tasks: Scheduler, tx: Tx, userId: string): Promise<string> {
  const params = { user_id: userId };
  return tasks.schedule(leaveAllRoomsTask, { params, resourceId: userId, requestedBy: userId }, tx);
}
