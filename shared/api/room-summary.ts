/** What is told of rooms to those who may join them. Matrix specification, client-server API, "Spaces", room summaries. */
import { type Static, Type } from 'typebox';
import { failures, JsonObject } from './common.ts';

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

export const Hierarchy = Type.Object({
  rooms: Type.Array(Type.Object({ ...summary, children_state: Type.Array(JsonObject) })),
  next_batch: Type.Optional(Type.String({ description: 'Omitted on the last page' })),
});
export type Hierarchy = Static<typeof Hierarchy>;
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
