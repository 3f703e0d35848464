/**
 * Token buckets. Each is kept as one number, the moment at which it will be full again: taking moves that
 * moment on, and what a bucket holds is how far it lies within the time that an empty one needs to fill.
 */
import { hash } from 'node:crypto';
import type { Clock } from '../core/clock.ts';

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
