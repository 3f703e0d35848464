import { Value } from 'typebox/value';
import {
  FailedRedactions,
  getRedactStatus,
  type RedactStatus,
  redactUser,
} from '../../../shared/api/users.ts';
import { lockUser } from '../../identity/accounts/user-store.ts';
import type { Config } from '../../platform/config/config.ts';
import { requireUserId } from '../../platform/core/identifiers.ts';
import { notFound } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { administrator } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { type Scheduler, scheduleOnce } from '../../platform/tasks/scheduler.ts';
import { redactAllEventsTask } from './redact-all-events-task.ts';

/** Redacting a user's events: Synapse's admin API for users. */
export const userRedactionRoutes: Routes<{ config: Config; db: Database; tasks: Scheduler }> = (
  app,
  context,
) => {
  app.post(
    '/v1/user/:user_id/redact',
    { schema: redactUser, config: { policy: administrator } },
    async ({ params, body, requester }) => {
      const userId = requireUserId(params.user_id);
      const task = {
        user_id: userId,
        requester: requester.userId,
        rooms: body.rooms,
        reason: body.reason ?? null,
        limit: body.limit,
        use_admin: body.use_admin,
        ...(body.after_ts !== undefined && { after_ts: body.after_ts }),
        ...(body.before_ts !== undefined && { before_ts: body.before_ts }),
      };
      return {
        redact_id: await scheduleOnce(
          context,
          redactAllEventsTask,
          { params: task, resourceId: userId, requestedBy: requester.userId },
          lockUser,
          `Redact already in progress for user ${userId}`,
        ),
      };
    },
  );

  app.get(
    '/v1/user/redact_status/:redact_id',
    { schema: getRedactStatus, config: { policy: administrator } },
    async ({ params }) => {
      const task = await context.tasks.get(params.redact_id);
      if (task?.action !== redactAllEventsTask.action)
        throw notFound(`redact id '${params.redact_id}' not found`);
      const failed = (task.result as { failed_redactions?: unknown } | null)?.failed_redactions;
      const status: RedactStatus = {
        status: task.status,
        ...(task.status === 'failed' && { error: task.error ?? '' }),
        ...(Value.Check(FailedRedactions, failed) && { failed_redactions: failed }),
      };
      return status;
    },
  );
};
