/** Admin actions on a room. Synapse's "Rooms API". */
import { Type } from 'typebox';
import { EmptyObject, Nullable } from '../../shared/api/common.ts';
import { DeleteRoomRequest } from '../../shared/api/room-administration.ts';
import { ConnectionFailure } from '../../shared/connection.ts';
import { Block, blockPath, blockRequest, makeRoomAdminRequest } from '../../shared/team/restrictions.ts';
import { body, type Server, sendRequest } from '../transport/server.ts';

/** Blocks or unblocks joining for local users. Returns whether it was blocked before. */
export async function setBlocked(server: Server, roomId: string, block: boolean) {
  const before = await server.get(Block, blockPath(roomId));
  await sendRequest(server, Block, blockRequest(roomId, block));
  return before.block;
}

/** Starts deleting a room. Returns the deletion ID. */
export async function deleteRoom(
  server: Server,
  roomId: string,
  request: DeleteRoomRequest,
): Promise<string> {
  const path = `/v2/rooms/${encodeURIComponent(roomId)}`;
  const reply = await server.send('DELETE', DeleteId, path, { body: body(DeleteRoomRequest, request) });
  return reply.delete_id;
}

const DeleteId = Type.Object({ delete_id: Type.String() });

const DeletionStatus = Type.Object({
  status: Type.String(),
  error: Type.Optional(Nullable(Type.String())),
  shutdown_room: Type.Optional(
    Type.Union([
      Type.Object({
        kicked_users: Type.Array(Type.String()),
        failed_to_kick_users: Type.Array(Type.String()),
      }),
      Type.Null(),
    ]),
  ),
});

export const deletionStatus = (server: Server, id: string) =>
  server.get(DeletionStatus, `/v2/rooms/delete_status/${encodeURIComponent(id)}`);

const UserId = Type.Object({ user_id: Type.String() });

/** Gives a user the highest power level, through a local user who has it. */
export const makeRoomAdmin = (server: Server, roomId: string, userId = server.connection.userId) =>
  sendRequest(server, EmptyObject, makeRoomAdminRequest(roomId, userId));

/** Joins a local user to a room, by ID or alias. */
export async function joinUserToRoom(server: Server, room: string, userId: string): Promise<void> {
  try {
    await server.send('POST', EmptyObject, `/v1/join/${encodeURIComponent(room)}`, {
      body: body(UserId, { user_id: userId }),
      idempotent: true,
    });
  } catch (error) {
    if (!saysServer(error, /\bnot in room\b/i)) throw error;
    throw new ConnectionFailure(
      'refused',
      /*i18n*/ '{admin} is not in this room, and only members can invite. Retry with “Make me room admin if needed”.',
      { admin: server.connection.userId },
    );
  }
}

const saysServer = (error: unknown, words: RegExp): boolean =>
  error instanceof ConnectionFailure && words.test(String(error.values.said ?? ''));

const Visibility = Type.Object({ visibility: Type.Enum(['public', 'private']) });

/** Publishes the room in the room directory, or removes it. Returns whether it was published before. */
export async function setPublished(server: Server, roomId: string, published: boolean) {
  const path = `/client/v3/directory/list/room/${encodeURIComponent(roomId)}`;
  const { visibility } = await server.getChat(Visibility, path);
  try {
    await server.sendChat('PUT', EmptyObject, path, {
      body: body(Visibility, { visibility: published ? 'public' : 'private' }),
    });
  } catch (error) {
    if (!saysServer(error, /\bnot allowed to publish\b/i)) throw error;
    throw new ConnectionFailure(
      'refused',
      /*i18n*/ 'room_list_publication_rules forbids this. Since v1.126, publishing is off by default. Add a rule for {userId} to homeserver.yaml and restart the server.',
      { userId: server.connection.userId },
    );
  }
  return visibility === 'public';
}

const AliasOf = Type.Object({ room_id: Type.String() });
const aliasPath = (alias: string) => `/client/v3/directory/room/${encodeURIComponent(alias)}`;

export const addAlias = (server: Server, roomId: string, alias: string) =>
  server.sendChat('PUT', EmptyObject, aliasPath(alias), { body: body(AliasOf, { room_id: roomId }) });

export const removeAlias = (server: Server, alias: string) =>
  server.sendChat('DELETE', EmptyObject, aliasPath(alias));

const Deleted = Type.Object({ deleted: Type.Integer() });

/** Deletes all forward extremities except one. Returns their number. */
export const deleteExtremities = async (server: Server, roomId: string): Promise<number> =>
  (await server.send('DELETE', Deleted, `/v1/rooms/${encodeURIComponent(roomId)}/forward_extremities`))
    .deleted;
