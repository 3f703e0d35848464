/** Joining, leaving, inviting, removing. Matrix specification, client-server API, "Room membership". */
import { Type } from 'typebox';
import { EmptyObject, failures } from './common.ts';
import { RoomId } from './room-creation.ts';

const roomParams = { roomId: Type.String() };

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
