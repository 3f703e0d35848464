/**
 * A list of any length, of which only what one looks at is loaded. The server numbers reports by offset, and
 * every arrival and deletion renumbers them. So a list is framed: it ends at the newest report that was
 * there when it was opened. What comes later is counted and not shown, and then the list can only shrink;
 * its size tells whether a page still is what it was. Where it shrank, what is on screen is found again.
 */
import { queryOptions } from '@tanstack/react-query';
import type { EventReportItem } from '../../shared/api/reports.ts';
import type { Server } from '../transport/server.ts';
import { deletionsArrived, deletionsSent } from './deletion-turns.ts';
import {
  type AskReports,
  askReports,
  type EventReportFilter,
  type EventReportOrder,
  eventReportTotalQuery,
  reportFrameKey,
  reportsPerPage,
} from './event-reports.ts';
import type { Moment } from './report-order.ts';

export type ReportFrame = {
  /** The newest report that the list shows; none where there was nothing. */
  newest: Moment | undefined;
  /** How many the list has, on the server. */
  size: number;
  /** How many came in since. */
  arrived: number;
  /** The newest of all, shown or not. */
  latestId: number | undefined;
  /** Another one means that reports have other numbers than before. */
  revision: number;
};

/**
 * The frame of a list, set when it is opened. It brings the first page of a list that begins with the newest, and how
 * many there are to whoever has not counted them yet.
 */
export const reportFrameQuery = (server: Server, filter: EventReportFilter, dir: EventReportOrder) =>
  queryOptions({
    queryKey: reportFrameKey(server, filter, dir),
    queryFn: async ({ signal, client, queryKey }): Promise<ReportFrame> => {
      const limit = dir === 'b' ? reportsPerPage : 1;
      const [askedAt, deletionsBefore] = [Date.now(), deletionsArrived(server.id)];
      const head = await askReports(server, filter, signal)({ dir: 'b', from: 0, limit });
      const newest = momentOf(head.event_reports[0]);
      const counted = eventReportTotalQuery(server, filter).queryKey;
      // Of a deletion that was on its way nobody could tell whether the number has it.
      const isExact = deletionsBefore !== undefined && deletionsBefore === deletionsSent(server.id);
      if (isExact && !client.getQueryData(counted)) {
        const total = { total: head.total, newestId: newest?.id, deletionsBefore };
        client.setQueryData(counted, total, { updatedAt: askedAt });
      }
      const revision = (client.getQueryData<ReportFrame>(queryKey)?.revision ?? 0) + 1;
      const frame = { newest, size: head.total, arrived: 0, latestId: newest?.id, revision };
      if (dir === 'b') {
        client.setQueryData(reportPageQuery(server, filter, dir, frame, 0).queryKey, framed(head, frame));
      }
      return frame;
    },
    // Only what has changed is asked for again, by `refreshedFrame`.
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });

type ReportPage = Awaited<ReturnType<AskReports>>;

/** What was true at another time than the frame's is not shown: its reports can have other numbers. */
export type FramedPage = ReportPage & { ofFrame: boolean };

export const framed = (page: ReportPage, { size, arrived }: ReportFrame): FramedPage => ({
  ...page,
  ofFrame: page.total === size + arrived,
});

/** One page of a framed list, counted from 0. */
export const reportPageQuery = (
  server: Server,
  filter: EventReportFilter,
  dir: EventReportOrder,
  frame: ReportFrame,
  page: number,
) =>
  queryOptions({
    queryKey: [...reportPagesKey(server, filter, dir, frame), page] as const,
    queryFn: async ({ signal, client }): Promise<FramedPage> => {
      const latest = client.getQueryData(reportFrameQuery(server, filter, dir).queryKey);
      const asked = latest?.revision === frame.revision ? latest : frame;
      return framed(await askReports(server, filter, signal)(rangeOf(asked, dir, page)), asked);
    },
    staleTime: Number.POSITIVE_INFINITY,
    // Memory holds what is looked at, and for as long as a deletion can be undone.
    gcTime: 10_000,
    structuralSharing: false,
  });

/** The filter is text: as an object, one that names less would match the pages of one that names more. */
export const reportPagesKey = (
  server: Server,
  filter: EventReportFilter,
  dir: EventReportOrder,
  { revision }: ReportFrame,
) => [server.id, 'event-reports', 'page', JSON.stringify([filter, dir]), revision] as const;

export const pageOf = (row: number) => Math.floor(row / reportsPerPage);

export function rangeOf({ size, arrived }: ReportFrame, dir: EventReportOrder, page: number) {
  const first = page * reportsPerPage;
  // The last page of a list that begins with the oldest must not reach into what has arrived.
  const limit = Math.max(1, Math.min(reportsPerPage, size - first));
  return { dir, from: first + (dir === 'b' ? arrived : 0), limit };
}

const momentOf = (report: EventReportItem | undefined): Moment | undefined =>
  report && { received_ts: report.received_ts, id: report.id };
