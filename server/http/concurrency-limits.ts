/** Limits the concurrent calls of one user, and of all users, on routes that declare a concurrency limit. */
import { createLimiter, type Limiter, QueueFull } from '../core/limiter.ts';
import { MatrixError } from '../core/matrix-error.ts';
import { DatabaseFault } from '../database/fault.ts';
import type { App } from './routes.ts';

/** Applies to the routes added from now on. A call counts until its handler has finished. */
export function limitConcurrency(app: App): void {
  const limiters = new Map<string, Limiter>();

  app.addHook('onRoute', (route) => {
    const policy = route.config?.policy;
    if (!policy || policy.access === 'anyone' || !policy.concurrency) return;
    const { name, total, perUser, queuedPerUser = 0, refusal } = policy.concurrency;
    const limiter =
      limiters.get(name) ?? createLimiter({ total, perKey: perUser, queuedPerKey: queuedPerUser });
    limiters.set(name, limiter);
    const { handler } = route;
    route.handler = async function (request, reply) {
      const work = async () => {
        // The client left while it waited, or the server is stopping. Nobody reads the reply, but writes still count.
        if (request.method === 'GET' && reply.raw.destroyed) return void reply.hijack();
        try {
          return await handler.call(this, request, reply);
        } catch (error) {
          // The others would wait as long for the same error.
          if (isUnavailable(error)) limiter.rejectQueued(error);
          throw error;
        }
      };
      return limiter.run(request.requester.userId, work).catch((error: unknown) => {
        if (!(error instanceof QueueFull)) throw error;
        throw new MatrixError(429, 'M_LIMIT_EXCEEDED', refusal, { retry_after_ms: 1000 });
      });
    };
  });
}

const isUnavailable = (error: unknown) =>
  error instanceof DatabaseFault && (error.kind === 'unavailable' || error.kind === 'held');
