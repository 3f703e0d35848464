/**
 * What is kept in memory to be quicker. Each process has its own, and none is told what others change: only what never
 * changes, or may be believed for a while, belongs here.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';

/** What rules every cache. */
export type CacheLimits = {
  /** Multiplies the number of entries. */
  globalFactor: number;
  /** Takes its place for single caches, by their names. */
  factors?: Readonly<Record<string, number>> | undefined;
  /** How long an entry stays that nobody asks for, in milliseconds; for good where it is undefined. */
  entryTtlMs: number | undefined;
};

type Something = NonNullable<unknown>;

export type Cache<Key extends Something, Value extends Something> = {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  /** Whether there was something to let go of. */
  delete(key: Key): boolean;
  clear(): void;
  values(): Iterable<Value>;
  /** Lets go of what nobody asked for in the configured time. */
  evictIdle(): void;
  figures(): CacheFigures;
};

export type CacheFigures = { entries: number; hits: number; misses: number };

/**
 * A cache of about `size` entries at a factor of 1, without the least recently used and, where entries
 * expire, without those that nobody asks for.
 *
 * @param sizeOf where entries are of very different sizes: `size` is then what they may add up to
 */
export function createCache<Key extends Something, Value extends Something>(
  size: number,
  { globalFactor, entryTtlMs }: CacheLimits,
  clock: Clock,
  sizeOf?: (value: Value) => number,
): Cache<Key, Value> {
  const most = Math.max(1, Math.round(size * globalFactor));
  return withFigures(
    new LRUCache<Key, Value>({
      // With a number of entries it would take room for all of them at once, and most caches stay nearly empty.
      maxSize: most,
      sizeCalculation: sizeOf ?? one,
      ...(entryTtlMs !== undefined && { ttl: staleAfter(entryTtlMs), updateAgeOnGet: true }),
      ...timeOf(clock),
    }),
  );
}

const one = () => 1;

// An entry counts as stale after its time, not at it; and a time of 0 would be none.
const staleAfter = (milliseconds: number) => Math.max(1, milliseconds - 1);

const timeOf = (clock: Clock) => ({ perf: clock, ttlResolution: 0 });

function withFigures<Key extends Something, Value extends Something>(
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
  /** As `createCache` makes one. */
  cache<Key extends Something, Value extends Something>(
    name: string,
    size: number,
    sizeOf?: (value: Value) => number,
  ): Cache<Key, Value>;
  evictIdle(): void;
  /** By the caches' names. */
  figures(): ReadonlyMap<string, CacheFigures>;
};

/** Makes the caches of one server, with names by which their sizes can be configured. */
export function createCaches(limits: CacheLimits, clock: Clock): Caches {
  const all = new Map<string, Pick<Cache<Something, Something>, 'evictIdle' | 'figures'>>();
  const factors = new Map(
    Object.entries(limits.factors ?? {}).map(([name, factor]) => [plain(name), factor]),
  );
  const limitsOf = (name: string): CacheLimits => ({
    ...limits,
    globalFactor: factors.get(plain(name)) ?? limits.globalFactor,
  });
  function added<Made extends Pick<Cache<Something, Something>, 'evictIdle' | 'figures'>>(
    name: string,
    cache: Made,
  ): Made {
    all.set(name, cache);
    return cache;
  }
  return {
    cache: (name, size, sizeOf) => added(name, createCache(size, limitsOf(name), clock, sizeOf)),
    evictIdle() {
      for (const cache of all.values()) cache.evictIdle();
    },
    figures: () => new Map([...all].map(([name, cache]) => [name, cache.figures()])),
  };
}

/** The caches' figures, for whoever watches over the server. */
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
