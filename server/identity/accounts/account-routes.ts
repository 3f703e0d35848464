import {
  getOpenIdUser,
  getWhoAmI,
  postDeactivate,
  postOpenIdToken,
  postPassword,
} from '../../../shared/api/account.ts';
import type { Config } from '../../platform/config/config.ts';
import { forbidden, MatrixError, missingParameter, unrecognized } from '../../platform/core/matrix-error.ts';
import { anyone, type UserPolicy, user, userOrGuest } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { confirmPassword, type PasswordContext, withPassword } from './confirm-password.ts';
import { type DeactivationContext, deactivateAccount } from './deactivation.ts';
import { createOpenIdToken, type OpenIdContext, openIdLifetime, redeemOpenIdToken } from './openid.ts';
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

const ownTokens: UserPolicy = {
  ...user,
  limits: [{ of: 'accountData', by: 'user' }],
  self: { parameter: 'userId', refusal: () => forbidden('Cannot request tokens for other users.') },
};

export const openIdRoutes: Routes<OpenIdContext & { config: Pick<Config, 'serverName'> }> = (
  app,
  context,
) => {
  app.post(
    '/user/:userId/openid/request_token',
    { schema: postOpenIdToken, config: { policy: ownTokens } },
    async ({ requester }) => ({
      access_token: await createOpenIdToken(context, requester.userId),
      token_type: 'Bearer',
      matrix_server_name: context.config.serverName,
      expires_in: openIdLifetime / 1000,
    }),
  );
};

/** Under …/federation. Server-server API, "OpenID". */
export const openIdUserRoutes: Routes<OpenIdContext> = (app, context) => {
  app.get('/v1/openid/userinfo', { schema: getOpenIdUser, config: { policy: anyone } }, async ({ query }) => {
    if (!query.access_token) throw new MatrixError(401, 'M_MISSING_TOKEN', 'Access Token required');
    return { sub: await redeemOpenIdToken(context, query.access_token) };
  });
};
