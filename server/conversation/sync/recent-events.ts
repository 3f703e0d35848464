/**
 * What happened lately, read once for all who waited for it: a message in a large room wakes many, who ask for the same
 * stretch of events within the same moment.
 */
import type { Cache } from '../../platform/core/cache.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import { listAllEvents, type Stretch } from '../rooms/events/event-order-store.ts';
import type { StoredEvent } from '../rooms/events/event-store.ts';
import { relationIn } from '../rooms/relations/relation.ts';

/** Everything that happened after one place and up to another, in all rooms. */
export type RecentEvents = {
  /** Oldest first. */
  byRoom: ReadonlyMap<string, readonly StoredEvent[]>;
  /** Whether anybody came or went, or a room began to encrypt; what was purged since counts, too. */
  movesMembers: boolean;
  /** Events that others of these are about. */
  parents: ReadonlySet<string>;
};

/** Gives the events of a stretch, or nothing where they are too many to be read for everybody. */
export type ReadRecentEvents = (span: Stretch) => Promise<RecentEvents | undefined>;

const mostEvents = 50;
/** How long a stretch is remembered, in milliseconds: of what is purged meanwhile it may show something still. */
const remembered = 1_000;
/** Longer ones, in characters of JSON, are not. */
const longestRemembered = 500_000;

/** By stretch, what is read of it or has been, and since when, by the monotonic clock. */
export type RecentEventsCache = Cache<string, { since: number; reading: Promise<RecentEvents> }>;

export function createRecentEvents(
  { db, clock }: { db: Database; clock: Clock },
  known: RecentEventsCache,
): ReadRecentEvents {
  return async ({ after, upTo }) => {
    if (upTo - after > mostEvents) return undefined;
    const key = `${after} ${upTo}`;
    const found = known.get(key);
    const now = clock.monotonic();
    if (found && now - found.since < remembered) return found.reading;
    const reading = readStretch(db, { after, upTo }).then(({ stretch, length }) => {
      if (length > longestRemembered) known.delete(key);
      return stretch;
    });
    reading.catch(() => known.delete(key));
    known.set(key, { since: now, reading });
    return reading;
  };
}

async function readStretch(db: Database, span: Stretch): Promise<{ stretch: RecentEvents; length: number }> {
  const { events: all, length } = await listAllEvents(db, span);
  const events = all.filter(({ purged }) => !purged);
  const stretch = {
    byRoom: Map.groupBy(events, ({ pdu }) => pdu.room_id),
    movesMembers: all.some(({ pdu: { type } }) => type === 'm.room.member' || type === 'm.room.encryption'),
    parents: new Set(events.flatMap(({ pdu }) => relationIn(pdu.content)?.parentId ?? [])),
  };
  return { stretch, length };
}
