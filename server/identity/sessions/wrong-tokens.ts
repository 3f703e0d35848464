/** Rate limit for wrong access tokens: each costs a query, or a request to the external authentication service. */
import type { Cache } from '../../platform/core/cache.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { MatrixError } from '../../platform/core/matrix-error.ts';
import type { Credentials } from '../../platform/http/authentication.ts';
import { type RateLimiter, tooManyRequests } from '../../platform/http/rate-limiter.ts';

export type WrongTokens = {
  /**
   * Looks up a token and counts it if it's wrong. Recently valid tokens are exempt from their network's limit.
   *
   * @throws MatrixError 429 if the network has sent too many wrong tokens; errors of `find`
   */
  count<Found>(credentials: Credentials, find: () => Promise<Found>): Promise<Found>;
};

/**
 * @param limiter by network
 * @param recentlyValid by token hash
 * @param blocked by network, until when, by the monotonic clock: saves asking the limiter, which may be in the database
 */
export function createWrongTokens(
  clock: Clock,
  limiter: RateLimiter,
  recentlyValid: Cache<string, true>,
  blocked: Cache<string, number>,
): WrongTokens {
  async function take(network: string): Promise<void> {
    const wait = (blocked.get(network) ?? 0) - clock.monotonic();
    if (wait > 0) throw tooManyRequests(Math.ceil(wait));
    await limiter.take(network).catch((error: unknown) => {
      const { retry_after_ms: time } = error instanceof MatrixError ? error.details : {};
      if (typeof time === 'number') blocked.set(network, clock.monotonic() + time);
      throw error;
    });
  }

  return {
    async count(credentials, find) {
      const key = credentials.hash;
      const wasValid = recentlyValid.get(key) !== undefined;
      if (!wasValid) await take(credentials.network());
      try {
        const found = await find();
        if (!wasValid) await limiter.giveBack(credentials.network());
        recentlyValid.set(key, true);
        return found;
      } catch (error) {
        const isWrong = error instanceof MatrixError && error.errcode === 'M_UNKNOWN_TOKEN';
        if (isWrong) recentlyValid.delete(key);
        else if (!wasValid) await limiter.giveBack(credentials.network());
        throw error;
      }
    },
  };
}
