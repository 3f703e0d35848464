/**
 * How often things may be done. rate-limiter-flexible is no part of it: it counts in fixed windows and makes a burst of a
 * second, longer one, each of which is full again all at once. `burst_count` at once that flow back at `per_second`, and a
 * wait that ends as soon as there is enough for what costs several, can't be said in windows.
 */
import type { RateLimit, RateLimits } from '../config/rate-limits.ts';
import { MatrixError, unknownError } from '../core/matrix-error.ts';
import type { TokenBuckets } from './token-buckets.ts';

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
