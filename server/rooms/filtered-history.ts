/** A page of a room's events that a filter lets through. */
import type { RoomEventFilter } from '../../shared/api/filters.ts';
import { filterYielding } from '../core/yield.ts';
import type { Database } from '../database/schema.ts';
import { eventTest, roomTest } from './event-filter.ts';
import { type HistoryRange, listEvents } from './event-order-store.ts';
import type { StoredEvent } from './event-store.ts';
import { findRelatedBy } from './relations/relation-store.ts';

/** So many events are looked at for one page: where a filter lets few through, a page may have fewer than asked for. */
const maximumLookedAt = 2_000;
const atOnce = 200;

export type FilteredPage = {
  events: StoredEvent[];
  /** The last event that was looked at; undefined where there was none. */
  last: number | undefined;
};

export async function listFiltered(
  db: Database,
  roomId: string,
  range: HistoryRange,
  filter: RoomEventFilter,
): Promise<FilteredPage> {
  const { direction, limit } = range;
  if (roomTest(filter)?.(roomId) === false) return { events: [], last: undefined };
  const test = eventTest(filter);
  const relTypes = nonEmpty(filter.related_by_rel_types);
  const senders = nonEmpty(filter.related_by_senders);
  if (!test && !relTypes && !senders) {
    const events = await listEvents(db, roomId, range);
    return { events, last: events.at(-1)?.streamOrdering };
  }
  const events: StoredEvent[] = [];
  let { after, upTo } = range;
  let last: number | undefined;
  for (let lookedAt = 0; lookedAt < maximumLookedAt && limit > 0; ) {
    const found = await listEvents(db, roomId, { after, upTo, direction, limit: atOnce });
    let matching = test ? await filterYielding(found, ({ pdu }) => test(pdu)) : found;
    if (relTypes || senders) {
      const ids = matching.map(({ eventId }) => eventId);
      const related = await findRelatedBy(db, ids, { relTypes, senders });
      matching = matching.filter(({ eventId }) => related.has(eventId));
    }
    const wanted = matching.slice(0, limit - events.length);
    events.push(...wanted);
    lookedAt += found.length;
    const isFull = events.length === limit;
    last = (isFull ? wanted.at(-1) : found.at(-1))?.streamOrdering ?? last;
    if (isFull || found.length === 0 || last === undefined) break;
    if (direction === 'b') upTo = last - 1;
    else after = last;
  }
  return { events, last };
}

/** An empty list filters nothing, as on Synapse. */
const nonEmpty = (list: string[] | undefined) => (list?.length ? list : undefined);
