import { getFederationVersion } from '../../shared/api/server.ts';
import { serverVersion } from '../core/version.ts';
import { anyone } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';

/** Interface: "Changes by release", v1.130.0. */
export const federationVersionRoutes: Routes<unknown> = (app) => {
  app.get('/v1/version', { schema: getFederationVersion, config: { policy: anyone } }, () => ({
    server: { name: 'Gatehouse', version: serverVersion },
  }));
};
