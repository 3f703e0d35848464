/** Who is in which room. Matrix specification, client-server API, "Rooms". */
import { type Static, Type } from 'typebox';
import { Dictionary, failures, Nullable } from './common.ts';
import { ClientEvent } from './events.ts';

const roomParams = { roomId: Type.String() };

export const JoinedRooms = Type.Object({ joined_rooms: Type.Array(Type.String()) });
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

export const EventChunk = Type.Object({ chunk: Type.Array(ClientEvent) });
export const getMembers = {
  params: Type.Object(roomParams),
  querystring: Type.Object({
    at: Type.Optional(Type.String({ description: 'Sync or pagination token' })),
    membership: Type.Optional(Type.String()),
    not_membership: Type.Optional(Type.String()),
  }),
  response: { 200: EventChunk, ...failures },
};
