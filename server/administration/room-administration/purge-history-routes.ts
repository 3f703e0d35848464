import {
  getPurgeHistoryStatus,
  type PurgeHistoryRequest,
  purgeHistory,
} from '../../../shared/api/room-administration.ts';
import { findEvent } from '../../conversation/rooms/events/event-store.ts';
import { lockRoom } from '../../conversation/rooms/room-store.ts';
import { badJson, MatrixError, notFound } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { administrator } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { type Scheduler, scheduleOnce } from '../../platform/tasks/scheduler.ts';
import { purgeHistoryTask } from './purge-history-task.ts';
import { findPositionAfterTime } from './purge-store.ts';

export const purgeHistoryRoutes: Routes<{ db: Database; tasks: Scheduler }> = (app, context) => {
  for (const path of ['/v1/purge_history/:room_id', '/v1/purge_history/:room_id/:event_id']) {
    app.post(
      path,
      { schema: purgeHistory, config: { policy: administrator } },
      async ({ params, body, requester }) => {
        const { purge_up_to_ts, delete_local_events } = body;
        const purge_up_to_event_id = params.event_id ?? body.purge_up_to_event_id;
        const until = { purge_up_to_event_id, purge_up_to_ts };
        const before = await findBoundary(context.db, params.room_id, until);
        const resourceId = params.room_id;
        return {
          purge_id: await scheduleOnce(
            context,
            purgeHistoryTask,
            {
              params: { room_id: resourceId, before, delete_local_events },
              resourceId,
              requestedBy: requester.userId,
            },
            lockRoom,
            `History purge already in progress for ${params.room_id}`,
          ),
        };
      },
    );
  }

  app.get(
    '/v1/purge_history_status/:purge_id',
    { schema: getPurgeHistoryStatus, config: { policy: administrator } },
    async ({ params }) => {
      const task = await context.tasks.get(params.purge_id);
      if (task?.action !== purgeHistoryTask.action) throw notFound(`purge id '${params.purge_id}' not found`);
      const status = task.status === 'scheduled' ? 'active' : task.status;
      return status === 'failed' ? { status, error: task.error } : { status };
    },
  );
};

type Boundary = Pick<PurgeHistoryRequest, 'purge_up_to_event_id' | 'purge_up_to_ts'>;

/** Returns the stream position of the first event to keep. @throws MatrixError 400, 404 */
async function findBoundary(db: Database, roomId: string, request: Boundary): Promise<number> {
  const { purge_up_to_event_id: eventId, purge_up_to_ts: timestampMs } = request;
  if (eventId !== undefined) {
    const event = await findEvent(db, eventId);
    if (!event) throw notFound(`Could not find event ${eventId}`);
    if (event.pdu.room_id !== roomId) throw new MatrixError(400, 'M_UNKNOWN', 'Event is for wrong room.');
    return event.streamOrdering;
  }
  if (timestampMs === undefined) throw badJson('must specify purge_up_to_event_id or purge_up_to_ts');
  const position = await findPositionAfterTime(db, roomId, timestampMs);
  if (position === undefined) throw notFound('there is no event to be purged');
  return position;
}
