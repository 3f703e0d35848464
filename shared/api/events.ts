/** Events, and sending them. Matrix specification, client-server API, "Events". */
import { type Static, Type } from 'typebox';
import { failures, JsonObject } from './common.ts';

const roomParams = { roomId: Type.String() };
const eventParams = { ...roomParams, eventId: Type.String() };
const stateParams = { ...roomParams, eventType: Type.String() };

/** An event in the format of the client-server API. */
export const ClientEvent = Type.Object(
  {
    content: JsonObject,
    event_id: Type.String(),
    origin_server_ts: Type.Integer(),
    room_id: Type.String(),
    sender: Type.String(),
    state_key: Type.Optional(Type.String()),
    type: Type.String(),
    unsigned: JsonObject,
  },
  { additionalProperties: true },
);
export type ClientEvent = Static<typeof ClientEvent> & Record<string, unknown>;

export const EventId = Type.Object({ event_id: Type.String() });

/** An application service's parameter for sending events. Application service API, "Timestamp massaging". */
const SentBefore = Type.Object({
  ts: Type.Optional(Type.Integer({ minimum: 0, description: 'Milliseconds since the Unix epoch' })),
});

export const putEvent = {
  querystring: SentBefore,
  params: Type.Object({ ...stateParams, txnId: Type.String() }),
  body: JsonObject,
  response: { 200: EventId, ...failures },
};

export const postEvent = {
  querystring: SentBefore,
  params: Type.Object(stateParams),
  body: JsonObject,
  response: { 200: EventId, ...failures },
};

export const putRedaction = {
  params: Type.Object({ ...eventParams, txnId: Type.String() }),
  body: JsonObject,
  response: { 200: EventId, ...failures },
};

export const postRedaction = {
  params: Type.Object(eventParams),
  body: Type.Optional(JsonObject),
  response: { 200: EventId, ...failures },
};

/** History of a room. Matrix specification, client-server API, "Getting events for a room". */

export const getEvent = { params: Type.Object(eventParams), response: { 200: ClientEvent, ...failures } };

/** Default and maximum number of events per page. */
export const eventsPerPage = { default: 10, maximum: 1000 } as const;
const eventLimit = Type.Integer({ minimum: 0, default: eventsPerPage.default });

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
  limit: eventLimit,
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
  querystring: Type.Object({ limit: eventLimit, filter }),
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

/** A room's state. Matrix specification, client-server API, "Getting events for a room". */

export const putState = {
  querystring: SentBefore,
  params: Type.Object({ ...stateParams, stateKey: Type.Optional(Type.String()) }),
  body: JsonObject,
  response: { 200: EventId, ...failures },
};

export const getState = {
  params: Type.Object(roomParams),
  response: { 200: Type.Array(ClientEvent), ...failures },
};

export const getStateEvent = {
  params: Type.Object({ ...stateParams, stateKey: Type.Optional(Type.String()) }),
  querystring: Type.Object({
    format: Type.Union([Type.Literal('content'), Type.Literal('event')], { default: 'content' }),
  }),
  // The state's content, or its event.
  response: { 200: JsonObject, ...failures },
};

/** Relations of events. Matrix specification, client-server API, "Relationships API", "Threading". */

const parent = { roomId: Type.String(), eventId: Type.String() };

/** Default and maximum number of events per page. */
export const relationsPerPage = { default: 5, maximum: 100 } as const;
const limit = Type.Integer({ minimum: 1, default: relationsPerPage.default });

export const RelationsPage = Type.Object({
  chunk: Type.Array(ClientEvent),
  next_batch: Type.Optional(Type.String({ description: 'Omitted on the last page' })),
  prev_batch: Type.Optional(Type.String()),
  recursion_depth: Type.Optional(Type.Integer()),
});
export type RelationsPage = Static<typeof RelationsPage>;

export const RelationsQuery = Type.Object({
  dir: Type.Union([Type.Literal('b'), Type.Literal('f')], { default: 'b' }),
  from: Type.Optional(Type.String()),
  to: Type.Optional(Type.String()),
  limit,
  recurse: Type.Boolean({ default: false, description: 'Include indirect relations' }),
});
export type RelationsQuery = Static<typeof RelationsQuery>;

const page = { querystring: RelationsQuery, response: { 200: RelationsPage, ...failures } };
export const getRelations = { ...page, params: Type.Object(parent) };
export const getRelationsOfKind = { ...page, params: Type.Object({ ...parent, relType: Type.String() }) };
export const getRelationsOfType = {
  ...page,
  params: Type.Object({ ...parent, relType: Type.String(), eventType: Type.String() }),
};

const ThreadsPage = Type.Object({
  chunk: Type.Array(ClientEvent),
  next_batch: Type.Optional(Type.String({ description: 'Omitted on the last page' })),
});
export const getThreads = {
  params: Type.Object({ roomId: Type.String() }),
  querystring: Type.Object({
    include: Type.Union([Type.Literal('all'), Type.Literal('participated')], { default: 'all' }),
    from: Type.Optional(Type.String()),
    limit,
  }),
  response: { 200: ThreadsPage, ...failures },
};
