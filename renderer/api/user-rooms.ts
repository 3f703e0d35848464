/** The rooms that a user of this server is in. The reference homeserver's "User Admin API". */
import { queryOptions } from '@tanstack/react-query';
import { Type } from 'typebox';
import type { Server } from '../transport/server.ts';

const UserRooms = Type.Object({ joined_rooms: Type.Array(Type.String()), total: Type.Integer() });

const userRooms = (server: Server, userId: string, signal: AbortSignal) =>
  server.get(UserRooms, `/v1/users/${encodeURIComponent(userId)}/joined_rooms`, { signal });

/** The ids of the rooms that someone is in. */
export const joinedRooms = async (server: Server, userId: string, signal: AbortSignal) =>
  (await userRooms(server, userId, signal)).joined_rooms;

export const userRoomsQuery = (server: Server, userId: string) =>
  queryOptions({
    queryKey: [server.id, 'user', userId, 'rooms'],
    queryFn: ({ signal }) => userRooms(server, userId, signal),
    staleTime: 30_000,
  });
