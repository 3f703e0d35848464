import type { JsonObject } from '../../shared/api/common.ts';
import { getClientWellKnown } from '../../shared/api/server.ts';
import { notFound } from '../core/matrix-error.ts';
import { anyone } from '../http/policy.ts';
import type { App } from '../http/routes.ts';

/** What clients find out by this server's name. @param content undefined where nothing is told */
export function wellKnownRoutes(app: App, content: JsonObject | undefined | ''): void {
  app.get(
    '/.well-known/matrix/client',
    { schema: getClientWellKnown, config: { policy: anyone } },
    async () => {
      if (!content) throw notFound('.well-known not available');
      return content;
    },
  );
}
