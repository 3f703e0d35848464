/** Enforces the policies that routes declare: allowed callers, rate limits, concurrency limits. */
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { createLimiter, type Limiter, QueueFull } from '../concurrency/limiter.ts';
import { forbidden, MatrixError } from '../core/matrix-error.ts';
import { networkOf } from '../core/network.ts';
import type { Caller } from '../core/requester.ts';
import { DatabaseFault } from '../database/fault.ts';
import { type Credentials, type Identify, presentedToken } from './authentication.ts';
import type { Call, Limit, Limiters, LimitName, Policy, SelfRule } from './policy.ts';
import type { RateLimiters } from './rate-limiter.ts';
import type { App } from './routes.ts';
import { isFromThisMachine } from './this-machine.ts';

/** Applies to the routes added from now on. A call counts until its handler has finished. */
function limitConcurrency(app: App): void {
  const limiters = new Map<string, Limiter>();

  app.addHook('onRoute', (route) => {
    const policy = route.config?.policy;
    if (!policy || policy.access === 'anyone' || !policy.concurrency) return;
    const { name, total, perUser, queuedPerUser = 0, refusal } = policy.concurrency;
    const limiter =
      limiters.get(name) ?? createLimiter({ total, perKey: perUser, queuedPerKey: queuedPerUser });
    limiters.set(name, limiter);
    const { handler } = route;
    route.handler = async function (request, reply) {
      const work = async () => {
        // The client disconnected while it waited, or the server is stopping: no one reads the reply. Writes still
        // count.
        if (request.method === 'GET' && reply.raw.destroyed) return void reply.hijack();
        try {
          return await handler.call(this, request, reply);
        } catch (error) {
          // The others would wait as long for the same error.
          if (isUnavailable(error)) limiter.rejectQueued(error);
          throw error;
        }
      };
      return limiter.run(request.requester.userId, work).catch((error: unknown) => {
        if (!(error instanceof QueueFull)) throw error;
        throw new MatrixError(429, 'M_LIMIT_EXCEEDED', refusal, { retry_after_ms: 1000 });
      });
    };
  });
}

const isUnavailable = (error: unknown) =>
  error instanceof DatabaseFault && (error.kind === 'unavailable' || error.kind === 'held');

declare module 'fastify' {
  interface FastifyRequest {
    /** For limits whose key only the handler knows. The route has to declare them. */
    limiter: Limiters;
    /**
     * Identifies the caller again, for handlers that reply after a wait.
     *
     * @throws MatrixError 401, 403 if the caller has lost access since
     */
    identifyAgain(): Promise<void>;
  }
}

type PolicyOptions = {
  identify: Identify;
  /** Returns true for tokens that rate limits don't apply to on any route. */
  isUnlimited(token: string): boolean;
  rateLimiters: RateLimiters;
};

/**
 * Enforces the policies of all routes added from now on. A route without a policy fails the start.
 *
 * The caller and the rate limits are checked before the body is read, the rest after the body was validated.
 */
