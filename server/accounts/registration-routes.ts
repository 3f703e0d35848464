import { getUsernameAvailable, postRegister } from '../../shared/api/register.ts';
import { getTokenValidity } from '../../shared/api/registration-tokens.ts';
import { MatrixError } from '../core/matrix-error.ts';
import { presentedToken } from '../http/authentication.ts';
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

/** Interface: "Other endpoints that are referenced", register. */
export const registrationRoutes: Routes<RegistrationContext> = (app, services, dialect) => {
  app.post('/register', { schema: postRegister, config: { access: 'anyone' } }, (request) => {
    const { body, query, ip } = request;
    if (query.kind === 'guest') throw new MatrixError(403, 'M_UNKNOWN', 'Guest access is disabled');
    if (body.type === 'm.login.application_service') {
      const hasToken = request.headers.authorization !== undefined || query.access_token !== undefined;
      return registerByAppService(services, dialect, hasToken ? presentedToken(request) : undefined, body);
    }
    services.rateLimiters.registration.take(ip);
    return registerPerson(services, body);
  });

  app.get(
    '/register/available',
    { schema: getUsernameAvailable, config: { access: 'anyone' } },
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
    { schema: getTokenValidity, config: { access: 'anyone' } },
    async ({ query, ip }) => {
      // Otherwise tokens could be guessed here.
      services.rateLimiters.registration.take(ip);
      const token = await findRegistrationToken(services.db, query.token);
      return { valid: token !== undefined && isValid(services, token) };
    },
  );
};
