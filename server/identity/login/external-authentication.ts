/** Access tokens that an external authentication service issues. */
import type { Config } from '../../platform/config/config.ts';
import type { Cache } from '../../platform/core/cache.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { localpartOf, newUserId } from '../../platform/core/identifiers.ts';
import { unknownToken, userLocked } from '../../platform/core/matrix-error.ts';
import type { Caller } from '../../platform/core/requester.ts';
import { tokenHash } from '../../platform/core/secrets.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Credentials } from '../../platform/http/authentication.ts';
import { findUser, insertUser } from '../accounts/user-store.ts';
import { ensureDevice, findDevice } from '../sessions/device-store.ts';
import { createIntrospection, type ExternalService, type Introspection } from './introspection.ts';

/** In milliseconds, but never beyond the token's expiry. */
const grantTtl = 120_000;
/** How long a repeatedly refused token isn't introspected again, in milliseconds. */
const refusalTtl = 5_000;

const apiScopes = ['urn:matrix:client:api:*', 'urn:matrix:org.matrix.msc2967.client:api:*'];
const deviceScopes = ['urn:matrix:client:device:', 'urn:matrix:org.matrix.msc2967.client:device:'];
const adminScope = 'urn:synapse:admin:*';

/** Access that a valid token grants, until the time in `until`. */
type Grant = { userId: string; deviceId: string | null; admin: boolean; until: number };

/** Why a token was refused, and how many times in a row. */
type Refusal = { reason: string; times: number; until: number };

/** By token hash. */
export type Grants = Cache<string, Grant>;
export type Refusals = Cache<string, Refusal>;

export type ExternalAuthentication = {
  /**
   * Returns the caller of a token.
   *
   * @throws MatrixError 401 for an invalid token; 503 if the service isn't available
   */
  identify(credentials: Credentials): Promise<Caller>;
};

type Context = { config: Config; clock: Clock; db: Database };

export function createExternalAuthentication(
  context: Context,
  service: ExternalService,
  grants: Grants,
  refusals: Refusals,
): ExternalAuthentication {
  const { db, config, clock } = context;
  const introspect = createIntrospection(service);
  /** Introspections in progress, by token hash: concurrent requests share one. */
  const pending = new Map<string, Promise<Grant>>();

  async function grantOf({ token, network }: Credentials): Promise<Grant> {
    const key = tokenHash(token);
    const now = clock.now();
    const known = grants.get(key);
    if (known && now < known.until) return known;
    const refusal = refusals.get(key);
    // A single refusal may only mean that a new token isn't replicated within the service yet.
    if (refusal && refusal.times > 1 && now < refusal.until) throw unknownToken(refusal.reason);
    const shared = pending.get(key);
    if (shared) return shared;
    const grant = introspectToken(key, token, network()).finally(() => pending.delete(key));
    pending.set(key, grant);
    return grant;
  }

  async function introspectToken(key: string, token: string, network: string): Promise<Grant> {
    const refusal = refusals.get(key);
    // Only consecutive refusals count.
    refusals.delete(key);
    const introspection = await introspect(token, network);
    const now = clock.now();
    const grant = readGrant(introspection, config.serverName, now);
    if (typeof grant === 'string') {
      const times = (refusal?.times ?? 0) + 1;
      refusals.set(key, { reason: grant, times, until: now + refusalTtl });
      throw unknownToken(grant);
    }
    await ensureAccount(context, grant);
    grants.set(key, grant);
    return grant;
  }

  return {
    async identify(credentials) {
      const { userId, deviceId, admin } = await grantOf(credentials);
      const user = await findUser(db, userId);
      if (!user || user.deactivated) throw unknownToken('This account has been deactivated');
      if (user.locked && !credentials.evenIfLocked) throw userLocked();
      const { suspended, shadowBanned } = user;
      return { userId, deviceId, admin, suspended, shadowBanned, actsFor: undefined };
    },
  };
}

/** Returns the access that the token grants, or the reason why it is refused. */
function readGrant(introspection: Introspection, serverName: string, now: number): Grant | string {
  if (!introspection.active) return 'Token is not active';
  const scopes = introspection.scope?.split(' ') ?? [];
  if (!scopes.some((scope) => apiScopes.includes(scope))) return "Token doesn't grant access to this API";
  const until = Math.min(now + grantTtl, expiryOf(introspection, now));
  if (until <= now) return 'Token is not active';
  const userId = userIdOf(introspection, serverName);
  if (userId === undefined) return "Token doesn't belong to a valid user of this server";
  return {
    userId,
    deviceId: introspection.device_id ?? deviceIn(scopes),
    admin: scopes.includes(adminScope),
    until,
  };
}

function expiryOf({ exp, expires_in }: Introspection, now: number): number {
  if (exp !== undefined) return exp * 1000;
  return expires_in === undefined ? Number.POSITIVE_INFINITY : now + expires_in * 1000;
}

function userIdOf({ username }: Introspection, serverName: string): string | undefined {
  try {
    return newUserId(username ?? '', serverName, { reserved: true });
  } catch {
    return undefined;
  }
}

function deviceIn(scopes: string[]): string | null {
  for (const prefix of deviceScopes) {
    const scope = scopes.find((each) => each.startsWith(prefix));
    if (scope) return scope.slice(prefix.length);
  }
  return null;
}

/** Creates a user or device that the service already knows. */
async function ensureAccount({ db, clock }: Context, { userId, deviceId }: Grant): Promise<void> {
  const isKnown =
    (await findUser(db, userId)) && (deviceId === null || (await findDevice(db, userId, deviceId)));
  if (isKnown) return;
  const displayName = localpartOf(userId);
  const user = { userId, createdTs: clock.now(), appServiceId: null, displayName };
  await inTransaction(db, async (tx) => {
    const addDevice = async () => {
      if (deviceId !== null) await ensureDevice(tx, userId, deviceId);
    };
    if (!(await insertUser(tx, user, addDevice))) await addDevice();
  });
}
