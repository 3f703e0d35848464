/** Counts what requests hold of what they read. */
import { holdReads } from '../core/held-reads.ts';
import type { App } from './routes.ts';

/** Counts it on all routes that the app gets from now on. */
export function countReads(app: App): void {
  app.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = function (request, reply) {
      // Whoever calls without a token shares what nobody in particular may hold.
      return holdReads(request.requester?.userId ?? '', () => handler.call(this, request, reply));
    };
  });
}
