/** What a route asks of its caller. Every route declares it, as `config: { policy }`. */
import type { JsonObject } from '../../../shared/api/common.ts';
import type { RateLimits } from '../config/rate-limits.ts';
import type { MatrixError } from '../core/matrix-error.ts';
import type { Caller } from '../core/requester.ts';
import type { RateLimiter } from './rate-limiter.ts';

export type Policy =
  | { access: 'anyone'; knows?: 'callers'; limits?: readonly Limit[] }
  /** With `from` only at the machine that the server runs on, and through no proxy. */
  | {
      access: 'administrator';
      from?: 'this machine';
      limits?: readonly Limit[];
      concurrency?: ConcurrencyLimit;
    }
  | UserPolicy;

export type UserPolicy = {
  /** Whoever has a good access token. */
  access: 'user';
  /** Whether who is locked may call the route, too. */
  evenIfLocked?: true;
  limits?: readonly Limit[];
  /** Where the path names a user, that has to be the caller. */
  self?: SelfRule;
  suspended: SuspendedRule;
  /** Whether guests may call the route: who has no password, and sees and does only a part of everything. */
  guests: 'may' | 'refused';
  /**
   * What a call of a shadow-banned user seems to have done, instead of doing it; where it gives nothing, the call
   * is carried out. With `unseen` it always is, where nobody else sees it: the handler learns that it is.
   */
  shadowBanned?: 'unseen' | ((call: Call) => JsonObject | undefined);
  /** Spares server administrators what the handler asks of everyone else: it learns whether the caller is one. */
  administrators?: 'exempt';
  /** What else callers are refused for, such as a setting. */
  refusal?: (call: Call) => Promise<MatrixError | undefined>;
  concurrency?: ConcurrencyLimit;
};

/** How many calls run at the same time, on all routes that declare a limit of that name. */
export type ConcurrencyLimit = {
  name: string;
  perUser: number;
  /** Of all users; unlimited by default. */
  total?: number;
  /** How many more calls of one user wait for their turn, which users take one after the other; none by default. */
  queuedPerUser?: number;
  /** Error for calls that exceed the limit. */
  refusal: string;
};

/** For replies that may be very long: they take memory until the client has read them, and count until then. */
export const longReplies: ConcurrencyLimit = {
  name: 'long replies',
  perUser: 4,
  queuedPerUser: 1_000,
  refusal: 'Too many large responses at the same time',
};

export type SelfRule = {
  /** The parameter of the path that names the user. */
  parameter: 'userId' | 'user_id';
  /** What others are told. */
  refusal: (userId: string) => MatrixError;
  /** Whether administrators may name anyone. */
  orAdministrator?: true;
};

/** What suspended users are told, if anything: they may read, and not write. */
export type SuspendedRule = 'may' | ((call: Call) => string | undefined | Promise<string | undefined>);

/** A request as far as policies look at it. */
export type Call = {
  /** Undefined on routes for anyone. */
  requester: Caller;
  /** Gives what the address of the caller counts as. */
  network(): string;
  params: Readonly<Record<string, string | undefined>>;
  body: unknown;
};

/** How often a route may be called, or what it does may be done. */
export type Limit = { of: LimitName; by: LimitKey };
export type LimitName = keyof RateLimits;
/**
 * Whose doing is counted together: the caller's; the network's that the call comes from; what the request names;
 * or, `in the handler`, whose credentials turn out to be right or wrong, which is counted as it turns out.
 */
type LimitKey = 'user' | 'network' | 'in the handler' | ((call: Call) => readonly Counted[]);
type Counted = { name: string; times?: number };
/** Gives the limiters that a route declares to be counted in its handler. */
export type Limiters = (of: LimitName) => RateLimiter;

/** For whoever asks. */
export const anyone = { access: 'anyone' } satisfies Policy;
/** For whoever asks; who shows a token has to show a good one, and the handler learns who it is. */
export const anyoneKnown = { access: 'anyone', knows: 'callers' } satisfies Policy;
/** For server administrators. */
export const administrator = { access: 'administrator' } satisfies Policy;
/** For everyone who has an account and is signed in, suspended or not. */
export const user = { access: 'user', suspended: 'may', guests: 'refused' } satisfies Policy;
/** For guests as well. */
export const userOrGuest = { ...user, guests: 'may' } satisfies Policy;

/** What suspended users are told. @param activity what they tried, such as `Joining rooms` */
export const refusedWhileSuspended = (activity: string) =>
  `${activity} while account is suspended is not allowed.`;

/** Refuses suspended users. @param activity what the route does */
export const refused = (activity: string) => () => refusedWhileSuspended(activity);

declare module 'fastify' {
  interface FastifyContextConfig {
    policy: Policy;
  }
}
