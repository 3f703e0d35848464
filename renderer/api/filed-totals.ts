/** How many reports on whole users and rooms there are: the badge wants it long before a list of them is opened. */
import { queryOptions } from '@tanstack/react-query';
import type { Server } from '../transport/server.ts';

export const filedTotalsQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'filed-reports', 'totals'],
    queryFn: async ({ client, signal }) =>
      (await import('./filed-totals-asked.ts')).askTotals(server, client, signal),
    staleTime: 15_000,
  });
