/**
 * A bound on wrong access tokens: to find out that one is made up costs a look into the database, or a question to
 * the service that hands them out.
 */
import type { Cache } from '../core/cache.ts';
import type { Clock } from '../core/clock.ts';
import { MatrixError } from '../core/matrix-error.ts';
import { tokenHash } from '../core/secrets.ts';
import type { Credentials } from '../http/authentication.ts';
import { createRateLimiter } from '../http/rate-limiter.ts';
import { bucketsInMemory } from '../http/token-buckets.ts';

/** How many may come from one network: many people may have the same address, and all their sessions may have ended. */
const limit = { perSecond: 10, burstCount: 1_500 };

export type WrongTokens = {
  /**
   * Finds out about a token. Whose token was good lately is not kept away by what else comes from that network.
   *
   * @throws MatrixError 429 where the network has sent too many that were wrong; whatever `find` throws
   */
  count<Found>(credentials: Credentials, find: () => Promise<Found>): Promise<Found>;
};

/** @param goodLately digests of tokens */
export function createWrongTokens(clock: Clock, goodLately: Cache<string, true>): WrongTokens {
  // Each process counts its own: to count in a database would cost as much as what is saved.
  const limiter = createRateLimiter('wrongTokens', limit, bucketsInMemory(clock));
  return {
    async count(credentials, find) {
      const key = tokenHash(credentials.token);
      const wasGood = goodLately.get(key) !== undefined;
      if (!wasGood) await limiter.take(credentials.network);
      try {
        const found = await find();
        if (!wasGood) await limiter.giveBack(credentials.network);
        goodLately.set(key, true);
        return found;
      } catch (error) {
        const isWrong = error instanceof MatrixError && error.errcode === 'M_UNKNOWN_TOKEN';
        if (isWrong) goodLately.delete(key);
        else if (!wasGood) await limiter.giveBack(credentials.network);
        throw error;
      }
    },
  };
}
