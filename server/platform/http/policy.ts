/** Access policies: allowed callers and limits. Every route declares one as `config: { policy }`. */
import type { JsonObject } from '../../../shared/api/common.ts';
import type { Config } from '../config/config.ts';
import type { RateLimits } from '../config/rate-limits.ts';
import type { MatrixError } from '../core/matrix-error.ts';
import type { Caller } from '../core/requester.ts';
import type { RateLimiter } from './rate-limiter.ts';

export type Policy =
  | { access: 'anyone'; knows?: 'callers'; limits?: readonly Limit[] }
  /** With `from`, only requests from the server's own computer that came through no proxy. */
  | {
      access: 'administrator';
      from?: 'this machine';
      limits?: readonly Limit[];
      concurrency?: ConcurrencyLimit;
    }
  | UserPolicy;

export type UserPolicy = {
  /** Callers with a valid access token. */
  access: 'user';
  /** Also admits locked users. */
  evenIfLocked?: true;
  limits?: readonly Limit[];
  /** Requires the caller to be the user in the path. */
  self?: SelfRule;
  suspended: SuspendedRule;
  guests: 'may' | 'refused';
  /**
   * Returns the reply for a shadow-banned user, whose call then isn't handled; undefined to handle it. With `unseen` it is
   * handled, with `request.unseen` set, so that other users don't see its effect.
   */
  shadowBanned?: 'unseen' | ((call: Call) => JsonObject | undefined);
  /** Sets `request.exempt` for server admins: the handler exempts them from its checks. */
  administrators?: 'exempt';
  /** Returns another reason to refuse the call, such as a setting. */
  refusal?: (call: Call) => Promise<MatrixError | undefined>;
  concurrency?: ConcurrencyLimit;
};

/** Number of calls that run at the same time, on all routes that declare a limit of that name. */
type ConcurrencyLimit = {
  name: string;
  perUser: number;
  /** Maximum for all users; unlimited by default. */
  total?: number;
  /** Number of further calls of one user that wait, round-robin between users; none by default. */
  queuedPerUser?: number;
  /** Error for calls that exceed the limit. */
  refusal: string;
};

/** For replies that may be very long: they take memory, and count, until the client has read them. */
export const longReplies: ConcurrencyLimit = {
  name: 'long replies',
  perUser: 4,
  queuedPerUser: 1_000,
  refusal: 'Too many large responses at the same time',
};

export type SelfRule = {
  /** The parameter of the path that names the user. */
  parameter: 'userId' | 'user_id';
  /** Error for other callers. */
  refusal: (userId: string) => MatrixError;
  /** Whether administrators may name anyone. */
  orAdministrator?: true;
};

/** Returns the error message for suspended users, who may read but not write; undefined to allow the call. */
export type SuspendedRule = 'may' | ((call: Call) => string | undefined | Promise<string | undefined>);

/** The parts of a request that policies depend on. */
export type Call = {
  /** Undefined on routes for anyone. */
  requester: Caller;
  /** Returns the network that the caller's address belongs to. */
  network(): string;
  params: Readonly<Record<string, string | undefined>>;
  body: unknown;
};

/** A rate limit and its key. */
export type Limit = { of: LimitName; by: LimitKey };
export type LimitName = keyof RateLimits;
/**
 * The key of a rate limit: the caller, the caller's network, or names in the request. `in the handler` if only the handler
 * knows it, such as whether the credentials were right.
 */
type LimitKey = 'user' | 'network' | 'in the handler' | ((call: Call) => readonly LimitedName[]);
type LimitedName = { name: string; times?: number };
/** Returns the limiters that a route declares as `in the handler`. */
export type Limiters = (of: LimitName) => RateLimiter;

export const anyone = { access: 'anyone' } satisfies Policy;
/** For anyone. A token, if sent, has to be valid and identifies the caller. */
export const anyoneKnown = { access: 'anyone', knows: 'callers' } satisfies Policy;
export const administrator = { access: 'administrator' } satisfies Policy;

/** Server admins on the server's computer; from anywhere if `workbench: anywhere` is configured. */
export const atWorkbench = ({ workbench }: Pick<Config, 'workbench'>): Policy =>
  workbench === 'anywhere' ? administrator : { ...administrator, from: 'this machine' };

/** For signed-in users, suspended or not. */
export const user = { access: 'user', suspended: 'may', guests: 'refused' } satisfies Policy;
export const userOrGuest = { ...user, guests: 'may' } satisfies Policy;

/** Returns the error message for suspended users. @param activity such as `Joining rooms` */
export const refusedWhileSuspended = (activity: string) =>
  `${activity} while account is suspended is not allowed.`;

/** Refuses suspended users. @param activity such as `Joining rooms` */
export const refused = (activity: string) => () => refusedWhileSuspended(activity);

declare module 'fastify' {
  interface FastifyContextConfig {
    policy: Policy;
  }
}
