import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Server } from '../transport/server.ts';
import type { AskReports } from './event-reports.ts';
import {
  type FiledKind,
  type FiledReport,
  type FiledReportFilter,
  filedReportList,
} from './filed-reports.ts';
import { nextReports, type WalkPlace, walkStart } from './report-walk.ts';

const atFirst = 100;
const furtherOn = 500;

/** Asks for runs of the reports that match, as those on events are asked for. */
export const askFiledReports =
  (
    server: Server,
    kind: FiledKind,
    filter: Omit<FiledReportFilter, 'dir'>,
    signal = new AbortController().signal,
  ): AskReports<FiledReport> =>
  async ({ dir, from, limit }) => {
    const { rows, total } = await filedReportList(server, kind, { ...filter, dir }).fetch(
      from,
      limit,
      signal,
    );
    const end = from + rows.length;
    return { event_reports: rows, total, ...(end < total && { next_token: end }) };
  };

/** Those that match, in order, as far as they are wanted: the server knows nothing of the team's queues. */
export const filedReportWalkQuery = (
  server: Server,
  kind: FiledKind,
  { by, about, dir }: FiledReportFilter,
) =>
  infiniteQueryOptions({
    queryKey: [server.id, 'filed-reports', kind, 'walk', { by, about, dir }] as const,
    queryFn: ({ pageParam, signal }: { pageParam: WalkPlace<FiledReport>; signal: AbortSignal }) => {
      return nextReports(
        askFiledReports(server, kind, { by, about }, signal),
        dir,
        pageParam,
        pageParam.last === undefined ? atFirst : furtherOn,
      );
    },
    initialPageParam: walkStart as WalkPlace<FiledReport>,
    getNextPageParam: ({ next }) => next,
    staleTime: 30_000,
  });
