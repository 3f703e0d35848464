/**
 * Token buckets. Each is kept as one number, the moment at which it will be full again: taking moves that
 * moment on, and what a bucket holds is how far it lies within the time that an empty one needs to fill.
 */
import type { Clock } from '../core/clock.ts';

export type TokenBuckets = {
  /**
   * Takes from a bucket what takes `cost` milliseconds to flow back into it, if there is so much in it.
   *
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

/** Buckets of this process alone. */
export function bucketsInMemory(clock: Pick<Clock, 'monotonic'>): TokenBuckets {
  const fullAt = new Map<string, number>();

  const sweep = (now: number) => {
    for (const [key, at] of fullAt) if (at <= now) fullAt.delete(key);
  };

  return {
    async take(key, cost, capacity) {
      const now = clock.monotonic();
      const next = Math.max(now, fullAt.get(key) ?? now) + cost;
      const wait = next - now - capacity;
      if (wait >= tolerance) return Math.round(wait);
      if (!fullAt.has(key) && fullAt.size >= sweepAt && fullAt.size % 1000 === 0) sweep(now);
      fullAt.set(key, next);
      return 0;
    },
    async giveBack(key, cost) {
      const at = fullAt.get(key);
      if (at !== undefined) fullAt.set(key, at - cost);
    },
  };
}
