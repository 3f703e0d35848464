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

/** All rooms that match. The reference homeserver's "List Room API". */
export const roomList = (server: Server, filter: RoomListFilter): PagedSource<RoomListItem> => ({
  key: [server.id, 'rooms', filter],
  async fetch(from, limit, signal) {
    const { search, isPublic, isEmpty, order, dir } = filter;
    const query = new URLSearchParams({ from: String(from), limit: String(limit), order_by: order, dir });
    if (search) query.set('search_term', search);
    if (isPublic !== undefined) query.set('public_rooms', String(isPublic));
    if (isEmpty !== undefined) query.set('empty_rooms', String(isEmpty));
    const { rooms, total_rooms } = await server.get(RoomListPage, `/v1/rooms?${query}`, { signal });
    return { rows: rooms, total: total_rooms };
  },
});
