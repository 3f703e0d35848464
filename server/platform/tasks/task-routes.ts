import {
  type BackgroundUpdateStatus,
  getBackgroundUpdateStatus,
  getBackgroundUpdatesEnabled,
  listScheduledTasks,
  postBackgroundUpdatesEnabled,
  startBackgroundJob,
} from '../../../shared/api/tasks.ts';
import { unknownError } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { administrator } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { sendJson } from '../http/send-json.ts';
import type { PendingUpdate } from './background-update-store.ts';
import type { BackgroundUpdates } from './background-updates.ts';
import { listTasksAsJson } from './scheduled-task-store.ts';

type Context = { db: Database };

/** Synapse's admin API for scheduled tasks. */
export const scheduledTaskRoutes: Routes<Context> = (app, { db }) => {
  app.get(
    '/v1/scheduled_tasks',
    { schema: listScheduledTasks, config: { policy: administrator } },
    async ({ query }, reply) => {
      const tasks = await listTasksAsJson(db, {
        action: query.action_name,
        resourceId: query.resource_id,
        // Synapse's name for it.
        status: query.status ?? query.job_status,
        before: query.max_timestamp,
      });
      return sendJson(reply, tasks);
    },
  );
};

/** Synapse's job names, and the update for each. */
const jobs: ReadonlyMap<string, string> = new Map([
  ['populate_stats_process_rooms', 'populate_room_summaries'],
]);

/** Synapse's Background Updates API. */
export const backgroundUpdateRoutes: Routes<{ backgroundUpdates: BackgroundUpdates }> = (
  app,
  { backgroundUpdates },
) => {
  app.get(
    '/v1/background_updates/status',
    { schema: getBackgroundUpdateStatus, config: { policy: administrator } },
    async () => asStatus(await backgroundUpdates.status()),
  );

  app.get(
    '/v1/background_updates/enabled',
    { schema: getBackgroundUpdatesEnabled, config: { policy: administrator } },
    async () => ({
      enabled: await backgroundUpdates.isEnabled(),
    }),
  );

  app.post(
    '/v1/background_updates/enabled',
    { schema: postBackgroundUpdatesEnabled, config: { policy: administrator } },
    async ({ body: { enabled } }) => {
      await backgroundUpdates.setEnabled(enabled);
      return { enabled };
    },
  );

  app.post(
    '/v1/background_updates/start_job',
    { schema: startBackgroundJob, config: { policy: administrator } },
    async ({ body }) => {
      const update = jobs.get(body.job_name);
      if (update === undefined) throw unknownError('Invalid job_name');
      if (!(await backgroundUpdates.add(update))) {
        throw unknownError(`Job ${body.job_name} is already in queue of background updates.`);
      }
      return {};
    },
  );
};

function asStatus({
  enabled,
  current,
}: {
  enabled: boolean;
  current: PendingUpdate | undefined;
}): BackgroundUpdateStatus {
  if (!current) return { enabled, current_updates: {} };
  const { name, totalItemCount, totalDurationMs } = current;
  const master = {
    name,
    total_item_count: totalItemCount,
    total_duration_ms: totalDurationMs,
    average_items_per_ms: totalItemCount / Math.max(1, totalDurationMs),
  };
  return { enabled, current_updates: { master } };
}
