/**
 * Asking the service that hands out access tokens what they say: OAuth 2.0 Token Introspection (RFC 7662).
 * Interface: "Authentication" 6.
 */
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { readJson } from '../../shared/read-json.ts';
import type { Config } from '../config/config.ts';
import { MatrixError } from '../core/matrix-error.ts';
import { createIntrospectionQueue, QueueFull } from './introspection-queue.ts';

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

/** How long an answer is waited for, in milliseconds, the time in the queue counted. */
const patience = 10_000;
/** How many tokens the service is asked about at once. */
const atOnce = 20;
/** How many more may wait for that; beyond, the network is turned away that asks most. */
const maximumWaiting = 1_000;
/** The longest answer that is read, in bytes. */
const maximumAnswer = 100_000;

/**
 * Asks the service about a token that came from a network.
 *
 * @throws MatrixError 503 where it gives no answer that can be understood, in time
 */
export type Introspect = (token: string, network: string) => Promise<Introspection>;

export function createIntrospection(service: ExternalService): Introspect {
  const queue = createIntrospectionQueue(atOnce, maximumWaiting);
  return async (token, network) => {
    const signal = AbortSignal.timeout(patience);
    const answer = await queue
      .run(network, () => introspect(service, token, signal))
      .catch((error: Error) => {
        if (error instanceof QueueFull) throw unavailable('has too many pending requests');
        throw unavailable(error.name === 'TimeoutError' ? 'timed out' : "couldn't be reached");
      });
    if (Value.Check(Introspection, answer)) return answer;
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
  signal.throwIfAborted();
  const response = await fetch(`${endpoint}/oauth2/introspect`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      accept: 'application/json',
      // Without it the service names the device in the scope only, where not every name has a place.
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
    if (length > maximumAnswer) throw new Error('response too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
