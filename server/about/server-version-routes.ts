import { getServerVersion } from '../../shared/api/server.ts';
import { serverVersion } from '../core/version.ts';
import { administrator } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';

/** Interface: "GET …/server_version". */
export const serverVersionRoutes: Routes<unknown> = (app) => {
  app.get('/v1/server_version', { schema: getServerVersion, config: { policy: administrator } }, () => ({
    server_version: serverVersion,
  }));
};
