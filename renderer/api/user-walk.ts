/** Everyone on the server, one page after the other: for what the server itself can't search for. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Server } from '../transport/server.ts';
import { userList } from './user-list.ts';

/** The first look is a short one, so that there is something to see. */
const firstStep = 100;
/** As many as a server gives at once. */
const step = 1000;

/**
 * The newest first, deactivated and locked ones too. Who registers meanwhile moves the others on, so that one can come
 * twice; nobody is left out.
 */
export const userWalkQuery = (server: Server) => {
  const everyone = userList(server, { deactivated: true, locked: true, order: 'creation_ts', dir: 'b' });
  return infiniteQueryOptions({
    queryKey: [server.id, 'user-walk'],
    queryFn: ({ pageParam: from, signal }) => everyone.fetch(from, from === 0 ? firstStep : step, signal),
    initialPageParam: 0,
    getNextPageParam({ rows, total }, _pages, from) {
      const next = from + rows.length;
      return rows.length > 0 && next < total ? next : undefined;
    },
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
};
