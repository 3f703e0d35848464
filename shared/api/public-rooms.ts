/** The public directory. Matrix specification, client-server API, "Listing rooms". */
import { type Static, Type } from 'typebox';
import { EmptyObject, failures, Nullable } from './common.ts';

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

/** A page holds this many rooms at most, also where no limit or 0, which means none, is asked for. */
export const maximumPublicRoomsPerPage = 500;

const limit = Type.Optional(Type.Integer({ minimum: 0 }));
const page = { limit, since: Type.Optional(Type.String()) };
const server = Type.Optional(
  Type.String({ description: 'Server of the room directory; only this server is supported' }),
);

export const PublicRoomFilter = Type.Object(
  {
    generic_search_term: Type.Optional(Nullable(Type.String())),
    room_types: Type.Optional(
      Type.Union([Type.Array(Nullable(Type.String()), { maxItems: 100 }), Type.Null()]),
    ),
  },
  { additionalProperties: true },
);
export type PublicRoomFilter = Static<typeof PublicRoomFilter>;

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
