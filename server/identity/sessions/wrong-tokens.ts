/**
 * A bound on wrong access tokens: to find out that one is made up costs a look into the database, or a question to
 * the service that hands them out.
 */
import type { Cache } from '../../platform/core/cache.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { MatrixError } from '../../platform/core/matrix-error.ts';
import type { Credentials } from '../../platform/http/authentication.ts';
import { type RateLimiter, tooManyRequests } from '../../platform/http/rate-limiter.ts';

export type WrongTokens = {
  /**
   * Finds out about a token. Whose token was good lately is not kept away by what else comes from that network.
   *
   * @throws MatrixError 429 where the network has sent too many that were wrong; whatever `find` throws
   */
  count<Found>(credentials: Credentials, find: () => Promise<Found>): Promise<Found>;
};

/**
 * @param limiter of networks
 * @param goodLately digests of tokens
 * @param keptAway until when networks have no further try, by the monotonic clock: what the limiter has said isn't
 *   asked again before
 */
export function createWrongTokens(
  clock: Clock,
  limiter: RateLimiter,
  goodLately: Cache<string, true>,
  keptAway: Cache<string, number>,
): WrongTokens {
  async function take(network: string): Promise<void> {
    const wait = (keptAway.get(network) ?? 0) - clock.monotonic();
    if (wait > 0) throw tooManyRequests(Math.ceil(wait));
    await limiter.take(network).catch((error: unknown) => {
      const { retry_after_ms: time } = error instanceof MatrixError ? error.details : {};
      if (typeof time === 'number') keptAway.set(network, clock.monotonic() + time);
      throw error;
    });
  }

  return {
    async count(credentials, find) {
      const key = credentials.hash;
      const wasGood = goodLately.get(key) !== undefined;
      if (!wasGood) await take(credentials.network());
      try {
        const found = await find();
        if (!wasGood) await limiter.giveBack(credentials.network());
        goodLately.set(key, true);
        return found;
      } catch (error) {
        const isWrong = error instanceof MatrixError && error.errcode === 'M_UNKNOWN_TOKEN';
        if (isWrong) goodLately.delete(key);
        else if (!wasGood) await limiter.giveBack(credentials.network());
        throw error;
      }
    },
  };
}
