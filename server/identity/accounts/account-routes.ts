import {
  getOpenIdUser,
  getThreepids,
  getWhoAmI,
  postDeactivate,
  postOpenIdToken,
  postOwnThreepid,
  postPassword,
  refusedThreepid,
} from '../../../shared/api/account.ts';
import type { Config } from '../../platform/config/config.ts';
import { forbidden, MatrixError, missingParameter, unrecognized } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { anyone, type UserPolicy, user, userOrGuest } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { confirmPassword, type PasswordContext, withPassword } from './confirm-password.ts';
import { type DeactivationContext, deactivateAccount } from './deactivation.ts';
import { deleteThreepid, listThreepids } from './identity-store.ts';
import { createOpenIdToken, type OpenIdContext, openIdLifetime, redeemOpenIdToken } from './openid.ts';
import { resetPassword } from './passwords.ts';

/** For users' own accounts. Matrix specification, client-server API, "Account management". */
export const accountRoutes: Routes<PasswordContext & DeactivationContext> = (app, context) => {
  const { config } = context;
  // With external authentication, accounts are managed there.
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
      const hasPassword = typeof password === 'string';
      // A first request, which only returns the stages, may omit it.
      if (auth && !hasPassword) throw missingParameter("Missing params: ['new_password']");
      const request = { userId, operation: 'POST /account/password', body: hasPassword ? body : {} };
      return confirmPassword(context, limiter, request, async () => {
        if (hasPassword) {
          const { logout_devices: logoutDevices } = body;
          const reset = { limiterKey: userId, logoutDevices, exceptDevice: deviceId };
          await resetPassword(context, userId, password, reset);
        }
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
        await deactivateAccount(context, userId, { erase: body.erase });
        return { id_server_unbind_result: 'success' };
      };
      // Users of application services have no password.
      if (appServiceId !== undefined) return deactivate();
      const request = { userId, operation: 'POST /account/deactivate', body };
      return confirmPassword(context, limiter, request, deactivate);
    },
  );
};

type ThreepidContext = { db: Database; config: Pick<Config, 'externalAuthentication'> };

/**
 * Email addresses and phone numbers, which administrators add and users can delete: this server sends no email and uses
 * no identity server. Matrix specification, client-server API, "Adding Account Administrative Contact Information".
 */
export const threepidRoutes: Routes<ThreepidContext> = (app, context) => {
  app.get('/account/3pid', { schema: getThreepids, config: { policy: user } }, async ({ requester }) => ({
    threepids: (await listThreepids(context.db, requester.userId)).map((threepid) => ({
      medium: threepid.medium,
      address: threepid.address,
      validated_at: threepid.validatedTs,
      added_at: threepid.addedTs,
    })),
  }));

  app.post(
    '/account/3pid/unbind',
    { schema: postOwnThreepid, config: { policy: user } },
    async () => unbound,
  );

  app.post(
    '/account/3pid/delete',
    { schema: postOwnThreepid, config: { policy: user } },
    async ({ body, requester }) => {
      if (context.config.externalAuthentication) throw forbidden('3PID changes are disabled on this server');
      await deleteThreepid(context.db, requester.userId, body);
      return unbound;
    },
  );

  for (const [path, policy, errcode, sentence] of refusals) {
    app.post(path, { schema: refusedThreepid, config: { policy } }, async () => {
      throw new MatrixError(400, errcode, sentence);
    });
  }
};

const unbound = { id_server_unbind_result: 'no-support' };

const refusals = [
  ['/account/3pid', user, 'M_THREEPID_AUTH_FAILED', 'No validated 3pid session found'],
  ['/account/3pid/add', user, 'M_THREEPID_AUTH_FAILED', 'No validated 3pid session found'],
  ['/account/3pid/bind', user, 'M_UNKNOWN', "This server doesn't use identity servers"],
  [
    '/account/3pid/email/requestToken',
    anyone,
    'M_THREEPID_MEDIUM_NOT_SUPPORTED',
    'Adding an email to your account is disabled on this server',
  ],
  [
    '/account/3pid/msisdn/requestToken',
    anyone,
    'M_THREEPID_MEDIUM_NOT_SUPPORTED',
    'Adding phone numbers to user account is not supported by this homeserver',
  ],
  [
    '/account/password/email/requestToken',
    anyone,
    'M_UNKNOWN',
    'Email-based password resets have been disabled on this server',
  ],
  [
    '/account/password/msisdn/requestToken',
    anyone,
    'M_UNKNOWN',
    'Password resets by phone number are not supported on this homeserver',
  ],
  [
    '/register/email/requestToken',
    anyone,
    'M_UNKNOWN',
    'Email-based registration has been disabled on this server',
  ],
  [
    '/register/msisdn/requestToken',
    anyone,
    'M_UNKNOWN',
    'Registration by phone number is not supported on this homeserver',
  ],
] as const;

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
