/** Creating rooms. Matrix specification, client-server API, "Creation". */
import { type Static, Type } from 'typebox';
import { EmptyObject, failures, JsonObject, Nullable } from './common.ts';

export const RoomId = Type.Object({ room_id: Type.String() });

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
export const postRoom = { body: CreateRoomRequest, response: { 200: RoomId, ...failures } };

/** Upgrading a room to another version. Matrix specification, client-server API, "Room upgrades". */

const UpgradeRequest = Type.Object(
  {
    new_version: Type.String(),
    additional_creators: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
  },
  { additionalProperties: true },
);
export const postRoomUpgrade = {
  params: Type.Object({ roomId: Type.String() }),
  body: UpgradeRequest,
  response: { 200: Type.Object({ replacement_room: Type.String() }), ...failures },
};

/** Room aliases. Matrix specification, client-server API, "Room aliases". */

const aliasParams = Type.Object({ roomAlias: Type.String() });

export const getRoomAlias = {
  params: aliasParams,
  response: {
    200: Type.Object({ room_id: Type.String(), servers: Type.Array(Type.String()) }),
    ...failures,
  },
};

export const putRoomAlias = {
  params: aliasParams,
  body: Type.Object({ room_id: Type.String() }, { additionalProperties: true }),
  response: { 200: EmptyObject, ...failures },
};
export const deleteRoomAlias = { params: aliasParams, response: { 200: EmptyObject, ...failures } };

export const getRoomAliases = {
  params: Type.Object({ roomId: Type.String() }),
  response: { 200: Type.Object({ aliases: Type.Array(Type.String()) }), ...failures },
};

/** The room directory. Matrix specification, client-server API, "Listing rooms". */

const roomParams = Type.Object({ roomId: Type.String() });

const Visibility = Type.Union([Type.Literal('public'), Type.Literal('private')]);
export const getVisibility = {
  params: roomParams,
  response: { 200: Type.Object({ visibility: Visibility }), ...failures },
};
export const putVisibility = {
  params: roomParams,
  body: Type.Object(
    { visibility: Type.Union([...Visibility.anyOf], { default: 'public' }) },
    { additionalProperties: true },
  ),
  response: { 200: EmptyObject, ...failures },
};

export const putNetworkVisibility = {
  params: Type.Object({ networkId: Type.String({ minLength: 1, maxLength: 255 }), roomId: Type.String() }),
  body: Type.Object({ visibility: Visibility }, { additionalProperties: true }),
  response: { 200: EmptyObject, ...failures },
};

export const PublicRoom = Type.Object({
  room_id: Type.String(),
  name: Type.Optional(Type.String()),
  topic: Type.Optional(Type.String()),
  canonical_alias: Type.Optional(Type.String()),
  avatar_url: Type.Optional(Type.String()),
  num_joined_members: Type.Integer(),
  world_readable: Type.Boolean(),
  guest_can_join: Type.Boolean(),
  join_rule: Type.String(),
  room_type: Type.Optional(Type.String()),
});
export type PublicRoom = Static<typeof PublicRoom>;

export const PublicRoomPage = Type.Object({
  chunk: Type.Array(PublicRoom),
  next_batch: Type.Optional(Type.String()),
  prev_batch: Type.Optional(Type.String()),
  total_room_count_estimate: Type.Integer(),
});
export type PublicRoomPage = Static<typeof PublicRoomPage>;

/** Maximum number of rooms per page, also without a limit or for 0, which means none. */
export const maximumPublicRoomsPerPage = 500;

const limit = Type.Optional(Type.Integer({ minimum: 0 }));
const page = { limit, since: Type.Optional(Type.String()) };
const server = Type.Optional(
  Type.String({ description: 'Server of the room directory; only this server is supported' }),
);

const PublicRoomFilter = Type.Object(
  {
    generic_search_term: Type.Optional(Nullable(Type.String())),
    room_types: Type.Optional(
      Type.Union([Type.Array(Nullable(Type.String()), { maxItems: 100 }), Type.Null()]),
    ),
  },
  { additionalProperties: true },
);

export const getPublicRooms = {
  querystring: Type.Object({ ...page, server }),
  response: { 200: PublicRoomPage, ...failures },
};
export const searchPublicRooms = {
  querystring: Type.Object({ server }),
  body: Type.Object(
    {
      limit: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()])),
      since: Type.Optional(Nullable(Type.String())),
      filter: Type.Optional(Type.Union([PublicRoomFilter, Type.Null()])),
      include_all_networks: Type.Optional(
        Nullable(Type.Boolean({ description: 'Include rooms listed by application services' })),
      ),
      third_party_instance_id: Type.Optional(
        Nullable(
          Type.String({
            description: 'Only rooms of one network of an application service, by its `instance_id`',
          }),
        ),
      ),
    },
    { additionalProperties: true },
  ),
  response: { 200: PublicRoomPage, ...failures },
};

/** Summaries of rooms for users who may join them. Matrix specification, client-server API, "Spaces", room summaries. */

const summary = {
  room_id: Type.String(),
  room_version: Type.String(),
  name: Type.Optional(Type.String()),
  topic: Type.Optional(Type.String()),
  canonical_alias: Type.Optional(Type.String()),
  avatar_url: Type.Optional(Type.String()),
  num_joined_members: Type.Integer(),
  join_rule: Type.String(),
  world_readable: Type.Boolean(),
  guest_can_join: Type.Boolean(),
  room_type: Type.Optional(Type.String()),
  encryption: Type.Optional(Type.String()),
  allowed_room_ids: Type.Optional(Type.Array(Type.String())),
};

export const RoomSummary = Type.Object({
  ...summary,
  membership: Type.Optional(Type.String({ description: 'Membership of the caller' })),
});
export type RoomSummary = Static<typeof RoomSummary>;
export const getRoomSummary = {
  params: Type.Object({ roomIdOrAlias: Type.String() }),
  response: { 200: RoomSummary, ...failures },
};

const Hierarchy = Type.Object({
  rooms: Type.Array(Type.Object({ ...summary, children_state: Type.Array(JsonObject) })),
  next_batch: Type.Optional(Type.String({ description: 'Omitted on the last page' })),
});
export const getHierarchy = {
  params: Type.Object({ roomId: Type.String() }),
  querystring: Type.Object({
    suggested_only: Type.Boolean({ default: false }),
    limit: Type.Integer({ minimum: 1, default: 50 }),
    max_depth: Type.Optional(Type.Integer({ minimum: 0 })),
    from: Type.Optional(Type.String()),
  }),
  response: { 200: Hierarchy, ...failures },
};
