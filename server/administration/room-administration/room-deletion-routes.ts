import { Value } from 'typebox/value';
import {
  deleteRoom,
  getRoomBlock,
  getRoomDeletion,
  listRoomDeletions,
  putRoomBlock,
  type RoomBlock,
  type RoomDeletionStatus,
  ShutdownResult,
} from '../../../shared/api/room-administration.ts';
import { blockRoom, findRoomBlocker, lockRoom, unblockRoom } from '../../conversation/rooms/room-store.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { isUserId, requireRoomId, serverOf } from '../../platform/core/identifiers.ts';
import { MatrixError, notFound } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { administrator } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { listTasksFor } from '../../platform/tasks/scheduled-task-store.ts';
import { type Scheduler, scheduleOnce } from '../../platform/tasks/scheduler.ts';
import type { Task } from '../../platform/tasks/task.ts';
import { roomDeletionTask } from './room-deletion-task.ts';

const { action } = roomDeletionTask;

export const roomDeletionRoutes: Routes<{ config: Config; db: Database; tasks: Scheduler }> = (
  app,
  context,
) => {
  const { config, db, tasks } = context;

  app.delete(
    '/v2/rooms/:room_id',
    { schema: deleteRoom, config: { policy: administrator } },
    async ({ params, body, requester }) => {
      const roomId = requireRoomId(params.room_id);
      const host = body.new_room_user_id;
      if (host !== undefined && !(isUserId(host) && serverOf(host) === config.serverName)) {
        throw new MatrixError(400, 'M_UNKNOWN', `User must be our own: ${host}`);
      }
      const task = {
        room_id: roomId,
        requester_user_id: requester.userId,
        new_room_user_id: host ?? null,
        ...(body.room_name !== undefined && { new_room_name: body.room_name }),
        ...(body.message !== undefined && { message: body.message }),
        block: body.block,
        purge: body.purge,
        force_purge: body.force_purge,
      };
      return {
        delete_id: await scheduleOnce(
          context,
          roomDeletionTask,
          { params: task, resourceId: roomId, requestedBy: requester.userId },
          lockRoom,
          `Purge already in progress for ${roomId}`,
        ),
      };
    },
  );

  app.get(
    '/v2/rooms/:room_id/delete_status',
    { schema: listRoomDeletions, config: { policy: administrator } },
    async ({ params }) => {
      const deletions = await listTasksFor(db, action, requireRoomId(params.room_id));
      if (deletions.length === 0) throw notFound(`No delete task for room_id '${params.room_id}' found`);
      return { results: deletions.map(statusOf) };
    },
  );

  app.get(
    '/v2/rooms/delete_status/:delete_id',
    { schema: getRoomDeletion, config: { policy: administrator } },
    async ({ params }) => {
      const task = await tasks.get(params.delete_id);
      if (task?.action !== action) throw notFound(`delete id '${params.delete_id}' not found`);
      return statusOf(task);
    },
  );
};

const statusOf = ({ id, resourceId, status, error, result }: Task): RoomDeletionStatus => ({
  delete_id: id,
  room_id: resourceId ?? '',
  status,
  ...(error !== null && { error }),
  shutdown_room: Value.Check(ShutdownResult, result) ? result : null,
});

export const roomBlockRoutes: Routes<{ db: Database; clock: Clock }> = (app, { db, clock }) => {
  app.get(
    '/v1/rooms/:room_id/block',
    { schema: getRoomBlock, config: { policy: administrator } },
    async ({ params }): Promise<RoomBlock> => {
      const blocker = await findRoomBlocker(db, requireRoomId(params.room_id));
      return blocker === undefined ? { block: false } : { block: true, user_id: blocker };
    },
  );

  app.put(
    '/v1/rooms/:room_id/block',
    { schema: putRoomBlock, config: { policy: administrator } },
    async ({ params, body, requester }) => {
      const roomId = requireRoomId(params.room_id);
      if (body.block) await blockRoom(db, roomId, requester.userId, clock.now());
      else await unblockRoom(db, roomId);
      return { block: body.block };
    },
  );
};
