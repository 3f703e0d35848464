import {
  getRegistrationNonce,
  getTokenValidity,
  getUsernameAvailable,
  postRegister,
  postSharedSecretRegistration,
  type RegisterRequest,
  type RegisterResponse,
} from '../../../shared/api/registration.ts';
import { MatrixError } from '../../platform/core/matrix-error.ts';
import { networkOf } from '../../platform/core/network.ts';
import { presentedToken } from '../../platform/http/authentication.ts';
import { administrator, anyone, type Policy } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { AccountContext } from '../accounts/create-user.ts';
import { asLoginResponse } from '../login/login-routes.ts';
import { registerGuest } from './guests.ts';
import {
  type Registration,
  type RegistrationContext,
  registerByAppService,
  requireFreeUsername,
  requireOpenRegistration,
} from './registration.ts';
import { findRegistrationToken } from './registration-store.ts';
import { isValid, pendingUsesOf } from './registration-tokens.ts';
import { configuredSecret, type Nonces, registerWithSharedSecret } from './shared-secret-registration.ts';
import { registerUser } from './user-registration.ts';

const appServiceRegistration = 'm.login.application_service';

const registering: Policy = {
  ...anyone,
  limits: [
    {
      of: 'registration',
      // Application services have authenticated themselves.
      by: ({ body, network }) =>
        (body as RegisterRequest).type === appServiceRegistration ? [] : [{ name: network() }],
    },
  ],
};

/** Limited as registration is: the endpoint reveals whether a guessed token exists. */
const tryingToken: Policy = { ...anyone, limits: [{ of: 'registration', by: 'network' }] };

export const registrationRoutes: Routes<RegistrationContext> = (app, context) => {
  app.post('/register', { schema: postRegister, config: { policy: registering } }, async (request) => {
    const { body, query } = request;
    if (query.kind !== undefined && query.kind !== 'guest' && query.kind !== 'user') {
      throw new MatrixError(400, 'M_UNRECOGNIZED', `Do not understand membership kind: ${query.kind}`);
    }
    if (query.kind === 'guest') return asLoginResponse(await registerGuest(context, body), context.config);
    if (body.type === appServiceRegistration) {
      const hasToken = request.headers.authorization !== undefined || query.access_token !== undefined;
      const presented = hasToken ? presentedToken(request) : undefined;
      return asResponse(await registerByAppService(context, request.dialect, presented, body));
    }
    return asResponse(await registerUser(context, body, networkOf(request.ip)));
  });

  app.get(
    '/register/available',
    { schema: getUsernameAvailable, config: { policy: anyone } },
    async ({ query }) => {
      requireOpenRegistration(context);
      await requireFreeUsername(context, query.username);
      return { available: true };
    },
  );

  const asResponse = ({ userId, session }: Registration): RegisterResponse =>
    session
      ? asLoginResponse(session, context.config)
      : { user_id: userId, home_server: context.config.serverName };
};

export const registrationTokenValidityRoutes: Routes<RegistrationContext> = (app, context) => {
  app.get(
    '/register/m.login.registration_token/validity',
    { schema: getTokenValidity, config: { policy: tryingToken } },
    async ({ query }) => {
      const token = await findRegistrationToken(context.db, query.token);
      return {
        valid: token !== undefined && isValid(context, token, await pendingUsesOf(context, token.token)),
      };
    },
  );
};

/** Needs no access token: the HMAC authenticates the administrator. */
export const sharedSecretRegistrationRoutes: Routes<AccountContext & { nonces: Nonces }> = (app, context) => {
  const { nonces } = context;

  app.get('/v1/register', { schema: getRegistrationNonce, config: { policy: anyone } }, () => {
    configuredSecret(context);
    return { nonce: nonces.issue() };
  });

  app.post(
    '/v1/register',
    { schema: postSharedSecretRegistration, config: { policy: anyone } },
    async ({ body, ip }) =>
      asLoginResponse(await registerWithSharedSecret(context, nonces, body, networkOf(ip)), context.config),
  );
};

/** Username availability for administrators, even if registration is disabled. */
export const usernameAvailableRoutes: Routes<AccountContext> = (app, context) => {
  app.get(
    '/v1/username_available',
    { schema: getUsernameAvailable, config: { policy: administrator } },
    async ({ query }) => {
      await requireFreeUsername(context, query.username);
      return { available: true };
    },
  );
};
