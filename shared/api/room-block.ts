/** Rooms that nobody may join. The reference homeserver's "Block Room API". */
import { type Static, Type } from 'typebox';
import { failures } from './common.ts';

const roomParams = Type.Object({ room_id: Type.String() });

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
