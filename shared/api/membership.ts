/** Joining, leaving, inviting, removing. Matrix specification, client-server API, "Room membership". */
import { type Static, Type } from 'typebox';
import { Dictionary, EmptyObject, failures, Nullable } from './common.ts';
import { ClientEvent } from './events.ts';
import { RoomId } from './rooms.ts';

const roomParams = { roomId: Type.String() };

/** For joining, leaving and forgetting: the body is optional. */
export const joinByIdOrAlias = {
  params: Type.Object({ roomIdOrAlias: Type.String() }),
  response: { 200: RoomId, ...failures },
};
export const joinRoom = { params: Type.Object(roomParams), response: { 200: RoomId, ...failures } };
export const leaveRoom = { params: Type.Object(roomParams), response: { 200: EmptyObject, ...failures } };

/** For invite, kick, ban and unban, which name the user in the body. */
export const changeOther = {
  params: Type.Object(roomParams),
  body: Type.Object({ user_id: Type.String() }, { additionalProperties: true }),
  response: { 200: EmptyObject, ...failures },
};

/** Room membership. Matrix specification, client-server API, "Rooms". */

const JoinedRooms = Type.Object({ joined_rooms: Type.Array(Type.String()) });
export const getJoinedRooms = { response: { 200: JoinedRooms, ...failures } };

export const getMutualRooms = {
  querystring: Type.Object({
    user_id: Type.String(),
    from: Type.Optional(Type.String({ description: '`next_batch` of the last page' })),
  }),
  response: {
    200: Type.Object({
      joined: Type.Array(Type.String()),
      count: Type.Integer({ description: 'Total on all pages' }),
      next_batch: Type.Optional(Type.String()),
    }),
    ...failures,
  },
};

export const JoinedMembers = Type.Object({
  joined: Dictionary(
    Type.Object({ display_name: Nullable(Type.String()), avatar_url: Nullable(Type.String()) }),
  ),
});
export type JoinedMembers = Static<typeof JoinedMembers>;
export const getJoinedMembers = {
  params: Type.Object(roomParams),
  response: { 200: JoinedMembers, ...failures },
};

const EventChunk = Type.Object({ chunk: Type.Array(ClientEvent) });
export const getMembers = {
  params: Type.Object(roomParams),
  querystring: Type.Object({
    at: Type.Optional(Type.String({ description: 'Sync or pagination token' })),
    membership: Type.Optional(Type.String()),
    not_membership: Type.Optional(Type.String()),
  }),
  response: { 200: EventChunk, ...failures },
};
