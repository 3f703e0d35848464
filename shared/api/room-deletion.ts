/** Shutting rooms down. The reference homeserver's "Delete Room API", version 2. */
import { type Static, Type } from 'typebox';
import { failures, Nullable } from './common.ts';
import { TaskStatus } from './scheduled-tasks.ts';

export const DeleteRoomRequest = Type.Object(
  {
    new_room_user_id: Type.Optional(
      Type.String({ description: 'Creates a new room as this user and moves all local members there' }),
    ),
    room_name: Type.Optional(Type.String({ description: 'Name of the new room' })),
    message: Type.Optional(Type.String({ description: 'First message in the new room' })),
    block: Type.Boolean({ default: false, description: 'Prevents joining the room again' }),
    purge: Type.Boolean({ default: true, description: 'Removes the room from the database' }),
    force_purge: Type.Boolean({
      default: false,
      description: 'Purges the room even if it has local members',
    }),
  },
  { additionalProperties: true },
);
export type DeleteRoomRequest = Static<typeof DeleteRoomRequest>;

const roomParams = Type.Object({ room_id: Type.String() });

export const deleteRoom = {
  params: roomParams,
  body: DeleteRoomRequest,
  response: { 200: Type.Object({ delete_id: Type.String() }), ...failures },
};

/** What a shutdown did: the task's result. */
export const ShutdownResult = Type.Object({
  kicked_users: Type.Array(Type.String()),
  failed_to_kick_users: Type.Array(Type.String()),
  local_aliases: Type.Array(Type.String({ description: 'Aliases moved to the new room' })),
  new_room_id: Nullable(Type.String()),
});
export type ShutdownResult = Static<typeof ShutdownResult>;

export const RoomDeletionStatus = Type.Object({
  delete_id: Type.String(),
  room_id: Type.String(),
  status: TaskStatus,
  error: Type.Optional(Type.String()),
  shutdown_room: Type.Union([ShutdownResult, Type.Null()]),
});
export type RoomDeletionStatus = Static<typeof RoomDeletionStatus>;

export const getRoomDeletion = {
  params: Type.Object({ delete_id: Type.String() }),
  response: { 200: RoomDeletionStatus, ...failures },
};

export const listRoomDeletions = {
  params: roomParams,
  response: { 200: Type.Object({ results: Type.Array(RoomDeletionStatus) }), ...failures },
};
