import { getFederationVersion } from '../../../shared/api/server.ts';
import type { Routes } from '../../http/routes.ts';
import { serverVersion } from '../../version.ts';

/** Interface: "Changes by release", v1.130.0. */
export const federationVersionRoutes: Routes = (app) => {
  app.get('/v1/version', { schema: getFederationVersion, config: { access: 'anyone' } }, () => ({
    server: { name: 'Gatehouse', version: serverVersion },
  }));
};
