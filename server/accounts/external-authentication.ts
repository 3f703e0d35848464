/**
 * Access tokens that another service hands out: this server asks it whose they are. Interface:
 * "Authentication" 6; OAuth 2.0 Token Introspection (RFC 7662).
 */
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Config } from '../config/config.ts';
import type { Cache } from '../core/cache.ts';
import type { Clock } from '../core/clock.ts';
import { newUserId } from '../core/identifiers.ts';
import { MatrixError, unknownToken, userLocked } from '../core/matrix-error.ts';
import type { Requester } from '../core/requester.ts';
import { tokenHash } from '../core/secrets.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import { ensureDevice } from './device-store.ts';
import { findUser, insertUser, type User } from './user-store.ts';

/** How long an answer counts at the most, in milliseconds; no longer than the token itself. */
const cacheLifetime = 120_000;
/** How long an answer is waited for, in milliseconds. */
const patience = 10_000;

const apiScopes = ['urn:matrix:client:api:*', 'urn:matrix:org.matrix.msc2967.client:api:*'];
const deviceScopes = ['urn:matrix:client:device:', 'urn:matrix:org.matrix.msc2967.client:device:'];
const adminScope = 'urn:synapse:admin:*';

const Introspection = Type.Object(
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
type Introspection = Static<typeof Introspection>;

/** What a token says, as long as it may be believed. */
type Grant = { userId: string; deviceId: string | null; admin: boolean; until: number };

/** What the service answered, by digests of the tokens. */
export type Grants = Cache<string, Grant>;

export type ExternalAuthentication = {
  /**
   * Whom a token speaks for.
   *
   * @throws MatrixError 401 for a token that is not good; 503 where the service gives no answer
   */
  identify(token: string, evenIfLocked: boolean): Promise<Requester>;
};

type ExternalServices = { config: Config; clock: Clock; db: Database };

export function createExternalAuthentication(
  services: ExternalServices,
  service: NonNullable<Config['externalAuthentication']>,
  grants: Grants,
): ExternalAuthentication {
  async function grantOf(token: string): Promise<Grant> {
    const key = tokenHash(token);
    const known = grants.get(key);
    if (known && services.clock.now() < known.until) return known;
    grants.delete(key);
    const now = services.clock.now();
    const grant = readGrant(await introspect(service, token), services.config.serverName, now);
    await makeKnown(services, grant);
    grants.set(key, grant);
    return grant;
  }

  return {
    async identify(token, evenIfLocked) {
      const { userId, deviceId, admin } = await grantOf(token);
      const user = await findUser(services.db, userId);
      if (!user || user.deactivated) throw unknownToken('This account has been deactivated');
      if (user.locked && !evenIfLocked) throw userLocked();
      return { userId, deviceId, admin, ...restrictionsOf(user), actsFor: undefined };
    },
  };
}

const restrictionsOf = ({ suspended, shadowBanned }: User) => ({ suspended, shadowBanned });

async function introspect(
  { endpoint, secret }: NonNullable<Config['externalAuthentication']>,
  token: string,
): Promise<Introspection> {
  const answer: unknown = await fetch(`${endpoint}/oauth2/introspect`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      accept: 'application/json',
      // Without it the service names the device in the scope only, where not every name has a place.
      'x-mas-supports-device-id': '1',
    },
    body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
    redirect: 'error',
    signal: AbortSignal.timeout(patience),
  })
    .then((response) => (response.ok ? response.json() : undefined))
    .catch(() => undefined);
  if (Value.Check(Introspection, answer)) return answer;
  throw new MatrixError(503, 'M_UNKNOWN', 'Unable to introspect the access token');
}

/** @throws MatrixError 401 */
function readGrant(introspection: Introspection, serverName: string, now: number): Grant {
  if (!introspection.active) throw unknownToken('Token is not active');
  const scopes = introspection.scope?.split(' ') ?? [];
  if (!scopes.some((scope) => apiScopes.includes(scope))) {
    throw unknownToken("Token doesn't grant access to this API");
  }
  const until = Math.min(now + cacheLifetime, expiryOf(introspection, now));
  if (until <= now) throw unknownToken('Token is not active');
  return {
    userId: userIdOf(introspection, serverName),
    deviceId: introspection.device_id ?? deviceIn(scopes),
    admin: scopes.includes(adminScope),
    until,
  };
}

function expiryOf({ exp, expires_in }: Introspection, now: number): number {
  if (exp !== undefined) return exp * 1000;
  return expires_in === undefined ? Number.POSITIVE_INFINITY : now + expires_in * 1000;
}

function userIdOf({ username }: Introspection, serverName: string): string {
  try {
    return newUserId(username ?? '', serverName, { reserved: true });
  } catch {
    throw unknownToken('Token names no user that this server can have');
  }
}

function deviceIn(scopes: string[]): string | null {
  for (const prefix of deviceScopes) {
    const scope = scopes.find((each) => each.startsWith(prefix));
    if (scope) return scope.slice(prefix.length);
  }
  return null;
}

/** The service knows users and devices before this server does. */
async function makeKnown({ db, clock }: ExternalServices, { userId, deviceId }: Grant): Promise<void> {
  await inTransaction(db, async (tx) => {
    await insertUser(tx, {
      userId,
      passwordHash: null,
      displayName: userId.slice(1, userId.indexOf(':')),
      admin: false,
      createdTs: clock.now(),
      userType: null,
      appServiceId: null,
    });
    if (deviceId !== null) await ensureDevice(tx, userId, deviceId);
  });
}
