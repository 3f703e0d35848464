/** The task that takes a deactivated user out of every room. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { findUser } from '../accounts/user-store.ts';
import { MatrixError } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction, type Tx } from '../database/transaction.ts';
import type { Scheduler } from '../tasks/scheduler.ts';
import type { TaskAction } from '../tasks/task.ts';
import type { RoomContext } from './append-events.ts';
import { leaveRoom } from './membership.ts';
import { listRoomsOfUser } from './user-room-store.ts';

export const leaveAllRoomsAction = 'leave_rooms_of_deactivated_user';

export const LeaveAllRoomsParams = Type.Object({ user_id: Type.String() });
export type LeaveAllRoomsParams = Static<typeof LeaveAllRoomsParams>;

/** How many rooms one transaction is about. */
const roomsAtOnce = 10;

/** Invitations are refused and knocks taken back, too. What a run has left, a later one doesn't find again. */
export const leaveAllRooms =
  (services: RoomContext & { db: Database }): TaskAction =>
  async ({ task, signal }) => {
    const { db } = services;
    const { user_id: userId } = Value.Parse(LeaveAllRoomsParams, task.params);
    const failed: string[] = [];
    for (let after = ''; ; ) {
      signal.throwIfAborted();
      const last = await inTransaction(db, async (tx) => {
        // Who was activated again in the meantime stays where they are.
        if (!(await findUser(tx, userId))?.deactivated) return undefined;
        const rooms = await listRoomsOfUser(tx, userId, {
          memberships: ['join', 'invite', 'knock'],
          after,
          limit: roomsAtOnce,
        });
        for (const roomId of rooms) {
          await leaveRoom(tx, services, roomId, userId, {}).catch((error: unknown) => {
            if (!(error instanceof MatrixError)) throw error;
            failed.push(roomId);
          });
        }
        return rooms.at(-1);
      });
      if (last === undefined) return { status: 'complete', result: { failed_rooms: failed } };
      after = last;
      await nextTurn();
    }
  };

/** Schedules that a user leaves every room, in a transaction: wake the scheduler when that is through. */
export function scheduleLeavingAllRooms(tasks: Scheduler, tx: Tx, userId: string): Promise<string> {
  const params: LeaveAllRoomsParams = { user_id: userId };
  return tasks.schedule({ action: leaveAllRoomsAction, params, resourceId: userId }, tx);
}
