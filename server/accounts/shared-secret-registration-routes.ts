import { getRegistrationNonce, postSharedSecretRegistration } from '../../shared/api/register.ts';
import { anyone } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import type { AccountContext } from './accounts.ts';
import { configuredSecret, type Nonces, registerWithSharedSecret } from './shared-secret-registration.ts';

/** Registration with the shared secret: the HMAC stands for the administrator's token. */
export const sharedSecretRegistrationRoutes: Routes<AccountContext & { nonces: Nonces }> = (
  app,
  services,
) => {
  const { nonces } = services;

  app.get('/v1/register', { schema: getRegistrationNonce, config: { policy: anyone } }, () => {
    configuredSecret(services);
    return { nonce: nonces.issue() };
  });

  app.post('/v1/register', { schema: postSharedSecretRegistration, config: { policy: anyone } }, ({ body }) =>
    registerWithSharedSecret(services, nonces, body),
  );
};
