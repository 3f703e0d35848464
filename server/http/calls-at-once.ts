/** Bounds how many calls of one user are under way at once, where a route declares that. */
import { MatrixError } from '../core/matrix-error.ts';
import type { AtOnce } from './policy.ts';
import type { App } from './routes.ts';

/** Holds the routes that the app gets from now on to their bounds: a call counts for as long as its handler runs. */
export function boundCallsAtOnce(app: App): void {
  const underWay = new Map<string, number>();

  /** Gives what ends the call. @throws MatrixError 429 */
  function begin({ name, calls, refusal }: AtOnce, userId: string): () => void {
    const key = `${name} ${userId}`;
    const others = underWay.get(key) ?? 0;
    if (others >= calls) throw new MatrixError(429, 'M_LIMIT_EXCEEDED', refusal, { retry_after_ms: 1000 });
    underWay.set(key, others + 1);
    return () => {
      const left = (underWay.get(key) ?? 0) - 1;
      if (left > 0) underWay.set(key, left);
      else underWay.delete(key);
    };
  }

  app.addHook('onRoute', (route) => {
    const policy = route.config?.policy;
    if (policy?.access !== 'user' || !policy.atOnce) return;
    const { atOnce } = policy;
    const { handler } = route;
    route.handler = async function (request, reply) {
      const end = begin(atOnce, request.requester.userId);
      try {
        return await handler.call(this, request, reply);
      } finally {
        end();
      }
    };
  });
}
