/**
 * In-process LRU caches. Changes by other processes don't invalidate entries, so only cache values that never change or
 * may be stale for a while.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';

/** Settings of all caches. */
type CacheLimits = {
  /** Multiplies the sizes of caches. */
  globalFactor: number;
  /** Replace the global factor for single caches, by name. */
  factors?: Readonly<Record<string, number>> | undefined;
  /** After how long without a read an entry expires, in milliseconds; never if undefined. */
  entryTtlMs: number | undefined;
};

export type Cache<Key extends NonNullable<unknown>, Value extends NonNullable<unknown>> = {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  /** Returns whether the key had an entry. */
  delete(key: Key): boolean;
  clear(): void;
  values(): Iterable<Value>;
  /** Deletes expired entries. */
  evictIdle(): void;
  figures(): CacheFigures;
};

type CacheFigures = { entries: number; hits: number; misses: number };

/**
 * Creates a cache.
 *
 * @param size maximum at a factor of 1: the number of entries, or the sum of `sizeOf`
 */
export function createCache<Key extends NonNullable<unknown>, Value extends NonNullable<unknown>>(
  size: number,
  { globalFactor, entryTtlMs }: CacheLimits,
  clock: Clock,
  sizeOf?: (value: Value) => number,
): Cache<Key, Value> {
  const maxSize = Math.max(1, Math.round(size * globalFactor));
  return withStatistics(
    new LRUCache<Key, Value>({
      // `max` would allocate memory for all entries at once, and most caches stay nearly empty.
      maxSize,
      sizeCalculation: sizeOf ?? one,
      ...(entryTtlMs !== undefined && { ttl: staleAfter(entryTtlMs), updateAgeOnGet: true }),
      ...timeOf(clock),
    }),
  );
}

const one = () => 1;

// LRUCache expires entries after their TTL, not at it, and 0 means none.
const staleAfter = (milliseconds: number) => Math.max(1, milliseconds - 1);

const timeOf = (clock: Clock) => ({ perf: clock, ttlResolution: 0 });

function withStatistics<Key extends NonNullable<unknown>, Value extends NonNullable<unknown>>(
  entries: LRUCache<Key, Value>,
): Cache<Key, Value> {
  let [hits, misses] = [0, 0];
  return {
    get(key) {
      const value = entries.get(key);
      if (value === undefined) misses++;
      else hits++;
      return value;
    },
    set: (key, value) => void entries.set(key, value),
    delete: (key) => entries.delete(key),
    clear: () => entries.clear(),
    values: () => entries.values(),
    evictIdle: () => void entries.purgeStale(),
    figures: () => ({ entries: entries.size, hits, misses }),
  };
}

/** All caches of a server. */
export type Caches = {
  /** Like `createCache`. The name selects the size factor. */
  cache<Key extends NonNullable<unknown>, Value extends NonNullable<unknown>>(
    name: string,
    size: number,
    sizeOf?: (value: Value) => number,
  ): Cache<Key, Value>;
  evictIdle(): void;
  /** By cache name. */
  figures(): ReadonlyMap<string, CacheFigures>;
};

export function createCaches(limits: CacheLimits, clock: Clock): Caches {
  const all = new Map<
    string,
    Pick<Cache<NonNullable<unknown>, NonNullable<unknown>>, 'evictIdle' | 'figures'>
  >();
  const factors = new Map(
    Object.entries(limits.factors ?? {}).map(([name, factor]) => [plain(name), factor]),
  );
  const limitsOf = (name: string): CacheLimits => ({
    ...limits,
    globalFactor: factors.get(plain(name)) ?? limits.globalFactor,
  });
  function register<
    Named extends Pick<Cache<NonNullable<unknown>, NonNullable<unknown>>, 'evictIdle' | 'figures'>,
  >(name: string, cache: Named): Named {
    all.set(name, cache);
    return cache;
  }
  return {
    cache: (name, size, sizeOf) => register(name, createCache(size, limitsOf(name), clock, sizeOf)),
    evictIdle() {
      for (const cache of all.values()) cache.evictIdle();
    },
    figures: () => new Map([...all].map(([name, cache]) => [name, cache.figures()])),
  };
}

/** Metrics of all caches. */
export function cacheFigures(caches: Caches) {
  const figure = (name: string, help: string, kind: keyof CacheFigures) => ({
    name: `gatehouse_cache_${name}`,
    help,
    read: async () =>
      new Map([...caches.figures()].map(([cache, figures]) => [cache, figures[kind]] as const)),
  });
  return [
    figure('entries', 'Number of cache entries', 'entries'),
    figure('hits', 'Number of cache hits', 'hits'),
    figure('misses', 'Number of cache misses', 'misses'),
  ];
}

/** Administrators write `*getEvent*`, `getEvent` and `getevent` for the same cache. */
const plain = (name: string) => name.replaceAll(/\W/g, '').toLowerCase();
