import { Value } from 'typebox/value';
import {
  FailedRedactions,
  getRedactStatus,
  type RedactStatus,
  redactUser,
} from '../../../shared/api/users.ts';
import { notFound } from '../../http/matrix-error.ts';
import type { Routes } from '../../http/routes.ts';
import { requireUserId } from '../../rooms/identifiers.ts';
import { lockUser } from '../../storage/users.ts';
import { type RedactAllEventsParams, redactAllEventsAction } from '../../tasks/redact-all-events.ts';
import { scheduleOnce } from '../../tasks/schedule-once.ts';

/** Redacting everything that a user sent, and how far that is. */
export const userRedactionRoutes: Routes = (app, services) => {
  app.post('/v1/user/:user_id/redact', { schema: redactUser }, async ({ params, body, requester }) => {
    const userId = requireUserId(params.user_id);
    const task: RedactAllEventsParams = {
      user_id: userId,
      requester: requester.userId,
      rooms: body.rooms,
      reason: body.reason ?? null,
      limit: body.limit,
      use_admin: body.use_admin,
    };
    return {
      redact_id: await scheduleOnce(
        services,
        { action: redactAllEventsAction, params: task, resourceId: userId },
        lockUser,
        `Redact already in progress for user ${userId}`,
      ),
    };
  });

  app.get('/v1/user/redact_status/:redact_id', { schema: getRedactStatus }, async ({ params }) => {
    const task = await services.tasks.get(params.redact_id);
    if (task?.action !== redactAllEventsAction) throw notFound(`redact id '${params.redact_id}' not found`);
    const failed = (task.result as { failed_redactions?: unknown } | null)?.failed_redactions;
    const status: RedactStatus = {
      status: task.status,
      ...(task.status === 'failed' && { error: task.error ?? '' }),
      ...(Value.Check(FailedRedactions, failed) && { failed_redactions: failed }),
    };
    return status;
  });
};
