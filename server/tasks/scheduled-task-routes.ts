import { listScheduledTasks } from '../../shared/api/scheduled-tasks.ts';
import { mapInTurns } from '../core/event-loop-turns.ts';
import type { Database } from '../database/schema.ts';
import { administrator } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { sendJson } from '../http/send-json.ts';
import { type ListedTask, listTasks } from './scheduled-task-store.ts';

/** Interface: "GET …/scheduled_tasks". */
export const scheduledTaskRoutes: Routes<{ db: Database }> = (app, { db }) => {
  app.get(
    '/v1/scheduled_tasks',
    { schema: listScheduledTasks, config: { policy: administrator } },
    async ({ query }, reply) => {
      const tasks = await listTasks(db, {
        action: query.action_name,
        resourceId: query.resource_id,
        // What deployed servers call it.
        status: query.status ?? query.job_status,
        before: query.max_timestamp,
      });
      const items = await mapInTurns(tasks, asJson);
      return sendJson(reply, `{"scheduled_tasks":[${items.join()}]}`);
    },
  );
};

/** A task in the list. What came of it is JSON already: to read it and write it again would cost more than all else. */
const asJson = (task: ListedTask): string =>
  `{"id":${JSON.stringify(task.id)},"action":${JSON.stringify(task.action)},"status":"${task.status}",\
"timestamp_ms":${task.timestampMs},"resource_id":${JSON.stringify(task.resourceId)},\
"result":${task.resultJson},"error":${JSON.stringify(task.error)}}`;
