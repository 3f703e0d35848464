/** Pages of a room's history, and single events with their context. Client-server API, "Getting events for a room". */
import type { ClientEvent } from '../../../../shared/api/events.ts';
import { eventsPerPage } from '../../../../shared/api/events.ts';
import type { RoomEventFilter } from '../../../../shared/api/sync.ts';
import { filterYielding } from '../../../platform/concurrency/yield.ts';
import { forbidden, notFound } from '../../../platform/core/matrix-error.ts';
import type { Database } from '../../../platform/database/schema.ts';
import {
  findVisibleEvent,
  type RoomAccess,
  requireReadable,
  roomAccess,
  type VisibleEvent,
  visibleEvents,
  withoutIgnored,
} from '../access.ts';
import { findRelatedBy } from '../relations/relation-store.ts';
import { listMembersAt, listStateAt } from '../state/room-state-store.ts';
import { type Reader, type ServedEvent, serveEvents } from './client-event.ts';
import { eventTest, roomTest } from './event-filter.ts';
import {
  type HistoryRange,
  listEvents,
  listEventsByTime,
  newestStreamOrdering,
} from './event-order-store.ts';
import { findEvent, type StoredEvent } from './event-store.ts';

/** Positions are between events. */
export type HistoryQuery = {
  direction: 'b' | 'f';
  from: number | undefined;
  to: number | undefined;
  limit: number;
  filter: RoomEventFilter;
};

export type HistoryPage = {
  events: ClientEvent[];
  /** Member events of their senders, if the filter lazy-loads members. */
  members: ClientEvent[];
  start: number;
  /** Position of the next page; undefined at the end. */
  end: number | undefined;
};

/** @throws MatrixError 403 if the reader may not read the room */
export async function readMessages(
  db: Database,
  reader: Reader,
  roomId: string,
  { direction, from, to, limit: requested, filter }: HistoryQuery,
): Promise<HistoryPage> {
  const access = await requireAccess(db, reader, roomId);
  const newest = access.upTo ?? (await newestStreamOrdering(db, roomId));

  const backwards = direction === 'b';
  const start = from ?? (backwards ? newest : 0);
  const limit = Math.min(requested, eventsPerPage.maximum);
  const range = {
    after: backwards ? (to ?? 0) : start,
    upTo: backwards ? Math.min(start, newest) : Math.min(to ?? newest, newest),
    direction,
    limit,
  };
  const { events, last } = await listFiltered(db, roomId, range, filter);
  const end = last === undefined ? (limit === 0 ? start : undefined) : backwards ? last - 1 : last;
  const visible = await visibleTo(db, reader, roomId, events, access);
  const senders = filter.lazy_load_members ? await sendersOf(db, roomId, visible) : [];
  const by = { ...reader, upTo: access.upTo };
  const served = await serveEvents(db, [...visible, ...senders.map((event) => ({ event }))], by);
  return { events: served.slice(0, visible.length), members: served.slice(visible.length), start, end };
}

/** Returns the member events of the senders, as of the newest of these events. */
async function sendersOf(
  db: Database,
  roomId: string,
  events: readonly { event: StoredEvent }[],
): Promise<StoredEvent[]> {
  if (events.length === 0) return [];
  const senders = new Set(events.map(({ event }) => event.pdu.sender));
  const newest = Math.max(...events.map(({ event }) => event.streamOrdering));
  return listMembersAt(db, roomId, [...senders], newest);
}

/** @throws MatrixError 404 if the event is unknown or hidden from the reader */
export async function readEvent(
  db: Database,
  reader: Reader,
  roomId: string,
  eventId: string,
): Promise<ClientEvent> {
  const visible = await findShown(db, reader, roomId, eventId);
  if (!visible) throw notFound('Event not found.');
  const access = (await accessOf(db, reader, roomId)) ?? { upTo: visible.event.streamOrdering };
  const [served] = await serveEvents(db, [visible], { ...reader, upTo: access.upTo });
  return served as ClientEvent;
}

export type EventSurroundings = {
  /** Newest first. */
  before: ClientEvent[];
  event: ClientEvent;
  after: ClientEvent[];
  state: ClientEvent[];
  /** Positions before the first event and after the last. */
  start: number;
  end: number;
};

/**
 * Reads an event with up to `limit` events around it, and the room's state at the last one.
 *
 * @throws MatrixError 404 for an unknown event; 403 if the reader may not see it
 */
