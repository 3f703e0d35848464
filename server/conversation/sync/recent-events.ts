/** Shares reads of new events: a message in a large room wakes many syncs, which all read the same interval at once. */
import type { Cache } from '../../platform/core/cache.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import { listAllEvents, type Stretch } from '../rooms/events/event-order-store.ts';
import type { StoredEvent } from '../rooms/events/event-store.ts';
import { relationIn } from '../rooms/relations/relation.ts';

/** All events of an interval. */
export type RecentEvents = {
  after: number;
  upTo: number;
  /** By room ID, oldest first. */
  byRoom: ReadonlyMap<string, readonly StoredEvent[]>;
  /** Whether memberships changed or encryption was enabled; purged events count. */
  movesMembers: boolean;
  /** Events to which others of these relate. */
  parents: ReadonlySet<string>;
};

/** Returns undefined for an interval with too many events to share. */
export type ReadRecentEvents = (span: Stretch) => Promise<RecentEvents | undefined>;

const maxEvents = 50;
/** In milliseconds. Short, because purged events stay in the cache. */
const ttl = 1_000;
/** In characters of JSON. */
const maxCached = 500_000;

/** By interval; `since` is a time of the monotonic clock. */
type RecentEventsCache = Cache<string, { since: number; reading: Promise<RecentEvents> }>;

export function createRecentEvents(
  { db, clock }: { db: Database; clock: Clock },
  cache: RecentEventsCache,
): ReadRecentEvents {
  return async ({ after, upTo }) => {
    if (upTo - after > maxEvents) return undefined;
    const key = `${after} ${upTo}`;
    const found = cache.get(key);
    const now = clock.monotonic();
    if (found && now - found.since < ttl) return found.reading;
    const reading = readStretch(db, { after, upTo }).then(({ stretch, length }) => {
      if (length > maxCached) cache.delete(key);
      return stretch;
    });
    reading.catch(() => cache.delete(key));
    cache.set(key, { since: now, reading });
    return reading;
  };
}

async function readStretch(db: Database, span: Stretch): Promise<{ stretch: RecentEvents; length: number }> {
  const { events: all, length } = await listAllEvents(db, span);
  const events = all.filter(({ purged }) => !purged);
  const stretch = {
    ...span,
    byRoom: Map.groupBy(events, ({ pdu }) => pdu.room_id),
    movesMembers: all.some(({ pdu: { type } }) => type === 'm.room.member' || type === 'm.room.encryption'),
    parents: new Set(events.flatMap(({ pdu }) => relationIn(pdu.content)?.parentId ?? [])),
  };
  return { stretch, length };
}
