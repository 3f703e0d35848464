import { type Static, Type } from 'typebox';
import type { Server } from '../transport/server.ts';
import type { PagedSource } from './paging.ts';
import { Room } from './room.ts';

const RoomListPage = Type.Object({ rooms: Type.Array(Room), total_rooms: Type.Integer() });
export type RoomListItem = Static<typeof Room>;

export type RoomListFilter = {
  /** A part of a name or of an alias, or a whole identifier. */
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
    if (search) query.set('search_term', search);
    if (isPublic !== undefined) query.set('public_rooms', String(isPublic));
    if (isEmpty !== undefined) query.set('empty_rooms', String(isEmpty));
    const { rooms, total_rooms } = await server.get(RoomListPage, `/v1/rooms?${query}`, { signal });
    return { rows: rooms, total: total_rooms };
  },
});
