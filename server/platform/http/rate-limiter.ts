/**
 * Rate limiters: token buckets, each stored as the time at which it will be full again (GCRA). rate-limiter-flexible counts
 * in fixed windows, which can't express `per_second` with `burst_count`.
 */
import { hash } from 'node:crypto';
import type { RateLimit, RateLimits } from '../config/rate-limits.ts';
import type { Clock } from '../core/clock.ts';
import { MatrixError, unknownError } from '../core/matrix-error.ts';

export type TokenBuckets = {
  /**
   * Takes tokens from a bucket, if it has enough.
   *
   * @param key any text of any length
   * @param cost the time in which these tokens are refilled, in milliseconds
   * @param capacity the time in which the empty bucket is refilled, in milliseconds; at least `cost`
   * @returns 0, or how long until there are enough tokens, in whole milliseconds
   */
  take(key: string, cost: number, capacity: number): Promise<number>;
  giveBack(key: string, cost: number): Promise<void>;
};

/** Ignores shorter waits, in milliseconds: sums of fractions aren't exact. */
export const tolerance = 0.5;

/** Number of buckets above which full ones are deleted. */
const sweepAt = 10_000;

/** Hashes a key that is long, or that names a user in the database. */
export const digestOf = (key: string) => hash('sha256', key, 'base64url');

/** Longer keys are hashed, in characters. Hashing takes longer than the rest. */
const longKey = 120;

/** Buckets of a single process. */
export function bucketsInMemory(clock: Pick<Clock, 'monotonic'>): TokenBuckets {
  const fullAt = new Map<string, number>();

  const sweep = (now: number) => {
    for (const [key, at] of fullAt) if (at <= now) fullAt.delete(key);
  };

  const shorten = (key: string) => (key.length > longKey ? digestOf(key) : key);

  return {
    async take(name, cost, capacity) {
      const key = shorten(name);
      const now = clock.monotonic();
      const next = Math.max(now, fullAt.get(key) ?? now) + cost;
      const wait = next - now - capacity;
      if (wait >= tolerance) return Math.round(wait);
      if (!fullAt.has(key) && fullAt.size >= sweepAt && fullAt.size % 1000 === 0) sweep(now);
      fullAt.set(key, next);
      return 0;
    },
    async giveBack(name, cost) {
      const key = shorten(name);
      const at = fullAt.get(key);
      if (at !== undefined) fullAt.set(key, at - cost);
    },
  };
}

export type RateLimiter = {
  /**
   * Counts actions of a key, such as a user or an address. Refused actions don't count.
   *
   * @throws MatrixError 429 `M_LIMIT_EXCEEDED` with `retry_after_ms` if they exceed the rate, 400 `M_UNKNOWN` if they are
   *   more than the burst count
   */
  take(name: string, times?: number): Promise<void>;
  /** Refunds actions that turned out to be harmless or weren't carried out. */
  giveBack(name: string, times?: number): Promise<void>;
};

export type RateLimiters = { [Name in keyof RateLimits]: RateLimiter };

export function createRateLimiters(limits: RateLimits, buckets: TokenBuckets): RateLimiters {
  const limiters = Object.entries(limits).map(([kind, limit]) => [
    kind,
    createRateLimiter(kind, limit, buckets),
  ]);
  return Object.fromEntries(limiters);
}

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
