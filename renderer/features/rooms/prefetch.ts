import type { QueryClient } from '@tanstack/react-query';
import { roomList } from '../../api/room-list.ts';
import { prefetchFirstRows } from '../../components/table/paged-rows.ts';
import type { Server } from '../../transport/server.ts';
import { filterOf, type RoomSearch } from './room-search.ts';

/** Asks for what the screen shows at first. */
export const prefetchRooms = (queryClient: QueryClient, server: Server, address: RoomSearch) =>
  prefetchFirstRows(queryClient, roomList(server, filterOf(address)));
