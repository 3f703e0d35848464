import { Value } from 'typebox/value';
import {
  FailedRedactions,
  getRedactStatus,
  type RedactStatus,
  redactUser,
} from '../../../shared/api/users.ts';
import { MatrixError, notFound } from '../../http/matrix-error.ts';
import type { Routes } from '../../http/routes.ts';
import { requireUserId } from '../../rooms/identifiers.ts';
import { listTasks } from '../../storage/scheduled-tasks.ts';
import { lockUser } from '../../storage/users.ts';
import { type RedactAllEventsParams, redactAllEventsAction } from '../../tasks/redact-all-events.ts';

/** Redacting everything that a user sent, and how far that is. */
export const userRedactionRoutes: Routes = (app, { db, tasks }) => {
  app.post('/v1/user/:user_id/redact', { schema: redactUser }, async ({ params, body, requester }) => {
    const userId = requireUserId(params.user_id);
    const action = redactAllEventsAction;
    const task: RedactAllEventsParams = {
      user_id: userId,
      requester: requester.userId,
      rooms: body.rooms,
      reason: body.reason ?? null,
      limit: body.limit,
      use_admin: body.use_admin,
    };
    const redact_id = await db.transaction().execute(async (trx) => {
      // One request at a time for a user, so that the second one finds the first one's task.
      await lockUser(trx, userId);
      for (const status of ['scheduled', 'active'] as const) {
        const [running] = await listTasks(trx, { action, resourceId: userId, status });
        if (running) {
          throw new MatrixError(400, 'M_UNKNOWN', `Redact already in progress for user ${userId}`);
        }
      }
      return tasks.schedule({ action, params: task, resourceId: userId }, trx);
    });
    tasks.wake();
    return { redact_id };
  });

  app.get('/v1/user/redact_status/:redact_id', { schema: getRedactStatus }, async ({ params }) => {
    const task = await tasks.get(params.redact_id);
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
