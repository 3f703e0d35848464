import { postDeactivate, postPassword } from '../../shared/api/account.ts';
import { getWhoAmI } from '../../shared/api/login.ts';
import { getWhoIs } from '../../shared/api/users.ts';
import { forbidden, unrecognized } from '../core/matrix-error.ts';
import type { Routes } from '../http/routes.ts';
import { confirmPassword, type PasswordContext } from './confirm-password.ts';
import { type DeactivationContext, deactivateAccount } from './deactivation.ts';
import { requireOwnUserId, resetPassword } from './user-administration.ts';
import { whoIs } from './whois.ts';

/** What users do with their own accounts. */
export const accountRoutes: Routes<PasswordContext & DeactivationContext> = (app, services) => {
  const { db, config } = services;
  // Accounts and passwords are then elsewhere.
  const requireOwnAccounts = () => {
    if (config.externalAuthentication) throw unrecognized();
  };

  app.get('/account/whoami', { schema: getWhoAmI }, ({ requester }) => ({
    user_id: requester.userId,
    is_guest: false,
    ...(requester.deviceId === null ? {} : { device_id: requester.deviceId }),
  }));

  app.post('/account/password', { schema: postPassword }, ({ body, requester }) => {
    requireOwnAccounts();
    const { userId, deviceId } = requester;
    return confirmPassword(services, { userId, operation: 'POST /account/password', body }, async () => {
      await resetPassword(services, userId, body.new_password, {
        logoutDevices: body.logout_devices,
        exceptDevice: deviceId,
      });
      return {};
    });
  });

  app.post('/account/deactivate', { schema: postDeactivate }, ({ body, requester: { userId } }) => {
    requireOwnAccounts();
    return confirmPassword(services, { userId, operation: 'POST /account/deactivate', body }, async () => {
      const { erase } = body;
      await deactivateAccount(services, userId, { erase });
      return { id_server_unbind_result: 'success' };
    });
  });

  app.get('/admin/whois/:user_id', { schema: getWhoIs }, ({ params, requester }) => {
    const userId = requireOwnUserId(params.user_id, config.serverName, 'Can only whois a local user');
    if (userId !== requester.userId && !requester.admin) throw forbidden('You are not a server admin');
    return whoIs(db, userId);
  });
};
