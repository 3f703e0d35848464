import { queryOptions } from '@tanstack/react-query';
import type { Server } from '../transport/server.ts';
import { isExpected } from './lenient.ts';
import { userList } from './user-list.ts';

/** So many accounts tell how the server grew of late. */
const newestUsersLooked = 500;

const everyone = { deactivated: true, locked: true, order: 'creation_ts', dir: 'b' } as const;

/**
 * When the newest accounts were made, in milliseconds, newest first; how many accounts there are, and whether these
 * are all of them.
 */
export const newestUsersQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'newest-users'],
    queryFn: async ({ signal }) => {
      const { rows, total } = await userList(server, everyone).fetch(0, newestUsersLooked, signal);
      const made = rows
        .filter(isExpected)
        .map(({ creation_ts: at }) => at)
        .filter((at) => typeof at === 'number');
      return { total, made, isAll: rows.length >= total };
    },
    staleTime: 5 * 60_000,
  });
