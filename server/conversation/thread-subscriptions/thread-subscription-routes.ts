import {
  deleteThreadSubscription,
  getThreadSubscription,
  getThreadSubscriptions,
  putThreadSubscription,
} from '../../../shared/api/thread-subscriptions.ts';
import { invalidParameter } from '../../platform/core/matrix-error.ts';
import { settledChangePosition } from '../../platform/database/changes.ts';
import { user } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import {
  subscribeToThread,
  type ThreadContext,
  threadSubscription,
  threadSubscriptionChanges,
  unsubscribeFromThread,
} from './thread-subscriptions.ts';

/** Under …/client/unstable, until the proposals are part of the specification. */
export const threadSubscriptionRoutes: Routes<ThreadContext> = (app, context) => {
  const { db } = context;
  const path = '/io.element.msc4306/rooms/:roomId/thread/:threadId/subscription';
  const config = { policy: user };

  app.get(path, { schema: getThreadSubscription, config }, async ({ params, requester: { userId } }) => ({
    automatic: (await threadSubscription(db, { userId, ...params })) === 'automatic',
  }));

  app.put(
    path,
    { schema: putThreadSubscription, config },
    async ({ params, body, requester: { userId }, dialect }) => {
      await subscribeToThread(context, { userId, ...params }, body.automatic, dialect);
      return {};
    },
  );

  app.delete(
    path,
    { schema: deleteThreadSubscription, config },
    async ({ params, requester: { userId } }) => {
      await unsubscribeFromThread(context, { userId, ...params });
      return {};
    },
  );

  app.get(
    '/io.element.msc4308/thread_subscriptions',
    { schema: getThreadSubscriptions, config },
    async ({ query: { from, to, limit }, requester: { userId } }) => {
      const { next, ...changes } = await threadSubscriptionChanges(db, {
        userId,
        after: parseChangeToken('to', to) ?? 0,
        upTo: parseChangeToken('from', from) ?? (await settledChangePosition(db)),
        limit,
      });
      return { ...changes, ...(next !== undefined && { end: String(next) }) };
    },
  );
};

/** Parses the token of a page or of a sliding sync. @throws MatrixError 400 */
function parseChangeToken(name: string, token: string | undefined): number | undefined {
  if (token === undefined || token === '') return undefined;
  const [, position] = /^(?:\d{1,15}\/s\d{1,15}_)?(\d{1,15})$/.exec(token) ?? [];
  if (position === undefined) throw invalidParameter(`'${name}' parameter is invalid`);
  return Number(position);
}