export function enforcePolicies(app: App, { identify, isUnlimited, rateLimiters }: PolicyOptions): void {
  requirePolicies(app);
  limitConcurrency(app);
  const counting = countTogether(rateLimiters);
  app.decorateRequest('identifyAgain', async function identifyAgain(this: FastifyRequest) {
    const policy = policyOf(this);
    if (policy && needsCaller(this, policy)) admit(this, policy, await identify(credentialsOf(this, policy)));
  });

  app.addHook('onRequest', (request, _reply, done) => {
    const policy = policyOf(request);
    if (!policy) return done();
    requireOwnComputer(request, policy);
    request.limiter = (of) => {
      if (policy.limits?.some((limit) => limit.of === of && limit.by === 'in the handler')) {
        return rateLimiters[of];
      }
      throw new Error(`${request.method} ${request.routeOptions.url} doesn't declare the limit ${of}`);
    };
    if (!needsCaller(request, policy) && !policy.limits) return done();
    checkBeforeBody(request, policy).then(() => done(), done);
  });

  async function checkBeforeBody(request: FastifyRequest, policy: Policy): Promise<void> {
    if (needsCaller(request, policy)) admit(request, policy, await identify(credentialsOf(request, policy)));
    if (!policy.limits || hasToken(request, isUnlimited)) return;
    for (const { of, by } of policy.limits) {
      if (by === 'user') await counting.take(request, of, request.requester.userId);
      if (by === 'network') await counting.take(request, of, networkOf(request.ip));
    }
  }

  async function countNamed(request: FastifyRequest, limits: readonly Limit[], call: Call): Promise<void> {
    for (const { of, by } of limits) {
      if (typeof by === 'string') continue;
      for (const { name, times } of by(call)) await counting.take(request, of, name, times);
    }
  }

  /** Returns the reply that was sent in place of the handler's, if any. */
  async function checkAfterValidation(
    policy: Policy,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply | undefined> {
    const call = callOf(request);
    if (policy.limits && !hasToken(request, isUnlimited)) await countNamed(request, policy.limits, call);
    if (policy.access !== 'user') return undefined;
    if (call.requester.suspended && policy.suspended !== 'may') {
      const sentence = await policy.suspended(call);
      if (sentence !== undefined) throw new MatrixError(403, 'M_USER_SUSPENDED', sentence);
    }
    if (policy.self) requireSelf(policy.self, call);
    const refusal = await policy.refusal?.(call);
    if (refusal) throw refusal;
    const { shadowBanned } = policy;
    if (!call.requester.shadowBanned || typeof shadowBanned !== 'function') return undefined;
    const pretended = shadowBanned(call);
    return pretended && reply.send(pretended);
  }

  app.addHook('onRoute', (route) => {
    const policy = route.config?.policy;
    if (!policy || !dependsOnBody(policy)) return;
    route.preHandler = [
      (request, reply) => checkAfterValidation(policy, request, reply),
      ...[route.preHandler ?? []].flat(),
    ];
  });
}

/** Call before checking the token. @throws MatrixError 403 */
function requireOwnComputer({ raw }: FastifyRequest, policy: Policy): void {
  if (policy.access !== 'administrator' || !policy.from || isFromThisMachine(raw)) return;
  throw forbidden("Only available to server admins on the server's own computer");
}

/** @throws MatrixError 403 */
function admit(request: FastifyRequest, policy: Policy, caller: Caller): void {
  if (policy.access === 'administrator' && !caller.admin) throw forbidden('You are not a server admin');
  request.requester = caller;
  if (policy.access !== 'user') return;
  if (caller.guest && policy.guests === 'refused') {
    throw new MatrixError(403, 'M_GUEST_ACCESS_FORBIDDEN', 'Guest access not allowed');
  }
  request.exempt = caller.admin && policy.administrators === 'exempt';
  request.unseen = caller.shadowBanned && policy.shadowBanned === 'unseen';
}

function needsCaller(request: FastifyRequest, policy: Policy): boolean {
  if (policy.access !== 'anyone') return true;
  return policy.knows === 'callers' && showsToken(request);
}

/** Whether a policy has rules that are checked after the body was validated. */
function dependsOnBody(policy: Policy): boolean {
  if (policy.limits?.some(({ by }) => typeof by === 'function')) return true;
  if (policy.access !== 'user') return false;
  const { suspended, self, refusal, shadowBanned } = policy;
  return suspended !== 'may' || !!self || !!refusal || typeof shadowBanned === 'function';
}

/** Returns undefined for unknown paths and CORS preflights. */
function policyOf({ is404, routeOptions, method }: FastifyRequest): Policy | undefined {
  if (is404 || method === 'OPTIONS') return undefined;
  return routeOptions.config.policy;
}

function requirePolicies(app: App): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    if (route.method !== 'OPTIONS') routes.push(route);
  });
  app.addHook('onReady', async () => {
    const without = routes.filter(({ config }) => !config?.policy);
    if (without.length === 0) return;
    throw new Error(
      `No policy is declared on ${without.map(({ method, url }) => `${method} ${url}`).join(', ')}`,
    );
  });
}

function credentialsOf(request: FastifyRequest, policy: Policy): Credentials {
  const query = request.query as Record<string, unknown>;
  const { user_id: userId, device_id: deviceId = query['org.matrix.msc3202.device_id'] } = query;
  const { token, hash, inQuery } = presentedToken(request);
  return {
    token,
    hash,
    inQuery,
    userId: typeof userId === 'string' ? userId : undefined,
    deviceId: typeof deviceId === 'string' ? deviceId : undefined,
    network: () => networkOf(request.ip),
    evenIfLocked: policy.access === 'user' && policy.evenIfLocked === true,
  };
}

const callOf = (request: FastifyRequest): Call => ({
  requester: request.requester as Caller,
  network: () => networkOf(request.ip),
  params: request.params as Call['params'],
  body: request.body,
});

/** Counts a request in all of its rate limits, or in none if one of them refuses. */
function countTogether(rateLimiters: RateLimiters) {
  const taken = new WeakMap<FastifyRequest, (() => Promise<void>)[]>();
  return {
    async take(request: FastifyRequest, of: LimitName, name: string, times?: number): Promise<void> {
      const before = taken.get(request) ?? [];
      taken.set(request, before);
      try {
        await rateLimiters[of].take(name, times);
      } catch (error) {
        for (const giveBack of before.splice(0)) await giveBack();
        throw error;
      }
      before.push(() => rateLimiters[of].giveBack(name, times));
    },
  };
}

const showsToken = ({ headers, query }: FastifyRequest): boolean =>
  headers.authorization !== undefined || (query as Record<string, unknown>).access_token !== undefined;

function hasToken(request: FastifyRequest, matches: (token: string) => boolean): boolean {
  // Creating an error with its stack costs more than this check.
  const { access_token: inQuery } = request.query as Record<string, unknown>;
  if (request.headers.authorization === undefined && inQuery === undefined) return false;
  try {
    return matches(presentedToken(request).token);
  } catch {
    return false;
  }
}

function requireSelf({ parameter, refusal, orAdministrator }: SelfRule, { requester, params }: Call): void {
  const userId = params[parameter] ?? '';
  if (requester.userId === userId || (orAdministrator && requester.admin)) return;
  throw refusal(userId);
}
