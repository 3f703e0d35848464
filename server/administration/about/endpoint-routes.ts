/** The paths of all endpoints, so that the console needn't probe them one by one. Not in Synapse. */
import type { RouteOptions } from 'fastify';
import { getEndpoints } from '../../../shared/api/server.ts';
import type { Dialect } from '../../../shared/dialect.ts';
import { administrator } from '../../platform/http/policy.ts';
import type { App } from '../../platform/http/routes.ts';

/**
 * @param main the dialect that routes are mounted under
 * @param all all routes of the app, once it has started
 */
export function endpointRoutes(app: App, main: Dialect, all: readonly RouteOptions[]): void {
  const prefix = `${main.administration}/admin`;
  const pathsBelow = (folder: string) => [
    ...new Set(all.flatMap(({ url }) => (url.startsWith(`${folder}/`) ? [url.slice(folder.length)] : []))),
  ];
  app.get(`${prefix}/v1/endpoints`, { schema: getEndpoints, config: { policy: administrator } }, () => ({
    administration: pathsBelow(prefix),
    chat: pathsBelow(main.chat),
  }));
}
