/** The rooms that a user is in. The reference homeserver's "List joined rooms of a user". */
import { Type } from 'typebox';
import { failures } from './common.ts';

export const UserRooms = Type.Object({ joined_rooms: Type.Array(Type.String()), total: Type.Integer() });
export const getUserRooms = {
  params: Type.Object({ user_id: Type.String() }),
  response: { 200: UserRooms, ...failures },
};
