/** The rooms that a user of this server is in. The reference homeserver's "User Admin API". */
import { queryOptions } from '@tanstack/react-query';
import { Type } from 'typebox';
import type { Server } from '../transport/server.ts';
import { getList, isExpected, UnexpectedEntry } from './lenient.ts';

async function userRooms(server: Server, userId: string, signal: AbortSignal) {
  const path = `/v1/users/${encodeURIComponent(userId)}/joined_rooms`;
  const { rows, total } = await getList(server, Type.String(), 'joined_rooms', path, { signal });
  return {
    joined_rooms: rows.filter(isExpected),
    unexpected: rows.filter((row) => row instanceof UnexpectedEntry),
    total,
  };
}

/** The ids of the rooms that someone is in. */
export const joinedRooms = async (server: Server, userId: string, signal: AbortSignal) =>
  (await userRooms(server, userId, signal)).joined_rooms;

export const userRoomsQuery = (server: Server, userId: string) =>
  queryOptions({
    queryKey: [server.id, 'user', userId, 'rooms'],
    queryFn: ({ signal }) => userRooms(server, userId, signal),
    staleTime: 30_000,
  });
