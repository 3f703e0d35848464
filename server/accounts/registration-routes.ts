import { getUsernameAvailable, postRegister, type RegisterRequest } from '../../shared/api/register.ts';
import { getTokenValidity } from '../../shared/api/registration-tokens.ts';
import { MatrixError } from '../core/matrix-error.ts';
import { presentedToken } from '../http/authentication.ts';
import { anyone, type Policy } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import {
  type RegistrationContext,
  registerByAppService,
  registerPerson,
  requireFreeUsername,
  requireOpenRegistration,
} from './registration.ts';
import { isValid } from './registration-token-stage.ts';
import { findRegistrationToken } from './registration-token-store.ts';

const appServiceRegistration = 'm.login.application_service';

const registering: Policy = {
  ...anyone,
  limits: [
    {
      of: 'registration',
      // Application services have shown who they are.
      by: ({ body, network }) =>
        (body as RegisterRequest).type === appServiceRegistration ? [] : [{ name: network }],
    },
  ],
};

/** Tokens could be guessed where they are only asked about, too. */
const tryingToken: Policy = { ...anyone, limits: [{ of: 'registration', by: 'network' }] };

/** Interface: "Other endpoints that are referenced", register. */
export const registrationRoutes: Routes<RegistrationContext> = (app, services, dialect) => {
  app.post('/register', { schema: postRegister, config: { policy: registering } }, (request) => {
    const { body, query } = request;
    if (query.kind === 'guest') throw new MatrixError(403, 'M_UNKNOWN', 'Guest access is disabled');
    if (body.type === appServiceRegistration) {
      const hasToken = request.headers.authorization !== undefined || query.access_token !== undefined;
      return registerByAppService(services, dialect, hasToken ? presentedToken(request) : undefined, body);
    }
    return registerPerson(services, body);
  });

  app.get(
    '/register/available',
    { schema: getUsernameAvailable, config: { policy: anyone } },
    async ({ query }) => {
      requireOpenRegistration(services);
      await requireFreeUsername(services, query.username);
      return { available: true };
    },
  );
};

/** Interface: "Other endpoints that are referenced", registration-token validity. */
export const registrationTokenValidityRoutes: Routes<RegistrationContext> = (app, services) => {
  app.get(
    '/register/m.login.registration_token/validity',
    { schema: getTokenValidity, config: { policy: tryingToken } },
    async ({ query }) => {
      const token = await findRegistrationToken(services.db, query.token);
      return { valid: token !== undefined && isValid(services, token) };
    },
  );
};
