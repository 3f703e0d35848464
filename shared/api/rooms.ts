/** Rooms and events in the client API. Matrix specification, client-server API, "Rooms" and "Events". */
import { type Static, Type } from 'typebox';
import { EmptyObject, failures, JsonObject, Nullable } from './common.ts';

/** An event as clients get it. */
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

export const RoomId = Type.Object({ room_id: Type.String() });
export const EventId = Type.Object({ event_id: Type.String() });

const roomParams = { roomId: Type.String() };
const eventParams = { ...roomParams, eventId: Type.String() };
const stateParams = { ...roomParams, eventType: Type.String() };

export const CreateRoomRequest = Type.Object(
  {
    preset: Type.Optional(
      Type.Union([
        Type.Literal('private_chat'),
        Type.Literal('trusted_private_chat'),
        Type.Literal('public_chat'),
      ]),
    ),
    visibility: Type.Optional(Type.String()),
    name: Type.Optional(Type.String()),
    topic: Type.Optional(Type.String()),
    room_alias_name: Type.Optional(Type.String()),
    room_version: Type.Optional(Type.String()),
    invite: Type.Optional(Type.Array(Type.String(), { maxItems: 1000 })),
    invite_3pid: Type.Optional(Type.Array(Type.Unknown())),
    is_direct: Type.Optional(Type.Boolean()),
    creation_content: Type.Optional(JsonObject),
    power_level_content_override: Type.Optional(JsonObject),
    initial_state: Type.Optional(
      Type.Array(
        Type.Object(
          { type: Type.String(), state_key: Type.String({ default: '' }), content: JsonObject },
          { additionalProperties: true },
        ),
        { maxItems: 1000 },
      ),
    ),
  },
  { additionalProperties: true },
);
export type CreateRoomRequest = Static<typeof CreateRoomRequest>;
export const createRoom = { body: CreateRoomRequest, response: { 200: RoomId, ...failures } };

/** Joining, leaving and forgetting may come without a body. */
export const joinByIdOrAlias = {
  params: Type.Object({ roomIdOrAlias: Type.String() }),
  response: { 200: RoomId, ...failures },
};
export const joinRoom = { params: Type.Object(roomParams), response: { 200: RoomId, ...failures } };
export const leaveRoom = { params: Type.Object(roomParams), response: { 200: EmptyObject, ...failures } };

/** Inviting, kicking, banning and lifting a ban name the user that they are about. */
export const changeOther = {
  params: Type.Object(roomParams),
  body: Type.Object({ user_id: Type.String() }, { additionalProperties: true }),
  response: { 200: EmptyObject, ...failures },
};

export const JoinedRooms = Type.Object({ joined_rooms: Type.Array(Type.String()) });
export const getJoinedRooms = { response: { 200: JoinedRooms, ...failures } };

export const JoinedMembers = Type.Object({
  joined: Type.Record(
    Type.String(),
    Type.Object({ display_name: Nullable(Type.String()), avatar_url: Nullable(Type.String()) }),
  ),
});
export type JoinedMembers = Static<typeof JoinedMembers>;
export const getJoinedMembers = {
  params: Type.Object(roomParams),
  response: { 200: JoinedMembers, ...failures },
};

export const EventChunk = Type.Object({ chunk: Type.Array(ClientEvent) });
export const getMembers = {
  params: Type.Object(roomParams),
  querystring: Type.Object({
    membership: Type.Optional(Type.String()),
    not_membership: Type.Optional(Type.String()),
  }),
  response: { 200: EventChunk, ...failures },
};

export const sendEvent = {
  params: Type.Object({ ...stateParams, txnId: Type.String() }),
  body: JsonObject,
  response: { 200: EventId, ...failures },
};

export const redactEvent = {
  params: Type.Object({ ...eventParams, txnId: Type.String() }),
  body: JsonObject,
  response: { 200: EventId, ...failures },
};

export const putState = {
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

export const getEvent = { params: Type.Object(eventParams), response: { 200: ClientEvent, ...failures } };

/** How many events a page holds where the client doesn't say, and at most. */
export const eventsPerPage = { default: 10, maximum: 1000 } as const;
const limit = Type.Integer({ minimum: 0, default: eventsPerPage.default });

export const MessagesPage = Type.Object({
  chunk: Type.Array(ClientEvent),
  start: Type.String(),
  end: Type.Optional(Type.String({ description: 'Left out where there is no more' })),
});
export type MessagesPage = Static<typeof MessagesPage>;
export const MessagesQuery = Type.Object({
  dir: Type.Union([Type.Literal('b'), Type.Literal('f')], { default: 'f' }),
  from: Type.Optional(Type.String()),
  to: Type.Optional(Type.String()),
  limit,
  filter: Type.Optional(Type.String({ description: 'A JSON object; nothing in it narrows the page yet' })),
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
  querystring: Type.Object({ limit }),
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
