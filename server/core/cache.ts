/** What is kept in memory to spare the database. Interface: "Limits", cache entry expiry. */
import QuickLRU from 'quick-lru';
import type { Clock } from './clock.ts';

/** How large caches are, as a factor, and how long an entry stays that nobody asks for, in milliseconds. */
export type CacheLimits = { globalFactor: number; entryTtlMs: number | undefined };

export type Cache<Key, Value> = {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  /** Lets go of what nobody asked for in the configured time. */
  evictIdle(): void;
};

/**
 * A cache of about `size` entries at a factor of 1, without the least recently used and, where entries
 * expire, without those that nobody asks for.
 */
export function createCache<Key, Value>(
  size: number,
  { globalFactor, entryTtlMs }: CacheLimits,
  clock: Clock,
): Cache<Key, Value> {
  const entries = new QuickLRU<Key, { value: Value; usedAt: number }>({
    maxSize: Math.max(1, Math.round(size * globalFactor)),
  });
  const isIdle = (usedAt: number) => entryTtlMs !== undefined && clock.now() - usedAt >= entryTtlMs;
  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      if (isIdle(entry.usedAt)) {
        entries.delete(key);
        return undefined;
      }
      entry.usedAt = clock.now();
      return entry.value;
    },
    set(key, value) {
      entries.set(key, { value, usedAt: clock.now() });
    },
    evictIdle() {
      for (const [key, { usedAt }] of [...entries.entriesAscending()])
        if (isIdle(usedAt)) entries.delete(key);
    },
  };
}
