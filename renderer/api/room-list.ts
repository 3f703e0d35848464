import { queryOptions } from '@tanstack/react-query';
import { type Static, Type } from 'typebox';
import { NotFound } from '../transport/refusal.ts';
import type { Server } from '../transport/server.ts';
import { serverName } from '../transport/server-name.ts';
import { getList, isExpected } from './lenient.ts';
import type { PagedSource } from './paging.ts';
import { Room } from './room.ts';

export type RoomListItem = Static<typeof Room>;

export type RoomListFilter = {
  /** A part of a name, an address or a part of it, or a whole identifier. */
  search?: string | undefined;
  /** Only those that are listed in public, or only the others. */
  isPublic?: boolean | undefined;
  /** Only those without members, or only the others. */
  isEmpty?: boolean | undefined;
  order: string;
  dir: 'f' | 'b';
};

/** By these a server begins with the largest, and `b` turns that round. */
const largestFirst = new Set(['joined_members', 'joined_local_members', 'version', 'state_events']);
const turned = { f: 'b', b: 'f' } as const;

/** All rooms that match; `b` is downwards, whatever the order. The reference homeserver's "List Room API". */
export const roomList = (server: Server, filter: RoomListFilter): PagedSource<RoomListItem> => ({
  key: [server.id, 'rooms', filter],
  async fetch(from, limit, signal) {
    const { search, isPublic, isEmpty, order, dir } = filter;
    const query = new URLSearchParams({
      from: String(from),
      limit: String(limit),
      order_by: order,
      dir: largestFirst.has(order) ? turned[dir] : dir,
    });
    if (search)
      query.set('search_term', search.startsWith('#') ? await termOf(server, search, signal) : search);
    if (isPublic !== undefined) query.set('public_rooms', String(isPublic));
    if (isEmpty !== undefined) query.set('empty_rooms', String(isEmpty));
    return getList(server, Room, 'rooms', `/v1/rooms?${query}`, { signal });
  },
});

const Directed = Type.Object({ room_id: Type.String() });

/** Where an address of this server leads; undefined where it leads nowhere. */
export async function roomOfAlias(server: Server, alias: string, signal?: AbortSignal) {
  try {
    const path = `/client/v3/directory/room/${encodeURIComponent(alias)}`;
    return (await server.getChat(Directed, path, signal && { signal })).room_id;
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

/** What a server finds an address by: the room that a whole one leads to, or else the name in it alone. */
async function termOf(server: Server, address: string, signal: AbortSignal): Promise<string> {
  // The host may have a port, or be an IPv6 address.
  const [, name = '', host] = /^#([^:]*)(?::(.*))?$/s.exec(address) ?? [];
  const isOwn = host === serverName(server.connection);
  return (isOwn ? await roomOfAlias(server, address, signal) : undefined) ?? name;
}

/** The rooms with the most state, which cost a server the most, and how many rooms there are. */
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
