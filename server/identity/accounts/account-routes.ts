import { getWhoAmI, postDeactivate, postPassword } from '../../../shared/api/account.ts';
import { missingParameter, unrecognized } from '../../platform/core/matrix-error.ts';
import { userOrGuest } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { confirmPassword, type PasswordContext, withPassword } from './confirm-password.ts';
import { type DeactivationContext, deactivateAccount } from './deactivation.ts';
import { resetPassword } from './passwords.ts';

/** What users do with their own accounts. */
export const accountRoutes: Routes<PasswordContext & DeactivationContext> = (app, context) => {
  const { config } = context;
  // Accounts and passwords are then elsewhere.
  const requireOwnAccounts = () => {
    if (config.externalAuthentication) throw unrecognized();
  };

  app.get('/account/whoami', { schema: getWhoAmI, config: { policy: userOrGuest } }, ({ requester }) => ({
    user_id: requester.userId,
    is_guest: requester.guest === true,
    ...(requester.deviceId === null ? {} : { device_id: requester.deviceId }),
  }));

  app.post(
    '/account/password',
    { schema: postPassword, config: { policy: withPassword } },
    ({ body, requester, limiter }) => {
      requireOwnAccounts();
      const { userId, deviceId } = requester;
      const { new_password: password, auth } = body;
      const asked = typeof password === 'string';
      // Whoever only wants to know the stages need not say it yet.
      if (auth && !asked) throw missingParameter("Missing params: ['new_password']");
      const request = { userId, operation: 'POST /account/password', body: asked ? body : {} };
      return confirmPassword(context, limiter, request, async () => {
        if (asked)
          await resetPassword(context, userId, password, {
            asker: userId,
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
    ({ body, requester: { userId, appServiceId }, limiter }) => {
      requireOwnAccounts();
      const deactivate = async () => {
        const { erase } = body;
        await deactivateAccount(context, userId, { erase });
        return { id_server_unbind_result: 'success' };
      };
      // Users of an application service have no passwords.
      if (appServiceId !== undefined) return deactivate();
      const request = { userId, operation: 'POST /account/deactivate', body };
      return confirmPassword(context, limiter, request, deactivate);
    },
  );
};
