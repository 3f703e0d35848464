/** OAuth 2.0 Token Introspection (RFC 7662) at the external authentication service. */
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { readJson } from '../../../shared/read-json.ts';
import { createLimiter, QueueFull } from '../../platform/concurrency/limiter.ts';
import type { Config } from '../../platform/config/config.ts';
import { MatrixError } from '../../platform/core/matrix-error.ts';

export type ExternalService = NonNullable<Config['externalAuthentication']>;

export const Introspection = Type.Object(
  {
    active: Type.Boolean(),
    username: Type.Optional(Type.String()),
    scope: Type.Optional(Type.String()),
    device_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    /** Seconds since the Unix epoch. */
    exp: Type.Optional(Type.Number()),
    /** Seconds from now. */
    expires_in: Type.Optional(Type.Number()),
  },
  { additionalProperties: true },
);
export type Introspection = Static<typeof Introspection>;

/** In milliseconds, with the time in the queue. */
const timeout = 10_000;
/** By network, so that made-up tokens from one don't delay the users of others. */
const limits = { total: 20, queued: 1_000 };
/** In bytes. */
const maxResponseSize = 100_000;

/** @throws MatrixError 503 if the service sends no valid response in time */
type Introspect = (token: string, network: string) => Promise<Introspection>;

export function createIntrospection(service: ExternalService): Introspect {
  const limiter = createLimiter(limits);
  return async (token, network) => {
    const signal = AbortSignal.timeout(timeout);
    const response = await limiter
      .run(network, () => introspect(service, token, signal), signal)
      .catch((error: Error) => {
        if (error instanceof QueueFull) throw unavailable('has too many pending requests');
        throw unavailable(error.name === 'TimeoutError' ? 'timed out' : "couldn't be reached");
      });
    if (Value.Check(Introspection, response)) return response;
    throw unavailable('sent an invalid response');
  };
}

const unavailable = (problem: string) =>
  new MatrixError(503, 'M_UNKNOWN', `The authentication service ${problem}. Try again later.`, {
    retry_after_ms: 1_000,
  });

async function introspect(
  { endpoint, secret }: ExternalService,
  token: string,
  signal: AbortSignal,
): Promise<unknown> {
  const response = await fetch(`${endpoint}/oauth2/introspect`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      accept: 'application/json',
      // Without it the service names the device only in the scope, which can't hold every device ID.
      'x-mas-supports-device-id': '1',
    },
    body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
    redirect: 'error',
    signal,
  });
  if (response.ok) return readJson(await readText(response));
  await response.body?.cancel();
  throw new Error(`status ${response.status}`);
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > maxResponseSize) throw new Error('response too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
