import { queryOptions } from '@tanstack/react-query';
import type { Server } from '../transport/server.ts';
import { isExpected } from './lenient.ts';
import { roomList } from './room-list.ts';

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
