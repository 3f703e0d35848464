import type { JsonObject } from '../../../shared/api/common.ts';
import { isObject } from '../../../shared/is-object.ts';
import { readJson } from '../../../shared/read-json.ts';
import type { Config } from '../../platform/config/config.ts';
import { ConfigurationError } from '../../platform/config/configuration-error.ts';
import { isAtLeast } from '../../platform/core/version.ts';
import type { ExternalService } from './introspection.ts';

/** In milliseconds. */
const timeout = 5_000;

/** Returns the authentication service's OpenID Connect discovery document, or undefined if it gives none. */
export async function discoveryDocument({ endpoint }: ExternalService): Promise<JsonObject | undefined> {
  try {
    const reply = await fetch(`${endpoint}/.well-known/openid-configuration`, {
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    });
    const document: unknown = reply.ok ? readJson(await reply.text()) : undefined;
    return isObject(document) ? document : undefined;
  } catch {
    return undefined;
  }
}

type Service = NonNullable<Config['externalAuthentication']>;

const setting = 'external_authentication_service.endpoint';
const oldest = '0.20.0';
/** How long an answer is waited for, in milliseconds. */
const patience = 10_000;

/**
 * Makes sure that the service can be reached and is new enough. It tells its version only to its own
 * administrators, unless it lets this server's secret pass for one; then what counts is that it takes the
 * secret, which no version before 0.20.0 does.
 *
 * @throws ConfigurationError that names the version that was found
 */
export async function requireServiceVersion(service: Service): Promise<void> {
  const version = await askVersion(service);
  if (version !== undefined) {
    if (isAtLeast(oldest, version)) return;
    throw tooOld(`version ${version}`);
  }
  const reply = await ask(service, '/oauth2/introspect', {
    method: 'POST',
    body: new URLSearchParams({ token: 'none', token_type_hint: 'access_token' }),
  });
  if (reply.ok) return;
  if (reply.status < 500) {
    throw new ConfigurationError(
      'external_authentication_service.secret',
      `rejected by the service (${reply.status}); the secret is different or the service is older than 0.20.0`,
      'set the secret that is configured on the service, and upgrade the service to 0.20.0 or later',
    );
  }
  throw unreachable(`the service responds with status ${reply.status}`);
}

async function askVersion(service: Service): Promise<string | undefined> {
  const reply = await ask(service, '/api/admin/v1/version', {});
  if (!reply.ok) return undefined;
  const body = (await reply
    .text()
    .then(readJson)
    .catch(() => undefined)) as { version?: unknown } | null | undefined;
  // It is shown on a terminal.
  if (typeof body?.version === 'string') return body.version.slice(0, 40).replaceAll(/[^\x20-\x7e]/g, '?');
  throw tooOld("the service doesn't report its version");
}

async function ask({ endpoint, secret }: Service, path: string, request: RequestInit): Promise<Response> {
  return fetch(endpoint + path, {
    ...request,
    headers: { authorization: `Bearer ${secret}`, accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(patience),
  }).catch((error: Error) => {
    const { code } = (error.cause ?? {}) as { code?: string };
    throw unreachable(`can't reach the service (${code ?? error.name})`);
  });
}

const tooOld = (found: string) =>
  new ConfigurationError(setting, `${found}, but 0.20.0 or later is required`, 'upgrade the service');

const unreachable = (problem: string) =>
  new ConfigurationError(setting, problem, 'start the service first or correct the URL');
