/** Administrators of the server in rooms. The reference homeserver's "Make Room Admin API" and "Edit Room Membership API". */
import { Type } from 'typebox';
import { EmptyObject, failures } from './common.ts';
import { RoomId } from './room-creation.ts';

const byIdOrAlias = Type.Object({ room_id_or_alias: Type.String() });

/** The body may be left out: then it is about whoever asks. */
export const MakeRoomAdminRequest = Type.Object(
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
