import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { EventReportDetail, type EventReportItem, EventReportPage } from '../../shared/api/event-reports.ts';
import type { Server } from '../transport/server.ts';

export type EventReportFilter = {
  room_id?: string;
  user_id?: string;
  event_sender_user_id?: string;
};

export type EventReportOrder = 'b' | 'f';

export const reportsPerPage = 100;

export type LoadedPage = EventReportPage & {
  /** How many of the list's reports were deleted since this page was loaded. */
  deletedSince: number;
  /** The newest report that the page held when it was loaded. */
  newestId: number;
};
export type LoadedReports = InfiniteData<LoadedPage>;

export const eventReportListsKey = (server: Server) => [server.id, 'event-reports', 'list'] as const;

/** All reports that match, page by page. Interface: "GET …/event_reports". */
export const eventReportsQuery = (server: Server, filter: EventReportFilter, dir: EventReportOrder) =>
  infiniteQueryOptions({
    queryKey: [...eventReportListsKey(server), filter, dir] as const,
    queryFn: async ({
      pageParam,
      signal,
    }: {
      pageParam: number;
      signal: AbortSignal;
    }): Promise<LoadedPage> => {
      const page = await server.get(
        EventReportPage,
        `/v1/event_reports?${query({ ...filter, dir, from: pageParam, limit: reportsPerPage })}`,
        { signal },
      );
      return { ...page, deletedSince: 0, newestId: Math.max(0, ...page.event_reports.map(({ id }) => id)) };
    },
    initialPageParam: 0,
    getNextPageParam: (last, _pages, _from, tokens): number | undefined => {
      if (last.next_token === undefined || last.deletedSince === 0) return last.next_token;
      // Deleting moved everything after it forward: start again from an earlier token, or the reports
      // that moved over the page's end would never be seen. `uniqueReports` drops what comes twice.
      return tokens[Math.max(0, tokens.length - Math.ceil(last.deletedSince / reportsPerPage))];
    },
    // Pages move under an offset; refetching them all because a window got the focus would be a storm.
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });

/** How many reports match; the page itself isn't asked for. */
export const eventReportTotalQuery = (server: Server, filter: EventReportFilter) =>
  queryOptions({
    queryKey: [server.id, 'event-reports', 'total', filter],
    queryFn: async ({ signal }) => {
      const page = await server.get(EventReportPage, `/v1/event_reports?${query({ ...filter, limit: 1 })}`, {
        signal,
      });
      return { total: page.total, newestId: page.event_reports[0]?.id };
    },
    staleTime: 15_000,
  });

/** Reports against one sender, newest first: enough to list the others on the same event. */
export const reportsOnSenderQuery = (server: Server, sender: string) =>
  queryOptions({
    queryKey: [server.id, 'event-reports', 'on-sender', sender],
    queryFn: ({ signal }) =>
      server.get(
        EventReportPage,
        `/v1/event_reports?${query({ event_sender_user_id: sender, limit: reportsPerPage })}`,
        { signal },
      ),
    staleTime: 15_000,
  });

/** One report with its event. Interface: "GET …/event_reports/<report_id>". */
export const eventReportQuery = (server: Server, reportId: number) =>
  queryOptions({
    queryKey: [server.id, 'event-reports', 'detail', reportId],
    queryFn: ({ signal }) => server.get(EventReportDetail, `/v1/event_reports/${reportId}`, { signal }),
    staleTime: 5 * 60_000,
    // The event can be nested too deep for a recursive comparison.
    structuralSharing: false,
  });

export const deleteEventReport = (server: Server, reportId: number) =>
  server.delete(`/v1/event_reports/${reportId}`);

export const eventReportsKey = (server: Server) => [server.id, 'event-reports'] as const;

/** The loaded list without a report that the server no longer has. */
export function withoutReport(loaded: LoadedReports, reportId: number): LoadedReports {
  if (!loaded.pages.some((page) => page.event_reports.some(({ id }) => id === reportId))) return loaded;
  const pages = loaded.pages.map((page, index) => ({
    ...page,
    event_reports: page.event_reports.filter(({ id }) => id !== reportId),
    total: page.total - 1,
    deletedSince: page.deletedSince + (index === loaded.pages.length - 1 ? 1 : 0),
  }));
  return { ...loaded, pages };
}

/** Every loaded report once: new reports push older ones over a page's end, so pages can overlap. */
export function uniqueReports(loaded: LoadedReports): EventReportItem[] {
  const seen = new Map<number, EventReportItem>();
  for (const page of loaded.pages) for (const report of page.event_reports) seen.set(report.id, report);
  return [...seen.values()];
}

function query(parameters: Record<string, string | number | undefined>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}
