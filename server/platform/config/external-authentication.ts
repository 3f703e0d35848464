/** Delegated authentication, such as by Matrix Authentication Service. */
import { type Static, Type } from 'typebox';
import { ConfigurationError } from './configuration-error.ts';
import { section } from './section.ts';

type ExternalAuthenticationConfig = { endpoint: string; secret: string };

const Service = Type.Object(
  {
    enabled: Type.Boolean({
      default: false,
      description: 'Delegates authentication to an external service; turns off login on this server',
    }),
    endpoint: Type.Optional(Type.String({ description: 'URL of that service, as this server reaches it' })),
    secret: Type.Optional(Type.String({ minLength: 1, description: 'Secret shared with that service' })),
  },
  { default: {}, additionalProperties: false },
);

export const externalAuthentication = section(
  { external_authentication_service: Service },
  ({ external_authentication_service: service }) => ({
    externalAuthentication: service.enabled ? required(service) : undefined,
  }),
);

function required({ endpoint, secret }: Static<typeof Service>): ExternalAuthenticationConfig {
  if (endpoint === undefined || !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) {
    throw new ConfigurationError(
      'external_authentication_service.endpoint',
      'must be an HTTP or HTTPS URL',
      'set the URL of the service, such as http://localhost:8080/',
    );
  }
  if (secret === undefined) {
    throw new ConfigurationError(
      'external_authentication_service.secret',
      'missing',
      'set the secret that is configured on the service',
    );
  }
  return { endpoint: endpoint.replace(/\/+$/, ''), secret };
}
