import { getServerVersion } from '../../../shared/api/server.ts';
import type { Routes } from '../../http/routes.ts';
import { serverVersion } from '../../version.ts';

/** Interface: "GET …/server_version". */
export const serverVersionRoutes: Routes = (app) => {
  app.get('/v1/server_version', { schema: getServerVersion }, () => ({ server_version: serverVersion }));
};
