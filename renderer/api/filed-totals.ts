/** How many reports on whole users and rooms there are, for the badge. */
import { queryOptions } from '@tanstack/react-query';
import type { Server } from '../transport/server.ts';
import { type FiledKind, filedReportList } from './filed-reports.ts';
import { offeredQuery } from './offered.ts';

export const filedTotalsQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'filed-reports', 'totals'],
    async queryFn({ client, signal }) {
      const offered = await client.fetchQuery(offeredQuery(server));
      /** How many there are, and the number of the newest; undefined where the server has none of this kind. */
      const total = async (kind: FiledKind) => {
        if (!offered.has(`${kind}Reports`)) return undefined;
        const { rows, total } = await filedReportList(server, kind, { dir: 'b' }).fetch(0, 1, signal);
        return { total, newestId: rows[0]?.id };
      };
      return { user: await total('user'), room: await total('room') };
    },
    staleTime: 15_000,
  });
