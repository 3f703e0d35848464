import { queryOptions } from '@tanstack/react-query';
import { type Static, Type } from 'typebox';
import { NotFound } from '../transport/refusal.ts';
import type { Server } from '../transport/server.ts';
import { serverName } from '../transport/server-name.ts';
import { getList, isExpected } from './lenient.ts';
import { ifSupported } from './optional.ts';
import type { PagedSource } from './paging.ts';
import { Room } from './room.ts';

export type RoomListItem = Static<typeof Room>;

export type RoomListFilter = {
  /** Part of a name or an alias, or a whole room ID. */
  search?: string | undefined;
  /** Only published rooms, or only the others. */
  isPublic?: boolean | undefined;
  /** Only rooms without members, or only the others. */
  isEmpty?: boolean | undefined;
  order: string;
  dir: 'f' | 'b';
};

/** Orders in which the server treats `f` as descending. */
const descendingByDefault = new Set(['joined_members', 'joined_local_members', 'version', 'state_events']);
const opposite = { f: 'b', b: 'f' } as const;

/** Lists matching rooms; `b` is descending in every order. Synapse's "List Room API". */
export const roomList = (server: Server, filter: RoomListFilter): PagedSource<RoomListItem> => ({
  key: [server.id, 'rooms', filter],
  async fetch(from, limit, signal) {
    const { search, isPublic, isEmpty, order, dir } = filter;
    const query = new URLSearchParams({
      from: String(from),
      limit: String(limit),
      order_by: order,
      dir: descendingByDefault.has(order) ? opposite[dir] : dir,
    });
    if (search)
      query.set('search_term', search.startsWith('#') ? await searchTermOf(server, search, signal) : search);
    if (isPublic !== undefined) query.set('public_rooms', String(isPublic));
    if (isEmpty !== undefined) query.set('empty_rooms', String(isEmpty));
    return getList(server, Room, 'rooms', `/v1/rooms?${query}`, { signal });
  },
});

const RoomAlias = Type.Object({ room_id: Type.String() });

/** Returns the room ID of a local alias, or undefined. */
export async function roomOfAlias(server: Server, alias: string, signal?: AbortSignal) {
  try {
    const path = `/client/v3/directory/room/${encodeURIComponent(alias)}`;
    return (await server.getChat(RoomAlias, path, { signal })).room_id;
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

export const aliasedRoomQuery = (server: Server, alias: string) =>
  queryOptions({
    queryKey: [server.id, 'aliased-room', alias],
    queryFn: async ({ signal }) => (await roomOfAlias(server, alias, signal)) ?? null,
    staleTime: 60_000,
  });

/** The server can't search whole aliases: resolves a local one to its room ID, or returns its localpart. */
async function searchTermOf(server: Server, address: string, signal: AbortSignal): Promise<string> {
  // The host may contain colons: a port, or an IPv6 address.
  const [, name = '', host] = /^#([^:]*)(?::(.*))?$/s.exec(address) ?? [];
  const isLocal = host === serverName(server.connection);
  return (isLocal ? await roomOfAlias(server, address, signal) : undefined) ?? name;
}

/** Returns the rooms with the most state events, and the number of rooms. */
export const largestRoomsQuery = (server: Server, count: number) =>
  queryOptions({
    queryKey: [server.id, 'largest-rooms', count],
    queryFn: async ({ signal }) => {
      const largest = roomList(server, { order: 'state_events', dir: 'b' });
      const { rows, total } = await largest.fetch(0, count, signal);
      return { rows: rows.filter(isExpected), total };
    },
    staleTime: 5 * 60_000,
  });

const RoomSize = Type.Object({
  room_id: Type.String(),
  estimated_size: Type.Number({ description: 'Bytes' }),
});
export type RoomSize = Static<typeof RoomSize>;

/**
 * Returns the rooms that use most of the database; null if the server doesn't support it, as on SQLite, or fails:
 * Synapse always does on PostgreSQL if a table has no statistics on rooms, such as `event_edges` of databases without
 * old events.
 */
export const roomSizesQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'room-sizes'],
    queryFn: ({ signal }) =>
      ifSupported(
        server,
        'database/rooms',
        async () =>
          (await getList(server, RoomSize, 'rooms', '/v1/statistics/database/rooms', { signal })).rows
            .filter(isExpected)
            .sort((one, other) => other.estimated_size - one.estimated_size),
        ({ code }) => code === 'refused',
      ),
    staleTime: 5 * 60_000,
  });
