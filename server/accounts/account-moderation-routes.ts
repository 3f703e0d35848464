import { getLocked, getSuspended, putLocked, putSuspended } from '../../shared/api/account-moderation.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/schema.ts';
import { administrator } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { moderate, readModerated } from './account-moderation.ts';

/** What administrators do to accounts from a chat client. */
export const accountModerationRoutes: Routes<{ db: Database; config: Config }> = (app, context) => {
  const config = { policy: administrator };

  app.get('/admin/lock/:userId', { schema: getLocked, config }, async ({ params, requester }) => {
    const about = { userId: params.userId, administrator: requester.userId };
    return { locked: (await readModerated(context, about)).locked };
  });

  app.put('/admin/lock/:userId', { schema: putLocked, config }, async ({ params, body, requester }) => {
    const about = { userId: params.userId, administrator: requester.userId };
    await moderate(context, about, { locked: body.locked });
    return { locked: body.locked };
  });

  app.get('/admin/suspend/:userId', { schema: getSuspended, config }, async ({ params, requester }) => {
    const about = { userId: params.userId, administrator: requester.userId };
    return { suspended: (await readModerated(context, about)).suspended };
  });

  app.put('/admin/suspend/:userId', { schema: putSuspended, config }, async ({ params, body, requester }) => {
    const about = { userId: params.userId, administrator: requester.userId };
    await moderate(context, about, { suspended: body.suspended });
    return { suspended: body.suspended };
  });
};
