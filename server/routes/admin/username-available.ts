import { getUsernameAvailable } from '../../../shared/api/register.ts';
import { newUserId } from '../../auth/identifiers.ts';
import { MatrixError } from '../../http/matrix-error.ts';
import type { Routes } from '../../http/routes.ts';
import { findUser } from '../../storage/users.ts';

/** The same question as people who register ask, also where registration is off. */
export const usernameAvailableRoutes: Routes = (app, { config, db }) => {
  app.get('/v1/username_available', { schema: getUsernameAvailable }, async ({ query }) => {
    if (await findUser(db, newUserId(query.username, config.serverName))) {
      throw new MatrixError(400, 'M_USER_IN_USE', 'User ID already taken.');
    }
    return { available: true };
  });
};
