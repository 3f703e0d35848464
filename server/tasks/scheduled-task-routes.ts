import { listScheduledTasks } from '../../shared/api/scheduled-tasks.ts';
import { chunks } from '../core/chunks.ts';
import { yieldToEventLoop } from '../core/yield.ts';
import type { Database } from '../database/schema.ts';
import { administrator } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { sendJson } from '../http/send-json.ts';
import { type ListedTask, listTasks } from './scheduled-task-store.ts';

type Context = { db: Database };

/** Interface: "GET …/scheduled_tasks". */
export const scheduledTaskRoutes: Routes<Context> = (app, { db }) => {
  app.get(
    '/v1/scheduled_tasks',
    { schema: listScheduledTasks, config: { policy: administrator } },
    async ({ query }, reply) => {
      const tasks = await listTasks(db, {
        action: query.action_name,
        resourceId: query.resource_id,
        // Synapse's name for it.
        status: query.status ?? query.job_status,
        before: query.max_timestamp,
      });
      return sendJson(reply, await asList(tasks));
    },
  );
};

const tasksAtOnce = 100;

/** Serializes in chunks: objects of many thousands of tasks would stay in memory for long. */
async function asList(tasks: readonly ListedTask[]): Promise<Buffer> {
  const pieces = [Buffer.from('{"scheduled_tasks":[')];
  for (const chunk of chunks(tasks, tasksAtOnce)) {
    await yieldToEventLoop();
    pieces.push(Buffer.from(`${pieces.length > 1 ? ',' : ''}${chunk.map(asJson).join()}`));
  }
  return Buffer.concat([...pieces, Buffer.from(']}')]);
}

/** The result is JSON already; parsing and serializing it again would cost more than everything else. */
const asJson = (task: ListedTask): string =>
  `{"id":${JSON.stringify(task.id)},"action":${JSON.stringify(task.action)},"status":"${task.status}",\
"timestamp_ms":${task.timestampMs},"resource_id":${JSON.stringify(task.resourceId)},\
"result":${task.resultJson},"error":${JSON.stringify(task.error)}}`;
