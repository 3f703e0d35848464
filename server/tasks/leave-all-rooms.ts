/** The task that takes a deactivated user out of every room. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { MatrixError } from '../http/matrix-error.ts';
import type { RoomServices } from '../rooms/append-events.ts';
import { leaveRoom } from '../rooms/membership.ts';
import type { Services } from '../services.ts';
import { listRoomsOfUser } from '../storage/user-rooms.ts';
import { findUser } from '../storage/users.ts';
import type { TaskAction } from './task.ts';

export const leaveAllRoomsAction = 'leave_rooms_of_deactivated_user';

export const LeaveAllRoomsParams = Type.Object({ user_id: Type.String() });
export type LeaveAllRoomsParams = Static<typeof LeaveAllRoomsParams>;

/** How many rooms one transaction is about. */
const roomsAtOnce = 10;

/** Invitations are refused and knocks taken back, too. What a run has left, a later one doesn't find again. */
export const leaveAllRooms =
  (services: RoomServices & Pick<Services, 'db'>): TaskAction =>
  async ({ task, signal }) => {
    const { db } = services;
    const { user_id: userId } = Value.Parse(LeaveAllRoomsParams, task.params);
    const failed: string[] = [];
    for (let after = ''; ; ) {
      signal.throwIfAborted();
      const last = await db.transaction().execute(async (trx) => {
        // Who was activated again in the meantime stays where they are.
        if (!(await findUser(trx, userId))?.deactivated) return undefined;
        const rooms = await listRoomsOfUser(trx, userId, {
          memberships: ['join', 'invite', 'knock'],
          after,
          limit: roomsAtOnce,
        });
        for (const roomId of rooms) {
          await leaveRoom(trx, services, roomId, userId, {}).catch((error: unknown) => {
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
