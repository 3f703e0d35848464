/** Access tokens that another service hands out, and whom they speak for. Interface: "Authentication" 6. */
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
import { findUser, insertUser, type User } from '../accounts/user-store.ts';
import { ensureDevice, findDevice } from '../sessions/device-store.ts';
import { createIntrospection, type ExternalService, type Introspection } from './introspection.ts';

/** How long an answer counts at the most, in milliseconds; no longer than the token itself. */
const grantLifetime = 120_000;
/** How long a token is not asked about again that was refused repeatedly, in milliseconds. */
const refusalLifetime = 5_000;

const apiScopes = ['urn:matrix:client:api:*', 'urn:matrix:org.matrix.msc2967.client:api:*'];
const deviceScopes = ['urn:matrix:client:device:', 'urn:matrix:org.matrix.msc2967.client:device:'];
const adminScope = 'urn:synapse:admin:*';

/** What a token says, as long as it may be believed. */
type Grant = { userId: string; deviceId: string | null; admin: boolean; until: number };

/** Why a token is not good, and how often in a row the service has said so. */
type Refusal = { reason: string; times: number; until: number };

/** What the service answered lately, by digests of the tokens. */
export type Grants = Cache<string, Grant>;
export type Refusals = Cache<string, Refusal>;

export type ExternalAuthentication = {
  /**
   * Whom a token speaks for.
   *
   * @throws MatrixError 401 for a token that is not good; 503 where the service gives no answer
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
  /** The tokens that the service is being asked about: whoever brings one of them waits for the same answer. */
  const asking = new Map<string, Promise<Grant>>();

  async function grantOf({ token, network }: Credentials): Promise<Grant> {
    const key = tokenHash(token);
    const now = clock.now();
    const known = grants.get(key);
    if (known && now < known.until) return known;
    const refusal = refusals.get(key);
    // One refusal may only mean that the service has not heard of a new token everywhere yet.
    if (refusal && refusal.times > 1 && now < refusal.until) throw unknownToken(refusal.reason);
    const underWay = asking.get(key);
    if (underWay) return underWay;
    const asked = ask(key, token, network()).finally(() => asking.delete(key));
    asking.set(key, asked);
    return asked;
  }

  async function ask(key: string, token: string, network: string): Promise<Grant> {
    const refusal = refusals.get(key);
    // What the service said before counts no more if it grants the token now, or fails.
    refusals.delete(key);
    const introspection = await introspect(token, network);
    const now = clock.now();
    const grant = readGrant(introspection, config.serverName, now);
    if (typeof grant === 'string') {
      const times = (refusal?.times ?? 0) + 1;
      refusals.set(key, { reason: grant, times, until: now + refusalLifetime });
      throw unknownToken(grant);
    }
    await makeKnown(context, grant);
    grants.set(key, grant);
    return grant;
  }

  return {
    async identify(credentials) {
      const { userId, deviceId, admin } = await grantOf(credentials);
      const user = await findUser(db, userId);
      if (!user || user.deactivated) throw unknownToken('This account has been deactivated');
      if (user.locked && !credentials.evenIfLocked) throw userLocked();
      return { userId, deviceId, admin, ...restrictionsOf(user), actsFor: undefined };
    },
  };
}

const restrictionsOf = ({ suspended, shadowBanned }: User) => ({ suspended, shadowBanned });

/** What the service has said of a token; a sentence where that makes the token no good here. */
function readGrant(introspection: Introspection, serverName: string, now: number): Grant | string {
  if (!introspection.active) return 'Token is not active';
  const scopes = introspection.scope?.split(' ') ?? [];
  if (!scopes.some((scope) => apiScopes.includes(scope))) return "Token doesn't grant access to this API";
  const until = Math.min(now + grantLifetime, expiryOf(introspection, now));
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

/** The service knows users and devices before this server does. */
async function makeKnown({ db, clock }: Context, { userId, deviceId }: Grant): Promise<void> {
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
