import { getLoginFlows, postLogin, postLogout } from '../../../shared/api/login.ts';
import { tokenHash } from '../../auth/identifiers.ts';
import { logIn, loginTypes } from '../../auth/login.ts';
import { accessToken } from '../../http/authentication.ts';
import type { Routes } from '../../http/routes.ts';
import { deleteSession, deleteSessions, deleteToken } from '../../storage/sessions.ts';

/** Interface: "GET …/client/r0/login", "POST …/client/r0/login". */
export const loginRoutes: Routes = (app, services, dialect) => {
  const { db } = services;

  app.get('/login', { schema: getLoginFlows, config: { access: 'anyone' } }, () => ({
    flows: loginTypes(services, dialect).map((type) => ({ type })),
  }));

  app.post('/login', { schema: postLogin, config: { access: 'anyone' } }, ({ body }) =>
    logIn(services, dialect, body),
  );

  app.post('/logout', { schema: postLogout }, async (request) => {
    const { userId, deviceId } = request.requester;
    await db.transaction().execute(async (transaction) => {
      if (deviceId === null) await deleteToken(transaction, tokenHash(accessToken(request)));
      else await deleteSession(transaction, userId, deviceId);
    });
    return {};
  });

  app.post('/logout/all', { schema: postLogout }, async ({ requester }) => {
    await db.transaction().execute((transaction) => deleteSessions(transaction, requester.userId));
    return {};
  });
};
