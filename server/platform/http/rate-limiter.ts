/**
 * Token buckets. Each is kept as one number, the moment at which it will be full again: taking moves that
 * moment on, and what a bucket holds is how far it lies within the time that an empty one needs to fill.
 */
import { hash } from 'node:crypto';
import type { RateLimit, RateLimits } from '../config/rate-limits.ts';
import type { Clock } from '../core/clock.ts';
import { MatrixError, unknownError } from '../core/matrix-error.ts';

export type TokenBuckets = {
  /**
   * Takes from a bucket what takes `cost` milliseconds to flow back into it, if there is so much in it.
   *
   * @param key may be of any length and hold anything
   * @param capacity how long the empty bucket takes to fill, in milliseconds; not less than `cost`
   * @returns how long until there will be so much, in whole milliseconds; 0 where it was taken
   */
  take(key: string, cost: number, capacity: number): Promise<number>;
  giveBack(key: string, cost: number): Promise<void>;
};

/** What is shorter is no wait, in milliseconds: sums of fractions are not exact. */
export const tolerance = 0.5;

/** Full buckets are forgotten once there are more than so many. */
const sweepAt = 10_000;

/** What is kept of a key that is long, or that tells who did what to whoever reads it. */
export const digestOf = (key: string) => hash('sha256', key, 'base64url');

/** Longer keys are kept as their digest, in characters; to make that takes longer than all else that a bucket does. */
const longKey = 120;

/** Buckets of this process alone. */
export function bucketsInMemory(clock: Pick<Clock, 'monotonic'>): TokenBuckets {
  const fullAt = new Map<string, number>();

  const sweep = (now: number) => {
    for (const [key, at] of fullAt) if (at <= now) fullAt.delete(key);
  };

  const kept = (key: string) => (key.length > longKey ? digestOf(key) : key);

  return {
    async take(name, cost, capacity) {
      const key = kept(name);
      const now = clock.monotonic();
      const next = Math.max(now, fullAt.get(key) ?? now) + cost;
      const wait = next - now - capacity;
      if (wait >= tolerance) return Math.round(wait);
      if (!fullAt.has(key) && fullAt.size >= sweepAt && fullAt.size % 1000 === 0) sweep(now);
      fullAt.set(key, next);
      return 0;
    },
    async giveBack(name, cost) {
      const key = kept(name);
      const at = fullAt.get(key);
      if (at !== undefined) fullAt.set(key, at - cost);
    },
  };
}

/**
 * How often things may be done. rate-limiter-flexible is no part of it: it counts in fixed windows and makes a burst of a
 * second, longer one, each of which is full again all at once. `burst_count` at once that flow back at `per_second`, and a
 * wait that ends as soon as there is enough for what costs several, can't be said in windows.
 */

export type RateLimiter = {
  /**
   * Counts things that someone (a user, an address) does.
   *
   * @throws MatrixError 429 `M_LIMIT_EXCEEDED` with `retry_after_ms` where they come too soon, 400 `M_UNKNOWN`
   *   where they are more than may ever be done at once; they then don't count
   */
  take(name: string, times?: number): Promise<void>;
  /** Takes the count back of a thing that turned out to be harmless, or that wasn't done. */
  giveBack(name: string, times?: number): Promise<void>;
};

export type RateLimiters = { [Name in keyof RateLimits]: RateLimiter };

/** The limiters of a server, one for each kind of thing that is limited. */
export function createRateLimiters(limits: RateLimits, buckets: TokenBuckets): RateLimiters {
  const limiters = Object.entries(limits).map(([kind, limit]) => [
    kind,
    createRateLimiter(kind, limit, buckets),
  ]);
  return Object.fromEntries(limiters);
}

/** A bucket for each name: it holds `burstCount` and fills at `perSecond`. */
function createRateLimiter(
  kind: string,
  { perSecond, burstCount }: RateLimit,
  buckets: TokenBuckets,
): RateLimiter {
  const interval = 1000 / perSecond;
  return {
    async take(name, times = 1) {
      if (times > burstCount) throw unknownError(`Too many at once; the maximum is ${burstCount}`);
      const wait = await buckets.take(keyOf(kind, name), times * interval, burstCount * interval);
      if (wait === 0) return;
      throw tooManyRequests(wait);
    },
    async giveBack(name, times = 1) {
      await buckets.giveBack(keyOf(kind, name), times * interval);
    },
  };
}

/** @param wait in milliseconds */
export const tooManyRequests = (wait: number) =>
  new MatrixError(429, 'M_LIMIT_EXCEEDED', 'Too Many Requests', { retry_after_ms: wait });

const keyOf = (kind: string, name: string) => `${kind}\0${name}`;
