/** The administrators' list of rooms. The reference homeserver's "Rooms API". */
import { type Static, Type } from 'typebox';
import { failures, Nullable } from './common.ts';

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
