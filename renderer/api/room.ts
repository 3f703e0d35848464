/** A room as admins see it. Synapse's "Rooms API". */
import { queryOptions } from '@tanstack/react-query';
import { type Static, Type } from 'typebox';
import { JsonObject, Nullable } from '../../shared/api/common.ts';
import type { Server } from '../transport/server.ts';
import { getLeniently, getList, isExpected } from './lenient.ts';
import { limitedRowRequest } from './paging.ts';

const text = Type.Optional(Nullable(Type.String()));
const count = Type.Optional(Nullable(Type.Integer()));
const flag = Type.Optional(Nullable(Type.Boolean()));

/** Fields vary by version. */
export const Room = Type.Object({
  room_id: Type.String(),
  name: text,
  canonical_alias: text,
  topic: text,
  avatar: text,
  joined_members: count,
  joined_local_members: count,
  joined_local_devices: count,
  state_events: count,
  version: text,
  creator: text,
  encryption: text,
  federatable: flag,
  public: flag,
  join_rules: text,
  guest_access: text,
  history_visibility: text,
  room_type: text,
  forgotten: flag,
  tombstoned: flag,
  replacement_room: text,
});
export type Room = Static<typeof Room>;

const path = (roomId: string) => `/v1/rooms/${encodeURIComponent(roomId)}`;

export const getRoom = (server: Server, roomId: string, signal?: AbortSignal) =>
  getLeniently(server, Room, path(roomId), { signal });

export const roomQuery = (server: Server, roomId: string) =>
  queryOptions({
    queryKey: [server.id, 'room', roomId, 'details'],
    queryFn: ({ signal }) => getRoom(server, roomId, signal),
    staleTime: 30_000,
  });

const listMembers = (server: Server, roomId: string, signal: AbortSignal) =>
  getList(server, Type.String(), 'members', `${path(roomId)}/members`, { signal });

export const getRoomMembers = async (server: Server, roomId: string, signal: AbortSignal) =>
  (await listMembers(server, roomId, signal)).rows.filter(isExpected);

/** Returns all joined members: slow for a large room. */
export const roomMembersQuery = (server: Server, roomId: string) =>
  queryOptions({
    queryKey: [server.id, 'room', roomId, 'members'],
    queryFn: ({ signal }) => listMembers(server, roomId, signal),
    staleTime: 30_000,
  });

const RoomState = Type.Object({ state: Type.Array(JsonObject) });

/** Returns the whole room state, memberships included: slow for a large room. */
export const getRoomState = async (server: Server, roomId: string, signal: AbortSignal) =>
  (await server.get(RoomState, `${path(roomId)}/state`, { signal })).state;

export const roomStateQuery = (server: Server, roomId: string) =>
  queryOptions({
    queryKey: [server.id, 'room', roomId, 'state'],
    queryFn: ({ signal }) => getRoomState(server, roomId, signal),
    staleTime: 30_000,
    structuralSharing: false,
  });

const Created = Type.Object({ event: Type.Object({ origin_server_ts: Type.Number() }) });

/**
 * Returns when a room was created, in milliseconds since the Unix epoch; null if unknown. Since room version 12 the ID
 * names the event; others need the state, which recent servers filter.
 */
export const roomCreationQuery = (server: Server, roomId: string) =>
  queryOptions({
    queryKey: [server.id, 'room', roomId, 'creation'],
    queryFn: async ({ signal }): Promise<number | null> => {
      if (!roomId.includes(':')) {
        const eventId = encodeURIComponent(`$${roomId.slice(1)}`);
        return (await server.get(Created, `/v1/fetch_event/${eventId}`, { signal })).event.origin_server_ts;
      }
      const { state } = await server.get(RoomState, `${path(roomId)}/state?type=m.room.create`, { signal });
      const created = state.find(({ type }) => type === 'm.room.create')?.origin_server_ts;
      return typeof created === 'number' ? created : null;
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

const RoomBlock = Type.Object({ block: Type.Boolean(), user_id: text });

export const getRoomBlock = (server: Server, roomId: string, signal: AbortSignal) =>
  getLeniently(server, RoomBlock, `${path(roomId)}/block`, { signal });

/** Returns whether local users are blocked from joining, and by which admin. */
export const roomBlockQuery = (server: Server, roomId: string) =>
  queryOptions({
    queryKey: [server.id, 'room', roomId, 'block'],
    queryFn: ({ signal }) => getRoomBlock(server, roomId, signal),
    staleTime: 30_000,
  });

/** As `roomBlockQuery`, throttled and cached longer, for rows of a list. */
export const listedRoomBlockQuery = (server: Server, roomId: string) =>
  queryOptions({
    queryKey: roomBlockQuery(server, roomId).queryKey,
    queryFn: ({ signal }) => limitedRowRequest(signal, () => getRoomBlock(server, roomId, signal)),
    staleTime: 5 * 60_000,
    retry: false,
  });

const Aliases = Type.Object({ aliases: Type.Array(Type.String()) });

/** Returns the room's local aliases. */
export const roomAliasesQuery = (server: Server, roomId: string) =>
  queryOptions({
    queryKey: [server.id, 'room', roomId, 'aliases'],
    queryFn: async ({ signal }) => {
      const address = `/client/v3/rooms/${encodeURIComponent(roomId)}/aliases`;
      return (await server.getChat(Aliases, address, { signal })).aliases;
    },
    staleTime: 30_000,
  });

const Extremities = Type.Object({
  count: Type.Integer(),
  results: Type.Array(
    Type.Object({
      event_id: Type.String(),
      depth: count,
      received_ts: Type.Optional(Nullable(Type.Number())),
    }),
  ),
});

/** Returns the forward extremities; many of them slow a room down. */
export const extremitiesQuery = (server: Server, roomId: string) =>
  queryOptions({
    queryKey: [server.id, 'room', roomId, 'extremities'],
    queryFn: ({ signal }) => server.get(Extremities, `${path(roomId)}/forward_extremities`, { signal }),
    staleTime: 30_000,
  });
