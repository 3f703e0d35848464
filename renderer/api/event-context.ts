/** Events around an event, for admins whether they are in the room or not. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Static, Type } from 'typebox';
import { JsonObject } from '../../shared/api/common.ts';
import type { Server } from '../transport/server.ts';

/** Validated where they are rendered, so that one malformed event hides no other. */
const Events = Type.Array(JsonObject);

const EventContext = Type.Object({
  events_before: Events,
  event: JsonObject,
  events_after: Events,
  state: Type.Optional(Events),
  start: Type.Optional(Type.String()),
  end: Type.Optional(Type.String()),
});

const MessagesPage = Type.Object({
  chunk: Events,
  state: Type.Optional(Events),
  start: Type.Optional(Type.String()),
  end: Type.Optional(Type.String({ description: 'Left out where there is no more' })),
});

const initialLimit = 12;
const defaultPageSize = 20;

/** How a page is loaded. A page before others names the step to the one after it. */
type Step =
  | { dir: 'around' }
  | { dir: 'last' }
  | { dir: 'b'; from: string; nextStep: Step }
  | { dir: 'f'; from: string };

export type ConversationPage = {
  /** Oldest first. */
  events: JsonObject[];
  /** The token to page backwards from; undefined at the beginning. */
  previousToken: string | undefined;
  next: Step | undefined;
  /** Display names in the room by user ID, if the server includes them. */
  names: ReadonlyMap<string, string>;
};

/** Returns display names by user ID from member events. */
export function displayNames(state: readonly JsonObject[] = []): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { type, state_key: userId, content } of state) {
    const name =
      type === 'm.room.member' ? (content as JsonObject | null | undefined)?.displayname : undefined;
    if (typeof userId === 'string' && typeof name === 'string' && name) names.set(userId, name);
  }
  return names;
}

const roomPath = (roomId: string) => `/v1/rooms/${encodeURIComponent(roomId)}`;

/** Lazy-loads members: a large room's would be most of the reply. */
const lazyMembersFilter = encodeURIComponent(JSON.stringify({ lazy_load_members: true }));

/**
 * Leaves out redactions, because a redacted message names its redaction, and dummy events, which only connect the
 * room's graph.
 */
const conversationFilter = encodeURIComponent(
  JSON.stringify({ lazy_load_members: true, not_types: ['m.room.redaction', 'org.matrix.dummy_event'] }),
);

/**
 * Pages through the events around one, or back from the newest. Synapse's admin API, "Room event context" and "Room
 * messages".
 */
export const conversationQuery = (
  server: Server,
  roomId: string,
  eventId: string | undefined,
  pageSize = defaultPageSize,
) =>
  infiniteQueryOptions({
    queryKey: [server.id, 'event-context', roomId, eventId, pageSize],
    queryFn: async ({ pageParam, signal }): Promise<ConversationPage> => {
      if (pageParam.dir === 'last') {
        const path = `${roomPath(roomId)}/messages?dir=b&limit=${pageSize}&filter=${conversationFilter}`;
        const { chunk, state, start, end } = await server.get(MessagesPage, path, { signal });
        return {
          events: chunk.reverse(),
          previousToken: chunk.length === 0 ? undefined : end,
          next: forwardStep(start),
          names: displayNames(state),
        };
      }
      if (pageParam.dir === 'around') {
        const path = `${roomPath(roomId)}/context/${encodeURIComponent(eventId ?? '')}?limit=${initialLimit}`;
        const around = await server.get(EventContext, `${path}&filter=${conversationFilter}`, { signal });
        return {
          events: [...around.events_before.reverse(), around.event, ...around.events_after],
          previousToken: around.start,
          next: forwardStep(around.end),
          names: displayNames(around.state),
        };
      }
      const { dir, from } = pageParam;
      const query = `dir=${dir}&from=${encodeURIComponent(from)}&limit=${pageSize}`;
      const path = `${roomPath(roomId)}/messages?${query}&filter=${conversationFilter}`;
      const { chunk, state, end } = await server.get(MessagesPage, path, { signal });
      const names = displayNames(state);
      // Servers return a token at the end as well: an empty page is the end.
      const nextToken = chunk.length === 0 ? undefined : end;
      return dir === 'b'
        ? { events: chunk.reverse(), previousToken: nextToken, next: pageParam.nextStep, names }
        : { events: chunk, previousToken: undefined, next: forwardStep(nextToken), names };
    },
    initialPageParam: { dir: eventId === undefined ? 'last' : 'around' } as Step,
    getPreviousPageParam: ({ previousToken }, _pages, nextStep): Step | undefined =>
      previousToken === undefined ? undefined : { dir: 'b', from: previousToken, nextStep },
    getNextPageParam: ({ next }) => next,
    // Refetching would move the events that the user is reading.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    structuralSharing: false,
  });

const forwardStep = (from: string | undefined): Step | undefined =>
  from === undefined ? undefined : { dir: 'f', from };

/** Returns the event in its current form, without its context. */
export const currentEventQuery = (server: Server, roomId: string, eventId: string) =>
  queryOptions({
    queryKey: [server.id, 'event-now', roomId, eventId],
    queryFn: async ({ signal }) => {
      const path = `${roomPath(roomId)}/context/${encodeURIComponent(eventId)}?limit=0&filter=${lazyMembersFilter}`;
      const { event, end, state } = await server.get(EventContext, path, { signal });
      return { event, end, names: displayNames(state) };
    },
    staleTime: 30_000,
    structuralSharing: false,
  });

const StoredEvent = Type.Object({ event: JsonObject });

export const storedEvent = async (server: Server, eventId: string, signal: AbortSignal) =>
  (await server.get(StoredEvent, `/v1/fetch_event/${encodeURIComponent(eventId)}`, { signal })).event;

/** Returns the stored event, including redacted content for as long as the server keeps it. */
export const storedEventQuery = (server: Server, eventId: string) =>
  queryOptions({
    queryKey: [server.id, 'stored-event', eventId],
    queryFn: ({ signal }) => storedEvent(server, eventId, signal),
    staleTime: 60_000,
    structuralSharing: false,
  });

const laterPageSize = 500;

/** Pages through the events after one, to find its edits or votes. Servers that ignore the filter return all events. */
export const laterEventsQuery = (
  server: Server,
  roomId: string,
  eventId: string,
  request: { sender?: string; types: readonly string[]; from: string },
) =>
  infiniteQueryOptions({
    queryKey: [server.id, 'later-events', roomId, eventId, request],
    queryFn: async ({ pageParam, signal }) => {
      const filter = JSON.stringify({
        ...(request.sender !== undefined && { senders: [request.sender] }),
        types: request.types,
        lazy_load_members: true,
      });
      const events: JsonObject[] = [];
      let from: string | undefined = pageParam;
      // Servers return a token at the end as well: an empty page is the end.
      for (
        let requests = 0;
        from !== undefined && events.length < laterPageSize && requests < 3;
        requests++
      ) {
        const query = `dir=f&from=${encodeURIComponent(from)}&limit=${laterPageSize}&filter=${encodeURIComponent(filter)}`;
        const page: Static<typeof MessagesPage> = await server.get(
          MessagesPage,
          `${roomPath(roomId)}/messages?${query}`,
          { signal },
        );
        events.push(...page.chunk);
        from = page.chunk.length === 0 ? undefined : page.end;
      }
      return { events, end: from };
    },
    initialPageParam: request.from,
    getNextPageParam: ({ end }) => end,
    staleTime: 30_000,
    structuralSharing: false,
  });
