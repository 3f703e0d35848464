import type { Config } from './config.ts';
import { ConfigurationError } from './configuration-error.ts';
import type { Settings } from './settings.ts';

/** Interface: "Authentication" 6. @throws ConfigurationError */
export function externalAuthentication({
  external_authentication_service: settings,
}: Settings): Config['externalAuthentication'] {
  if (!settings?.enabled) return undefined;
  const { endpoint, secret } = settings;
  if (endpoint === undefined || !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) {
    throw new ConfigurationError(
      'external_authentication_service.endpoint',
      'it has to be an HTTP or HTTPS address',
      'write where this server reaches the service, such as http://localhost:8080/',
    );
  }
  if (secret === undefined) {
    throw new ConfigurationError(
      'external_authentication_service.secret',
      'it is missing',
      'write the secret that is configured on that service',
    );
  }
  return { endpoint: endpoint.replace(/\/+$/, ''), secret };
}
