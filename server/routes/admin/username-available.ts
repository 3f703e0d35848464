import { getUsernameAvailable } from '../../../shared/api/register.ts';
import { requireFreeUsername } from '../../auth/registration.ts';
import type { Routes } from '../../http/routes.ts';

/** The same question as people who register ask, also where registration is off. */
export const usernameAvailableRoutes: Routes = (app, services) => {
  app.get('/v1/username_available', { schema: getUsernameAvailable }, async ({ query }) => {
    await requireFreeUsername(services, query.username);
    return { available: true };
  });
};
