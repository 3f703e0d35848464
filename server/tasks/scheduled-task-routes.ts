import { listScheduledTasks } from '../../shared/api/scheduled-tasks.ts';
import { breathe } from '../core/event-loop-turns.ts';
import { inPieces } from '../core/pieces.ts';
import type { Database } from '../database/schema.ts';
import type { KeptReplies } from '../http/kept-replies.ts';
import { administrator } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { sendJson } from '../http/send-json.ts';
import { type ListedTask, listTasks } from './scheduled-task-store.ts';

type Context = { db: Database; keptReplies: KeptReplies };

/** Interface: "GET …/scheduled_tasks". */
export const scheduledTaskRoutes: Routes<Context> = (app, { db, keptReplies }) => {
  app.get(
    '/v1/scheduled_tasks',
    { schema: listScheduledTasks, config: { policy: administrator } },
    async ({ query }, reply) => {
      const filter = {
        action: query.action_name,
        resourceId: query.resource_id,
        // What deployed servers call it.
        status: query.status ?? query.job_status,
        before: query.max_timestamp,
      };
      const list = () => listTasks(db, filter).then(asList);
      return sendJson(reply, await keptReplies.get('tasks', JSON.stringify(filter), list));
    },
  );
};

/** How many tasks are written together. */
const tasksAtOnce = 100;

/** The list in pieces that each live for a moment: as one text, many thousands of tasks stay in memory for long. */
async function asList(tasks: readonly ListedTask[]): Promise<Buffer> {
  const pieces = [Buffer.from('{"scheduled_tasks":[')];
  for (const piece of inPieces(tasks, tasksAtOnce)) {
    await breathe();
    pieces.push(Buffer.from(`${pieces.length > 1 ? ',' : ''}${piece.map(asJson).join()}`));
  }
  return Buffer.concat([...pieces, Buffer.from(']}')]);
}

/** A task in the list. What came of it is JSON already: to read it and write it again would cost more than all else. */
const asJson = (task: ListedTask): string =>
  `{"id":${JSON.stringify(task.id)},"action":${JSON.stringify(task.action)},"status":"${task.status}",\
"timestamp_ms":${task.timestampMs},"resource_id":${JSON.stringify(task.resourceId)},\
"result":${task.resultJson},"error":${JSON.stringify(task.error)}}`;
