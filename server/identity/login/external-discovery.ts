import type { JsonObject } from '../../../shared/api/common.ts';
import { isObject } from '../../../shared/is-object.ts';
import { readJson } from '../../../shared/read-json.ts';
import { ConfigurationError } from '../../platform/config/configuration-error.ts';
import { isAtLeast } from '../../platform/core/version.ts';
import type { ExternalService } from './introspection.ts';

/** In milliseconds. */
const timeouts = { discovery: 5_000, start: 10_000 };

/** Returns the authentication service's OpenID Connect discovery document, or undefined if it isn't available. */
export async function discoveryDocument({ endpoint }: ExternalService): Promise<JsonObject | undefined> {
  try {
    const response = await fetch(`${endpoint}/.well-known/openid-configuration`, {
      redirect: 'error',
      signal: AbortSignal.timeout(timeouts.discovery),
    });
    const document: unknown = response.ok ? readJson(await response.text()) : undefined;
    return isObject(document) ? document : undefined;
  } catch {
    return undefined;
  }
}

const setting = 'external_authentication_service.endpoint';
const minimumVersion = '0.20.0';

/**
 * Checks that the service is reachable and recent. It may report its version to its administrators only; then accepting
 * the secret is enough, as no version before 0.20.0 does.
 *
 * @throws ConfigurationError otherwise
 */
export async function requireServiceVersion(service: ExternalService): Promise<void> {
  const version = await fetchVersion(service);
  if (version !== undefined) {
    if (isAtLeast(minimumVersion, version)) return;
    throw tooOld(`version ${version}`);
  }
  const response = await request(service, '/oauth2/introspect', {
    method: 'POST',
    body: new URLSearchParams({ token: 'none', token_type_hint: 'access_token' }),
  });
  if (response.ok) return;
  if (response.status < 500) {
    throw new ConfigurationError(
      'external_authentication_service.secret',
      `rejected by the service (${response.status}); the secret is different or the service is older than 0.20.0`,
      'set the secret that is configured on the service, and upgrade the service to 0.20.0 or later',
    );
  }
  throw unreachable(`the service responds with status ${response.status}`);
}

async function fetchVersion(service: ExternalService): Promise<string | undefined> {
  const response = await request(service, '/api/admin/v1/version', {});
  if (!response.ok) return undefined;
  const body = (await response
    .text()
    .then(readJson)
    .catch(() => undefined)) as { version?: unknown } | null | undefined;
  // Safe to print on a terminal.
  if (typeof body?.version === 'string') return body.version.slice(0, 40).replaceAll(/[^\x20-\x7e]/g, '?');
  throw tooOld("the service doesn't report its version");
}

async function request(
  { endpoint, secret }: ExternalService,
  path: string,
  options: RequestInit,
): Promise<Response> {
  return fetch(endpoint + path, {
    ...options,
    headers: { authorization: `Bearer ${secret}`, accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeouts.start),
  }).catch((error: Error) => {
    const { code } = (error.cause ?? {}) as { code?: string };
    throw unreachable(`can't reach the service (${code ?? error.name})`);
  });
}

const tooOld = (found: string) =>
  new ConfigurationError(setting, `${found}, but 0.20.0 or later is required`, 'upgrade the service');

const unreachable = (problem: string) =>
  new ConfigurationError(setting, problem, 'start the service first or correct the URL');
