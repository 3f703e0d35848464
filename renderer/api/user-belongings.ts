/** The sessions of a user of this server, and the rooms that they are in. The reference homeserver's "User Admin API". */
import { queryOptions } from '@tanstack/react-query';
import { type Static, Type } from 'typebox';
import { Nullable } from '../../shared/api/common.ts';
import type { Server } from '../transport/server.ts';

const text = Type.Optional(Nullable(Type.String()));
const time = Type.Optional(Nullable(Type.Number()));
const v1 = (userId: string) => `/v1/users/${encodeURIComponent(userId)}`;
const v2 = (userId: string) => `/v2/users/${encodeURIComponent(userId)}`;

const UserDevice = Type.Object({
  device_id: Type.String(),
  display_name: text,
  last_seen_ts: time,
  last_seen_ip: text,
  last_seen_user_agent: text,
});
export type UserDevice = Static<typeof UserDevice>;

const UserDevices = Type.Object({ devices: Type.Array(UserDevice) });

export const userDevicesQuery = (server: Server, userId: string) =>
  queryOptions({
    queryKey: [server.id, 'user', userId, 'devices'],
    queryFn: async ({ signal }) =>
      (await server.get(UserDevices, `${v2(userId)}/devices`, { signal })).devices,
    staleTime: 30_000,
  });

const UserRooms = Type.Object({ joined_rooms: Type.Array(Type.String()), total: Type.Integer() });

const userRooms = (server: Server, userId: string, signal: AbortSignal) =>
  server.get(UserRooms, `${v1(userId)}/joined_rooms`, { signal });

/** The ids of the rooms that someone is in. */
export const joinedRooms = async (server: Server, userId: string, signal: AbortSignal) =>
  (await userRooms(server, userId, signal)).joined_rooms;

export const userRoomsQuery = (server: Server, userId: string) =>
  queryOptions({
    queryKey: [server.id, 'user', userId, 'rooms'],
    queryFn: ({ signal }) => userRooms(server, userId, signal),
    staleTime: 30_000,
  });
