import { queryOptions } from '@tanstack/react-query';
import type { Server } from '../transport/server.ts';
import { type FiledKind, type FiledReportFilter, filedReportList } from './filed-reports.ts';

export type FiledBy = Pick<FiledReportFilter, 'about' | 'by'>;

/** How many reports there are on this user or room, or by this user. */
export const filedReportTotalQuery = (server: Server, kind: FiledKind, filter: FiledBy) =>
  queryOptions({
    queryKey: [server.id, 'filed-reports', kind, 'total', filter],
    queryFn: async ({ signal }) => {
      const { total } = await filedReportList(server, kind, { ...filter, dir: 'b' }).fetch(0, 1, signal);
      return { total };
    },
    staleTime: 15_000,
  });