export async function readContext(
  db: Database,
  reader: Reader,
  roomId: string,
  eventId: string,
  { limit: requested, filter }: { limit: number; filter: RoomEventFilter },
): Promise<EventSurroundings> {
  const event = await requireEvent(db, reader, roomId, eventId);
  // A former member may still see the event, but nothing after it.
  const known = await accessOf(db, reader, roomId);
  const access = known ?? { upTo: event.streamOrdering, peeking: true };
  const limit = Math.min(requested, eventsPerPage.maximum);
  const position = event.streamOrdering;
  const newest = access.upTo ?? (await newestStreamOrdering(db, roomId));
  const earlier = { after: 0, upTo: position - 1, direction: 'b', limit: Math.floor(limit / 2) } as const;
  const later = { after: position, upTo: newest, direction: 'f', limit: Math.ceil(limit / 2) } as const;
  const before = await listFiltered(db, roomId, earlier, filter);
  const after = await listFiltered(db, roomId, later, filter);
  const end = after.last ?? position;
  const around = [...before.events, event, ...after.events];
  const visible = await visibleTo(db, reader, roomId, around, access);
  const senders = new Set(visible.map((each) => each.event.pdu.sender));
  const split = visible.findIndex((each) => each.event.eventId === event.eventId);
  const test = eventTest(filter);
  // A user who was only invited may see the events, but not the state.
  const wasInside = known !== undefined || visible[split]?.membership !== 'invite';
  const state = await filterYielding(
    wasInside ? await listStateAt(db, roomId, end) : [],
    ({ pdu }) =>
      (!test || test(pdu)) &&
      (!filter.lazy_load_members || pdu.type !== 'm.room.member' || senders.has(pdu.state_key ?? '')),
  );
  const by = { ...reader, upTo: access.upTo };
  const served = await serveEvents(db, visible, by);
  return {
    before: served.slice(0, split),
    event: served[split] as ClientEvent,
    after: served.slice(split + 1),
    state: await serveEvents(
      db,
      state.map((each) => ({ event: each })),
      by,
    ),
    start: (before.last ?? position) - 1,
    end,
  };
}

/**
 * Returns the visible event closest to a time: not before it (`f`) or not after it (`b`).
 *
 * @throws MatrixError 404 if there is none; 403 if the reader may not read the room
 */
export async function readEventAtTime(
  db: Database,
  reader: Reader,
  roomId: string,
  { ts, dir }: { ts: number; dir: 'b' | 'f' },
): Promise<StoredEvent> {
  const access = await requireAccess(db, reader, roomId);
  const upTo = access.upTo ?? (await newestStreamOrdering(db, roomId));
  const direction = dir === 'f' ? 'FORWARDS' : 'BACKWARDS';
  let after: StoredEvent | undefined;
  // Skips hidden events, within limits.
  for (let round = 0; round < 10; round++) {
    const events = await listEventsByTime(db, roomId, { ts, dir, upTo, after, limit: 100 });
    const [visible] = await visibleTo(db, reader, roomId, events, access);
    if (visible) return visible.event;
    after = events.at(-1);
    if (!after) break;
  }
  throw notFound(`Unable to find event from ${ts} in direction ${direction}`);
}

const everything: RoomAccess = { upTo: undefined, peeking: false };

const accessOf = async (db: Database, reader: Reader, roomId: string): Promise<RoomAccess | undefined> =>
  reader.seesEverything ? everything : roomAccess(db, roomId, reader.requester.userId);

const requireAccess = async (db: Database, reader: Reader, roomId: string): Promise<RoomAccess> =>
  reader.seesEverything ? everything : requireReadable(db, roomId, reader.requester.userId);

const visibleTo = async (
  db: Database,
  reader: Reader,
  roomId: string,
  events: StoredEvent[],
  access: RoomAccess,
): Promise<ServedEvent[]> =>
  reader.seesEverything
    ? events.map((event) => ({ event }))
    : withoutIgnored(
        db,
        reader.requester.userId,
        await visibleEvents(db, roomId, reader.requester.userId, events, access),
      );

/** Omits events of ignored users. */
async function findShown(
  db: Database,
  { requester: { userId } }: Reader,
  roomId: string,
  eventId: string,
): Promise<VisibleEvent | undefined> {
  const visible = await findVisibleEvent(db, roomId, userId, eventId);
  return visible && (await withoutIgnored(db, userId, [visible]))[0];
}

async function requireEvent(
  db: Database,
  reader: Reader,
  roomId: string,
  eventId: string,
): Promise<StoredEvent> {
  const event = await findEvent(db, eventId);
  if (!event) throw notFound('Event not found.');
  if (reader.seesEverything) {
    if (event.pdu.room_id !== roomId || event.purged) throw notFound('Event not found.');
    return event;
  }
  const visible = await findShown(db, reader, roomId, eventId);
  if (!visible) throw forbidden("You don't have permission to access that event.");
  return visible.event;
}

/** Events read for one page: with a narrow filter, it may have fewer than requested. */
const maximumRead = 2_000;
const eventsPerQuery = 200;

type FilteredPage = {
  events: StoredEvent[];
  /** Position of the last event that was read; undefined if none was. */
  last: number | undefined;
};

async function listFiltered(
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
  for (let read = 0; read < maximumRead && limit > 0; ) {
    const found = await listEvents(db, roomId, { after, upTo, direction, limit: eventsPerQuery });
    let matching = test ? await filterYielding(found, ({ pdu }) => test(pdu)) : found;
    if (relTypes || senders) {
      const ids = matching.map(({ eventId }) => eventId);
      const related = await findRelatedBy(db, ids, { relTypes, senders });
      matching = matching.filter(({ eventId }) => related.has(eventId));
    }
    const requested = matching.slice(0, limit - events.length);
    events.push(...requested);
    read += found.length;
    const isFull = events.length === limit;
    last = (isFull ? requested.at(-1) : found.at(-1))?.streamOrdering ?? last;
    if (isFull || found.length === 0 || last === undefined) break;
    if (direction === 'b') upTo = last - 1;
    else after = last;
  }
  return { events, last };
}

/** An empty list filters nothing, as on Synapse. */
const nonEmpty = (list: string[] | undefined) => (list?.length ? list : undefined);
