import { postLoginToken } from '../../../shared/api/account.ts';
import {
  getLoginFlows,
  type LoginResponse,
  postLogin,
  postLogout,
  postRefresh,
} from '../../../shared/api/login.ts';
import { unrecognized } from '../../platform/core/matrix-error.ts';
import { presentedToken } from '../../platform/http/authentication.ts';
import { anyone, type Policy, user } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { confirmPassword, type PasswordContext, withPassword } from '../accounts/confirm-password.ts';
import { passwordLimits } from '../accounts/password-guesses.ts';
import { refreshSession } from '../sessions/refresh.ts';
import type { DeviceDeletionContext } from '../sessions/sessions.ts';
import { endAllSessions, endSession, type NewSession } from '../sessions/sessions.ts';
import { type LoginContext, listedLogins, logIn } from './login.ts';
import { createLoginToken } from './login-tokens.ts';

const loggingIn: Policy = {
  ...anyone,
  limits: [
    { of: 'loginAddress', by: 'network' },
    // Once the credentials are valid.
    { of: 'loginAccount', by: 'in the handler' },
    ...passwordLimits,
  ],
};

const refreshing: Policy = { ...anyone, limits: [{ of: 'loginAddress', by: 'network' }] };

/** Matrix specification, client-server API, "Login". */
export const loginRoutes: Routes<LoginContext & PasswordContext & DeviceDeletionContext> = (app, context) => {
  app.get('/login', { schema: getLoginFlows, config: { policy: anyone } }, ({ dialect }) => ({
    flows: listedLogins(context, dialect),
  }));

  app.post('/login', { schema: postLogin, config: { policy: loggingIn } }, async (request) => {
    const session = await logIn(context, request, request.body);
    return asLoginResponse(session, context.config);
  });

  app.post('/refresh', { schema: postRefresh, config: { policy: refreshing } }, async ({ body }) => {
    if (context.config.externalAuthentication) throw unrecognized();
    const { accessToken, refreshToken, expiresInMs } = await refreshSession(context, body.refresh_token);
    return { access_token: accessToken, refresh_token: refreshToken, expires_in_ms: expiresInMs };
  });

  app.post(
    '/logout',
    { schema: postLogout, config: { policy: { ...user, evenIfLocked: true } } },
    async (request) => {
      await endSession(context, request.requester, presentedToken(request).hash);
      return {};
    },
  );

  app.post(
    '/logout/all',
    { schema: postLogout, config: { policy: { ...user, evenIfLocked: true } } },
    async ({ requester }) => {
      await endAllSessions(context, requester);
      return {};
    },
  );
};

/** Formats the response of a login or registration. */
export const asLoginResponse = (
  session: NewSession,
  { serverName }: { serverName: string },
): LoginResponse => ({
  user_id: session.userId,
  access_token: session.accessToken,
  home_server: serverName,
  device_id: session.deviceId,
  ...(session.refreshToken !== undefined && { refresh_token: session.refreshToken }),
  ...(session.expiresInMs !== undefined && { expires_in_ms: session.expiresInMs }),
});

/** Under …/client/v1: creates a token by which the user can log in on another device. */
export const loginTokenRoutes: Routes<LoginContext & PasswordContext> = (app, context) => {
  app.post(
    '/login/get_token',
    { schema: postLoginToken, config: { policy: withPassword } },
    async (request) => {
      const { body, requester, limiter } = request;
      const settings = context.config.loginViaExistingSession;
      if (!settings || context.config.externalAuthentication) throw unrecognized();
      const { auth } = body;
      const { userId } = requester;
      const create = async () => ({
        login_token: await createLoginToken(context, userId, {
          lifetimeMs: settings.tokenTimeoutMs,
          request: { requester, hash: presentedToken(request).hash },
        }),
        expires_in_ms: settings.tokenTimeoutMs,
      });
      if (!settings.requireUiAuth) return create();
      const operation = 'POST /login/get_token';
      return confirmPassword(
        context,
        limiter,
        { userId, operation, body: { ...(auth && { auth }) } },
        create,
      );
    },
  );
};
