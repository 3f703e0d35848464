import { getUsernameAvailable } from '../../shared/api/register.ts';
import { administrator } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import type { AccountContext } from './accounts.ts';
import { requireFreeUsername } from './registration.ts';

/** The same question as people who register ask, also where registration is off. */
export const usernameAvailableRoutes: Routes<AccountContext> = (app, services) => {
  app.get(
    '/v1/username_available',
    { schema: getUsernameAvailable, config: { policy: administrator } },
    async ({ query }) => {
      await requireFreeUsername(services, query.username);
      return { available: true };
    },
  );
};
