import { getVersions } from '../../shared/api/server.ts';
import { anyone } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';

export const versionsRoutes: Routes<unknown> = (app) => {
  app.get('/versions', { schema: getVersions, config: { policy: anyone } }, () => ({
    versions: [
      'r0.6.1',
      'v1.1',
      'v1.2',
      'v1.3',
      'v1.4',
      'v1.5',
      'v1.6',
      'v1.7',
      'v1.8',
      'v1.9',
      'v1.10',
      'v1.11',
    ],
    unstable_features: {},
  }));
};
