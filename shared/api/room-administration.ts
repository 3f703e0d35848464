/** The list of rooms, for server admins. Synapse's "Rooms API". */
import { type Static, Type } from 'typebox';
import { EmptyObject, failures, JsonObject, Nullable, SafeInteger } from './common.ts';
import {
  ClientEvent,
  EventAtTime,
  EventAtTimeQuery,
  EventContext,
  eventsPerPage,
  MessagesPage,
  MessagesQuery,
} from './events.ts';
import { RoomId } from './rooms.ts';
import { TaskStatus } from './tasks.ts';

const text = Nullable(Type.String());

const roomFields = {
  room_id: Type.String(),
  name: text,
  canonical_alias: text,
  joined_members: Type.Integer(),
  joined_local_members: Type.Integer({ description: "All members are local: this server doesn't federate" }),
  version: Type.String(),
  creator: Type.String(),
  encryption: text,
  federatable: Type.Boolean(),
  public: Type.Boolean({ description: 'Published in the room directory' }),
  join_rules: text,
  guest_access: text,
  history_visibility: text,
  state_events: Type.Integer(),
  room_type: text,
};

export const RoomListItem = Type.Object(roomFields);
export type RoomListItem = Static<typeof RoomListItem>;

/** Maximum number of rooms per page. */
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
      description: 'Part of a name or alias (case-insensitive), or a complete room ID',
    }),
  ),
  public_rooms: Type.Optional(Type.Boolean()),
  empty_rooms: Type.Optional(Type.Boolean()),
});
export type RoomListQuery = Static<typeof RoomListQuery>;

export const RoomListPage = Type.Object({
  offset: Type.Integer(),
  rooms: Type.Array(RoomListItem),
  total_rooms: Type.Integer({ description: 'Number of matching rooms' }),
  next_batch: Type.Optional(Type.Integer({ description: 'Omitted on the last page' })),
  prev_batch: Type.Optional(Type.Integer({ description: 'Omitted on the first page' })),
});
export type RoomListPage = Static<typeof RoomListPage>;

export const listRooms = { querystring: RoomListQuery, response: { 200: RoomListPage, ...failures } };

export const RoomDetail = Type.Object({
  ...roomFields,
  avatar: text,
  topic: text,
  joined_local_devices: Type.Integer(),
  forgotten: Type.Boolean({ description: 'Forgotten by all former local members' }),
  tombstoned: Type.Boolean(),
  replacement_room: text,
});
export type RoomDetail = Static<typeof RoomDetail>;

export const getRoom = {
  params: Type.Object({ room_id: Type.String() }),
  response: { 200: RoomDetail, ...failures },
};

/** Contents of rooms, for server admins. Synapse's "Rooms API". */

const roomParams = Type.Object({ room_id: Type.String() });

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
  querystring: MessagesQuery,
  response: { 200: MessagesPage, ...failures },
};

export const getRoomContext = {
  params: Type.Object({ room_id: Type.String(), event_id: Type.String() }),
  querystring: Type.Object({ limit, filter: Type.Optional(Type.String()) }),
  response: { 200: EventContext, ...failures },
};

/** The original event, even if it has been redacted. */
export const fetchEvent = {
  params: Type.Object({ event_id: Type.String() }),
  response: { 200: Type.Object({ event: JsonObject }), ...failures },
};

export const getEventAtTime = {
  params: roomParams,
  querystring: EventAtTimeQuery,
  response: { 200: EventAtTime, ...failures },
};

/** Shutting down and purging rooms. Synapse's "Delete Room API", version 2. */

export const DeleteRoomRequest = Type.Object(
  {
    new_room_user_id: Type.Optional(
      Type.String({ description: 'Creates a new room as this user and moves all local members there' }),
    ),
    room_name: Type.Optional(Type.String({ description: 'Name of the new room' })),
    message: Type.Optional(Type.String({ description: 'First message in the new room' })),
    block: Type.Boolean({ default: false, description: 'Prevents joining the room again' }),
    purge: Type.Boolean({ default: true, description: 'Removes the room from the database' }),
    force_purge: Type.Boolean({
      default: false,
      description: 'Purges the room even if it has local members',
    }),
  },
  { additionalProperties: true },
);
export type DeleteRoomRequest = Static<typeof DeleteRoomRequest>;

export const deleteRoom = {
  params: roomParams,
  body: DeleteRoomRequest,
  response: { 200: Type.Object({ delete_id: Type.String() }), ...failures },
};

/** Result of a shutdown's task. */
export const ShutdownResult = Type.Object({
  kicked_users: Type.Array(Type.String()),
  failed_to_kick_users: Type.Array(Type.String()),
  local_aliases: Type.Array(Type.String({ description: 'Aliases moved to the new room' })),
  new_room_id: Nullable(Type.String()),
});
export type ShutdownResult = Static<typeof ShutdownResult>;

export const RoomDeletionStatus = Type.Object({
  delete_id: Type.String(),
  room_id: Type.String(),
  status: TaskStatus,
  error: Type.Optional(Type.String()),
  shutdown_room: Type.Union([ShutdownResult, Type.Null()]),
});
export type RoomDeletionStatus = Static<typeof RoomDeletionStatus>;

export const getRoomDeletion = {
  params: Type.Object({ delete_id: Type.String() }),
  response: { 200: RoomDeletionStatus, ...failures },
};

export const listRoomDeletions = {
  params: roomParams,
  response: { 200: Type.Object({ results: Type.Array(RoomDeletionStatus) }), ...failures },
};

/** Blocked rooms. Synapse's "Block Room API". */

export const RoomBlock = Type.Object({
  block: Type.Boolean(),
  user_id: Type.Optional(Type.String({ description: 'Admin who blocked the room' })),
});
export type RoomBlock = Static<typeof RoomBlock>;
export const getRoomBlock = { params: roomParams, response: { 200: RoomBlock, ...failures } };
export const putRoomBlock = {
  params: roomParams,
  body: Type.Object({ block: Type.Boolean() }, { additionalProperties: true }),
  response: { 200: RoomBlock, ...failures },
};

/** Purging a room's history. Synapse's "Purge History API". */

/** Purges events before an event, named here or in the path, or before a time. */
export const PurgeHistoryRequest = Type.Object(
  {
    purge_up_to_event_id: Type.Optional(Type.String()),
    purge_up_to_ts: Type.Optional(SafeInteger),
    delete_local_events: Type.Boolean({
      default: false,
      description: 'Also delete events sent by local users, which may have no other copy',
    }),
  },
  { additionalProperties: true },
);
export type PurgeHistoryRequest = Static<typeof PurgeHistoryRequest>;

/** The body is optional if the path has the event. */
export const purgeHistory = {
  params: Type.Object({ room_id: Type.String(), event_id: Type.Optional(Type.String()) }),
  body: Type.Optional(PurgeHistoryRequest),
  response: { 200: Type.Object({ purge_id: Type.String() }), ...failures },
};

const PurgeHistoryStatus = Type.Object({
  status: Type.Union([Type.Literal('active'), Type.Literal('complete'), Type.Literal('failed')]),
  error: Type.Optional(Nullable(Type.String())),
});
export const getPurgeHistoryStatus = {
  params: Type.Object({ purge_id: Type.String() }),
  response: { 200: PurgeHistoryStatus, ...failures },
};

/** Changing memberships and room admins as a server admin. Synapse's "Make Room Admin API" and "Edit Room Membership API". */

const byIdOrAlias = Type.Object({ room_id_or_alias: Type.String() });

/** The body is optional; default: the admin. */
const MakeRoomAdminRequest = Type.Object(
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
