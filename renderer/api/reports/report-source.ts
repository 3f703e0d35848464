/** Reports on events, users and rooms are listed in the same way: in pages by offset, in the order of time. */
import { type FetchQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { EventReportPage } from '../../../shared/api/reports.ts';
import type { ReportKind } from '../../../shared/team/entries.ts';
import type { Server } from '../../transport/server.ts';
import { deletionsSent, inCount } from './deleted-reports.ts';
import { isReadable, type Listed } from './listed-reports.ts';

/** `b` is newest first, `f` oldest first. */
export type ReportOrder = 'b' | 'f';

/** A run of reports: `from` is the offset of the first. */
type ReportRange = { dir: ReportOrder; from: number; limit: number };
export type AskReports<Report> = (
  range: ReportRange,
) => Promise<Omit<EventReportPage, 'event_reports'> & { event_reports: Listed<Report>[] }>;

export const reportsPerPage = 100;

/** The fields that the console filters and sorts by. */
export type AnyReport = {
  id: number;
  received_ts: number;
  reason: string | null;
  event_id?: string;
  sender?: string | null;
  score?: number | null;
};

/** The reports of one kind that match the server's filters. Two sources with the same `key` list the same reports. */
export type ReportSource<Report extends AnyReport> = {
  server: Server;
  of: ReportKind;
  /** The key under which deletions are recorded: each kind has its own IDs. */
  deletionsKey: string;
  key: string;
  isFiltered: boolean;
  unfiltered: () => ReportSource<Report>;
  ask: (signal?: AbortSignal) => AskReports<Report>;
  matches: (report: Report) => boolean;
  detail: (reportId: number) => FetchQueryOptions<Report>;
  totalKey: readonly unknown[];
};

export type ReportTotal = {
  total: number;
  newestId: number | undefined;
  /** Number of deletions sent from here before: the total still includes later ones. */
  deletionsBefore: number;
};

type Source = Omit<ReportSource<never>, 'ask' | 'matches' | 'detail' | 'unfiltered'> & {
  ask: (signal?: AbortSignal) => AskReports<{ id: number }>;
};

/** The frame brings the total as well. */
export const reportFrameKey = ({ server, key }: Source, dir: ReportOrder) =>
  [server.id, 'report-frame', key, dir] as const;

/** Resolves when no list of these reports is being opened. */
async function listsOpened(client: QueryClient, source: Source): Promise<void> {
  const opening = (['b', 'f'] as const).map((dir) =>
    client.getQueryCache().find({ queryKey: reportFrameKey(source, dir), fetchStatus: 'fetching' }),
  );
  await Promise.allSettled(opening.map((frame) => frame?.promise));
}

/** Returns how many reports match. Sends no request if a list that is being opened brings the number. */
export const reportTotalQuery = (source: Source) =>
  queryOptions({
    queryKey: source.totalKey,
    queryFn: async ({ signal, client, queryKey }) => {
      if (client.getQueryData(queryKey) === undefined) {
        await listsOpened(client, source);
        const brought = client.getQueryData<ReportTotal>(queryKey);
        if (brought) return brought;
      }
      const ask = async (deletionsBefore: number): Promise<ReportTotal> => {
        const { total, event_reports } = await source.ask(signal)({ dir: 'b', from: 0, limit: 1 });
        return { total, newestId: event_reports[0]?.id, deletionsBefore };
      };
      return source.isFiltered ? ask(deletionsSent(source)) : inCount(source, ask);
    },
    staleTime: 15_000,
  });

export type OldReport = { of: ReportKind; id: number; at: number; reason: string | null };

/** Returns the oldest reports, a page of them, with the time of each in milliseconds since the Unix epoch. */
export const oldestReportsQuery = <Report extends AnyReport>({ server, of, ask }: ReportSource<Report>) =>
  queryOptions({
    queryKey: [server.id, 'oldest-reports', of],
    queryFn: async ({ signal }): Promise<OldReport[]> => {
      const { event_reports } = await ask(signal)({ dir: 'f', from: 0, limit: reportsPerPage });
      return event_reports
        .filter(isReadable)
        .map(({ id, received_ts: at, reason }) => ({ of, id, at, reason }));
    },
    staleTime: 60_000,
  });
