import { listScheduledTasks } from '../../shared/api/scheduled-tasks.ts';
import type { Database } from '../database/schema.ts';
import { administrator } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { listTasks } from './scheduled-task-store.ts';

/** Interface: "GET …/scheduled_tasks". */
export const scheduledTaskRoutes: Routes<{ db: Database }> = (app, { db }) => {
  app.get(
    '/v1/scheduled_tasks',
    { schema: listScheduledTasks, config: { policy: administrator } },
    async ({ query }) => {
      const tasks = await listTasks(db, {
        action: query.action_name,
        resourceId: query.resource_id,
        status: query.status,
        before: query.max_timestamp,
      });
      return {
        scheduled_tasks: tasks.map((task) => ({
          id: task.id,
          action: task.action,
          status: task.status,
          timestamp_ms: task.timestampMs,
          resource_id: task.resourceId,
          result: task.result,
          error: task.error,
        })),
      };
    },
  );
};
