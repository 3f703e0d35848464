/** Making rooms. Matrix specification, client-server API, "Creation". */
import { type Static, Type } from 'typebox';
import { failures, JsonObject } from './common.ts';

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
export const createRoom = { body: CreateRoomRequest, response: { 200: RoomId, ...failures } };
