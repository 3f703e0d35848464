import { anyone } from '../http/policy.ts';
import type { App } from '../http/routes.ts';

/** Says that the server runs, to whatever watches over it. */
export function healthRoutes(app: App): void {
  app.get('/health', { config: { policy: anyone } }, (_request, reply) =>
    reply.type('text/plain').send('OK'),
  );
}
