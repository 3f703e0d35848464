import { getUsernameAvailable, postRegister } from '../../../shared/api/register.ts';
import { createUser, openSession } from '../../auth/accounts.ts';
import { newUserId, randomSecret } from '../../auth/identifiers.ts';
import { forbidden, MatrixError, missingParameter } from '../../http/matrix-error.ts';
import type { Routes } from '../../http/routes.ts';
import { findUser } from '../../storage/users.ts';

/** Interface: "Other endpoints that are referenced", register. */
export const registrationRoutes: Routes = (app, services) => {
  const { db, config, interactiveSessions } = services;

  app.post('/register', { schema: postRegister, config: { access: 'anyone' } }, async ({ body, query }) => {
    if (query.kind === 'guest') throw new MatrixError(403, 'M_UNKNOWN', 'Guest access is disabled');
    if (!config.registration.enabled) throw forbidden('Registration has been disabled');
    const localpart = body.username?.toLowerCase() ?? generatedLocalpart();
    await refuseTakenUsername(localpart);
    if (body.password === undefined && body.auth) throw missingParameter("The body has to have 'password'");
    interactiveSessions.passDummyStage(body.auth);

    const { password } = body;
    const userId = await createUser(services, { localpart, ...(password === undefined ? {} : { password }) });
    if (body.inhibit_login) return { user_id: userId, home_server: config.serverName };
    return openSession(services, userId, body);
  });

  app.get(
    '/register/available',
    { schema: getUsernameAvailable, config: { access: 'anyone' } },
    async ({ query }) => {
      if (!config.registration.enabled) throw forbidden('Registration has been disabled');
      await refuseTakenUsername(query.username);
      return { available: true };
    },
  );

  async function refuseTakenUsername(localpart: string): Promise<void> {
    if (await findUser(db, newUserId(localpart, config.serverName))) {
      throw new MatrixError(400, 'M_USER_IN_USE', 'User ID already taken.');
    }
  }
};

/** A name for whoever did not ask for one. */
const generatedLocalpart = () =>
  `u${randomSecret()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .slice(0, 12)}`;
