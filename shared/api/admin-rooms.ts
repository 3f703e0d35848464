/** Rooms as administrators see them. The reference homeserver's "Rooms API" and "Edit Room Membership API". */
import { type Static, Type } from 'typebox';
import { EmptyObject, failures, JsonObject, Nullable } from './common.ts';
import {
  ClientEvent,
  EventAtTime,
  EventAtTimeQuery,
  EventContext,
  eventsPerPage,
  MessagesPage,
  RoomId,
} from './rooms.ts';

const text = Nullable(Type.String());

const roomFields = {
  room_id: Type.String(),
  name: text,
  canonical_alias: text,
  joined_members: Type.Integer(),
  joined_local_members: Type.Integer({ description: 'All of them: this server talks to no other' }),
  version: Type.String(),
  creator: Type.String(),
  encryption: text,
  federatable: Type.Boolean(),
  public: Type.Boolean({ description: 'Whether it is in the public directory' }),
  join_rules: text,
  guest_access: text,
  history_visibility: text,
  state_events: Type.Integer(),
  room_type: text,
};

export const RoomListItem = Type.Object(roomFields);
export type RoomListItem = Static<typeof RoomListItem>;

/** A page holds this many rooms at most, whatever `limit` asks for. */
export const maximumRoomsPerPage = 1000;

export const RoomOrder = Type.Union(
  [
    Type.Literal('alphabetical'),
    Type.Literal('size'),
    Type.Literal('name'),
    Type.Literal('canonical_alias'),
    Type.Literal('joined_members'),
    Type.Literal('joined_local_members'),
    Type.Literal('version'),
    Type.Literal('creator'),
    Type.Literal('encryption'),
    Type.Literal('federatable'),
    Type.Literal('public'),
    Type.Literal('join_rules'),
    Type.Literal('guest_access'),
    Type.Literal('history_visibility'),
    Type.Literal('state_events'),
  ],
  { default: 'name' },
);
export type RoomOrder = Static<typeof RoomOrder>;

export const RoomListQuery = Type.Object({
  from: Type.Integer({ minimum: 0, default: 0 }),
  limit: Type.Integer({ minimum: 0, default: 100 }),
  order_by: RoomOrder,
  dir: Type.Union([Type.Literal('f'), Type.Literal('b')], { default: 'f' }),
  search_term: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Part of a name or of an alias, in whatever case, or a whole identifier',
    }),
  ),
  public_rooms: Type.Optional(Type.Boolean()),
  empty_rooms: Type.Optional(Type.Boolean()),
});
export type RoomListQuery = Static<typeof RoomListQuery>;

export const RoomListPage = Type.Object({
  offset: Type.Integer(),
  rooms: Type.Array(RoomListItem),
  total_rooms: Type.Integer({ description: 'How many match the filters' }),
  next_batch: Type.Optional(Type.Integer({ description: 'Left out on the last page' })),
  prev_batch: Type.Optional(Type.Integer({ description: 'Left out on the first page' })),
});
export type RoomListPage = Static<typeof RoomListPage>;

export const listRooms = { querystring: RoomListQuery, response: { 200: RoomListPage, ...failures } };

export const RoomDetail = Type.Object({
  ...roomFields,
  avatar: text,
  topic: text,
  joined_local_devices: Type.Integer(),
  forgotten: Type.Boolean({ description: 'Whether everyone who was in it forgot it' }),
  tombstoned: Type.Boolean(),
  replacement_room: text,
});
export type RoomDetail = Static<typeof RoomDetail>;

const roomParams = Type.Object({ room_id: Type.String() });
const byIdOrAlias = Type.Object({ room_id_or_alias: Type.String() });

export const getRoom = { params: roomParams, response: { 200: RoomDetail, ...failures } };

export const getRoomMembers = {
  params: roomParams,
  response: {
    200: Type.Object({ members: Type.Array(Type.String()), total: Type.Integer() }),
    ...failures,
  },
};

export const getRoomState = {
  params: roomParams,
  response: { 200: Type.Object({ state: Type.Array(ClientEvent) }), ...failures },
};

const limit = Type.Integer({ minimum: 0, default: eventsPerPage.default });

export const getRoomMessages = {
  params: roomParams,
  querystring: Type.Object({
    dir: Type.Union([Type.Literal('b'), Type.Literal('f')], { default: 'f' }),
    from: Type.Optional(Type.String()),
    to: Type.Optional(Type.String()),
    limit,
    filter: Type.Optional(Type.String()),
  }),
  response: { 200: MessagesPage, ...failures },
};

export const getRoomContext = {
  params: Type.Object({ room_id: Type.String(), event_id: Type.String() }),
  querystring: Type.Object({ limit, filter: Type.Optional(Type.String()) }),
  response: { 200: EventContext, ...failures },
};

export const RoomBlock = Type.Object({
  block: Type.Boolean(),
  user_id: Type.Optional(Type.String({ description: 'Who blocked it' })),
});
export type RoomBlock = Static<typeof RoomBlock>;
export const getRoomBlock = { params: roomParams, response: { 200: RoomBlock, ...failures } };
export const putRoomBlock = {
  params: roomParams,
  body: Type.Object({ block: Type.Boolean() }, { additionalProperties: true }),
  response: { 200: RoomBlock, ...failures },
};

/** The body may be left out: then it is about whoever asks. */
export const MakeRoomAdminRequest = Type.Object(
  { user_id: Type.Optional(Type.String()) },
  { additionalProperties: true },
);
export const makeRoomAdmin = {
  params: byIdOrAlias,
  body: Type.Optional(MakeRoomAdminRequest),
  response: { 200: EmptyObject, ...failures },
};

export const joinUserToRoom = {
  params: byIdOrAlias,
  body: Type.Object({ user_id: Type.String() }, { additionalProperties: true }),
  response: { 200: RoomId, ...failures },
};

/** The event as it was sent, also where it was redacted since. */
export const fetchEvent = {
  params: Type.Object({ event_id: Type.String() }),
  response: { 200: Type.Object({ event: JsonObject }), ...failures },
};

export const getEventAtTime = {
  params: roomParams,
  querystring: EventAtTimeQuery,
  response: { 200: EventAtTime, ...failures },
};
