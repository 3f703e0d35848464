import { postDeactivate, postPassword } from '../../shared/api/account.ts';
import { getWhoAmI } from '../../shared/api/login.ts';
import { getWhoIs } from '../../shared/api/users.ts';
import { isUserId } from '../core/identifiers.ts';
import { forbidden, invalidParameter, unrecognized } from '../core/matrix-error.ts';
import { type UserPolicy, user } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { confirmPassword, type PasswordContext, withPassword } from './confirm-password.ts';
import { type DeactivationContext, deactivateAccount } from './deactivation.ts';
import { requireOwnUserId, resetPassword } from './user-administration.ts';
import { type WhoIsContext, whoIs } from './whois.ts';

/** What users do with their own accounts. */
export const accountRoutes: Routes<PasswordContext & DeactivationContext & WhoIsContext> = (
  app,
  services,
) => {
  const { config } = services;
  // Accounts and passwords are then elsewhere.
  const requireOwnAccounts = () => {
    if (config.externalAuthentication) throw unrecognized();
  };

  app.get('/account/whoami', { schema: getWhoAmI, config: { policy: user } }, ({ requester }) => ({
    user_id: requester.userId,
    is_guest: false,
    ...(requester.deviceId === null ? {} : { device_id: requester.deviceId }),
  }));

  app.post(
    '/account/password',
    { schema: postPassword, config: { policy: withPassword } },
    ({ body, requester, limiter }) => {
      requireOwnAccounts();
      const { userId, deviceId } = requester;
      const request = { userId, operation: 'POST /account/password', body };
      return confirmPassword(services, limiter, request, async () => {
        await resetPassword(services, userId, body.new_password, {
          logoutDevices: body.logout_devices,
          exceptDevice: deviceId,
        });
        return {};
      });
    },
  );

  app.post(
    '/account/deactivate',
    { schema: postDeactivate, config: { policy: withPassword } },
    ({ body, requester: { userId }, limiter }) => {
      requireOwnAccounts();
      const request = { userId, operation: 'POST /account/deactivate', body };
      return confirmPassword(services, limiter, request, async () => {
        const { erase } = body;
        await deactivateAccount(services, userId, { erase });
        return { id_server_unbind_result: 'success' };
      });
    },
  );

  app.get(
    '/admin/whois/:user_id',
    { schema: getWhoIs, config: { policy: selfOrAdministrator } },
    ({ params }) => {
      const userId = requireOwnUserId(params.user_id, config.serverName, 'Can only whois a local user');
      return whoIs(services, userId);
    },
  );
};

const selfOrAdministrator: UserPolicy = {
  ...user,
  self: {
    parameter: 'user_id',
    orAdministrator: true,
    refusal: (userId) =>
      isUserId(userId) ? forbidden('You are not a server admin') : invalidParameter('Invalid user id'),
  },
};
