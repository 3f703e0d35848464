/** Reading a room's history in pages. Matrix specification, client-server API, "Getting events for a room". */
import {
  type ClientEvent,
  type EventContext,
  eventsPerPage,
  type MessagesPage,
} from '../../shared/api/rooms.ts';
import { forbidden, MatrixError, notFound, notJson } from '../http/matrix-error.ts';
import { findEvent, listEvents, newestStreamOrdering } from '../storage/events.ts';
import { listStateAt } from '../storage/room-state.ts';
import type { Database } from '../storage/schema.ts';
import { findVisibleEvent, requireReadable, roomAccess, visibleEvents } from './access.ts';
import { type Reader, serveEvents } from './client-event.ts';

export type HistoryQuery = {
  dir: 'b' | 'f';
  from?: string;
  to?: string;
  limit: number;
  filter?: string;
};

/**
 * A page of a room's history. A token is a place between two events.
 *
 * @throws MatrixError 403 for who may not read the room; 400 for tokens of another kind
 */
export async function readMessages(
  db: Database,
  reader: Reader,
  roomId: string,
  query: HistoryQuery,
): Promise<MessagesPage> {
  requireFilter(query.filter);
  const from = placeOf('from', query.from);
  const to = placeOf('to', query.to);
  const access = await requireReadable(db, roomId, reader.requester.userId);
  const newest = access.upTo ?? (await newestStreamOrdering(db));

  const backwards = query.dir === 'b';
  const start = from ?? (backwards ? newest : 0);
  const limit = Math.min(query.limit, eventsPerPage.maximum);
  const events = await listEvents(db, roomId, {
    after: backwards ? (to ?? 0) : start,
    upTo: backwards ? Math.min(start, newest) : Math.min(to ?? newest, newest),
    direction: query.dir,
    limit,
  });
  const last = events.at(-1)?.streamOrdering;
  const end = last === undefined ? (limit === 0 ? start : undefined) : backwards ? last - 1 : last;
  const visible = await visibleEvents(db, roomId, reader.requester.userId, events, access);
  return {
    chunk: await serveEvents(db, visible, reader),
    start: tokenOf(start),
    ...(end !== undefined && { end: tokenOf(end) }),
  };
}

/** @throws MatrixError 404 for what the reader can't see, as for what isn't there */
export async function readEvent(
  db: Database,
  reader: Reader,
  roomId: string,
  eventId: string,
): Promise<ClientEvent> {
  const visible = await findVisibleEvent(db, roomId, reader.requester.userId, eventId);
  const [served] = visible ? await serveEvents(db, [visible], reader) : [];
  if (!served) throw notFound('Event not found.');
  return served;
}

/**
 * An event with what happened around it, as many events as `limit`, and the room's state at the last.
 *
 * @throws MatrixError 404 for an unknown event; 403 for one that the reader may not see
 */
export async function readContext(
  db: Database,
  reader: Reader,
  roomId: string,
  eventId: string,
  wanted: number,
): Promise<EventContext> {
  const { userId } = reader.requester;
  if (!(await findEvent(db, eventId))) throw notFound('Event not found.');
  const event = (await findVisibleEvent(db, roomId, userId, eventId))?.event;
  if (!event) throw forbidden("You don't have permission to access that event.");
  // Who saw the event while they were in the room may still see it, and nothing after it.
  const access = (await roomAccess(db, roomId, userId)) ?? { upTo: event.streamOrdering, peeking: true };
  const limit = Math.min(wanted, eventsPerPage.maximum);
  const place = event.streamOrdering;
  const newest = access.upTo ?? (await newestStreamOrdering(db));
  const before = await listEvents(db, roomId, {
    after: 0,
    upTo: place - 1,
    direction: 'b',
    limit: Math.floor(limit / 2),
  });
  const after = await listEvents(db, roomId, {
    after: place,
    upTo: newest,
    direction: 'f',
    limit: Math.ceil(limit / 2),
  });
  const last = after.at(-1) ?? event;
  const state = await listStateAt(db, roomId, last.streamOrdering);
  const visible = await visibleEvents(db, roomId, userId, [...before, event, ...after], access);
  const served = await serveEvents(db, visible, reader);
  const split = visible.findIndex((each) => each.event === event);
  return {
    events_before: served.slice(0, split),
    event: served[split] as ClientEvent,
    events_after: served.slice(split + 1),
    state: await serveEvents(
      db,
      state.map((each) => ({ event: each })),
      reader,
    ),
    start: tokenOf((before.at(-1) ?? event).streamOrdering - 1),
    end: tokenOf(last.streamOrdering),
  };
}

const tokenOf = (place: number) => `s${place}`;

function placeOf(name: string, token: string | undefined): number | undefined {
  if (token === undefined || token === '') return undefined;
  if (!/^s\d{1,15}$/.test(token)) throw new MatrixError(400, 'M_UNKNOWN', `'${name}' parameter is invalid`);
  return Number(token.slice(1));
}

function requireFilter(filter: string | undefined): void {
  if (filter === undefined) return;
  let value: unknown;
  try {
    value = JSON.parse(filter);
  } catch {}
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw notJson('Query parameter filter must be a valid JSON object');
  }
}
