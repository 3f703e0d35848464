/** What happened in a room. Matrix specification, client-server API, "Getting events for a room". */
import { type Static, Type } from 'typebox';
import { failures } from './common.ts';
import { ClientEvent } from './events.ts';

const roomParams = { roomId: Type.String() };
const eventParams = { ...roomParams, eventId: Type.String() };

export const getEvent = { params: Type.Object(eventParams), response: { 200: ClientEvent, ...failures } };

/** How many events a page holds where the client doesn't say, and at most. */
export const eventsPerPage = { default: 10, maximum: 1000 } as const;
const limit = Type.Integer({ minimum: 0, default: eventsPerPage.default });

const filter = Type.Optional(Type.String({ description: 'Event filter as a JSON object' }));

export const MessagesPage = Type.Object({
  chunk: Type.Array(ClientEvent),
  state: Type.Optional(
    Type.Array(ClientEvent, { description: 'Member events of the senders, with lazy loading' }),
  ),
  start: Type.String(),
  end: Type.Optional(Type.String({ description: 'Omitted on the last page' })),
});
export type MessagesPage = Static<typeof MessagesPage>;
export const MessagesQuery = Type.Object({
  dir: Type.Union([Type.Literal('b'), Type.Literal('f')], { default: 'f' }),
  from: Type.Optional(Type.String()),
  to: Type.Optional(Type.String()),
  limit,
  filter,
});
export type MessagesQuery = Static<typeof MessagesQuery>;
export const getMessages = {
  params: Type.Object(roomParams),
  querystring: MessagesQuery,
  response: { 200: MessagesPage, ...failures },
};

export const EventContext = Type.Object({
  events_before: Type.Array(ClientEvent),
  event: ClientEvent,
  events_after: Type.Array(ClientEvent),
  state: Type.Array(ClientEvent),
  start: Type.String(),
  end: Type.String(),
});
export type EventContext = Static<typeof EventContext>;
export const getContext = {
  params: Type.Object(eventParams),
  querystring: Type.Object({ limit, filter }),
  response: { 200: EventContext, ...failures },
};

export const EventAtTime = Type.Object({ event_id: Type.String(), origin_server_ts: Type.Integer() });
export type EventAtTime = Static<typeof EventAtTime>;
export const EventAtTimeQuery = Type.Object({
  ts: Type.Integer({ description: 'Milliseconds since the Unix epoch' }),
  dir: Type.Union([Type.Literal('f'), Type.Literal('b')], { default: 'f' }),
});
export const getEventAtTime = {
  params: Type.Object(roomParams),
  querystring: EventAtTimeQuery,
  response: { 200: EventAtTime, ...failures },
};
