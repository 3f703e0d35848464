import { createHash } from 'node:crypto';
import type { RateLimit, RateLimits } from '../config/rate-limits.ts';
import type { Clock } from '../core/clock.ts';
import { MatrixError } from '../core/matrix-error.ts';

/** Whoever has done nothing for a while is forgotten once there are more than so many. */
const sweepAt = 10_000;
/** Anyone may try to log in by a name of any length: of longer ones only a digest is kept. */
const maximumKey = 256;
const keyOf = (name: string) =>
  name.length <= maximumKey ? name : createHash('sha256').update(name).digest('base64url');

export type RateLimiter = {
  /**
   * Counts one thing that someone (a user, an address) does.
   *
   * @throws MatrixError 429 `M_LIMIT_EXCEEDED` with `retry_after_ms` where it comes too soon; it then
   *   doesn't count
   */
  take(name: string): void;
  /** Takes the count back of a thing that turned out to be harmless. */
  giveBack(name: string): void;
};

/** A token bucket for each key: it holds `burstCount` and fills at `perSecond`. */
export function createRateLimiter({ perSecond, burstCount }: RateLimit, clock: Clock): RateLimiter {
  const buckets = new Map<string, { tokens: number; at: number }>();

  const tokensOf = (key: string, now: number) => {
    const bucket = buckets.get(key);
    if (!bucket) return burstCount;
    return Math.min(burstCount, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
  };

  const sweep = (now: number) => {
    for (const key of buckets.keys()) if (tokensOf(key, now) >= burstCount) buckets.delete(key);
  };

  return {
    take(name) {
      const key = keyOf(name);
      const now = clock.now();
      const tokens = tokensOf(key, now);
      if (tokens < 1) {
        throw new MatrixError(429, 'M_LIMIT_EXCEEDED', 'Too many requests: wait a little', {
          retry_after_ms: Math.ceil(((1 - tokens) / perSecond) * 1000),
        });
      }
      const isNew = !buckets.has(key);
      buckets.set(key, { tokens: tokens - 1, at: now });
      if (isNew && buckets.size > sweepAt && buckets.size % 1000 === 0) sweep(now);
    },
    giveBack(name) {
      const key = keyOf(name);
      const now = clock.now();
      buckets.set(key, { tokens: tokensOf(key, now) + 1, at: now });
    },
  };
}

export type RateLimiters = { [Name in keyof RateLimits]: RateLimiter };

/** The limiters of a server, one for each kind of thing that is limited. */
export function createRateLimiters(limits: RateLimits, clock: Clock): RateLimiters {
  const limiter = (name: keyof RateLimits) => createRateLimiter(limits[name], clock);
  return {
    loginAddress: limiter('loginAddress'),
    loginAccount: limiter('loginAccount'),
    loginFailures: limiter('loginFailures'),
    registration: limiter('registration'),
    message: limiter('message'),
    reports: limiter('reports'),
  };
}
