/**
 * A list of any length, of which only what one looks at is loaded. The server numbers reports by offset, and
 * every arrival and deletion renumbers them. So a list is framed: it ends at the newest report that was
 * there when it was opened. What comes later is counted and not shown, and then the list can only shrink;
 * its size tells whether a page still is what it was. Where it shrank, what is on screen is found again.
 */
import { queryOptions } from '@tanstack/react-query';
import type { EventReportItem, EventReportPage } from '../../shared/api/reports.ts';
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
import { countBefore, isNewer, type Moment } from './report-order.ts';

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

const framed = (page: ReportPage, { size, arrived }: ReportFrame): FramedPage => ({
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

function rangeOf({ size, arrived }: ReportFrame, dir: EventReportOrder, page: number) {
  const first = page * reportsPerPage;
  // The last page of a list that begins with the oldest must not reach into what has arrived.
  const limit = Math.max(1, Math.min(reportsPerPage, size - first));
  return { dir, from: first + (dir === 'b' ? arrived : 0), limit };
}

const momentOf = (report: EventReportItem | undefined): Moment | undefined =>
  report && { received_ts: report.received_ts, id: report.id };

// A framed list as the server has it now, and any place in it.

/** What the screen shows of a list: its rows, counted from 0, and one report of which the row is known. */
type Shown = { first: number; last: number; anchor: { row: number; report: Moment } | undefined };

type RefreshedFrame = { frame: ReportFrame; pages: Map<number, FramedPage> };

/**
 * The same list as the server has it now. Where reports are gone from it, it has a new revision, and the
 * pages that are needed to show the same reports as before come with it.
 */
export async function refreshedFrame(
  ask: AskReports,
  dir: EventReportOrder,
  frame: ReportFrame,
  shown: Shown,
): Promise<RefreshedFrame> {
  const head = await ask({ dir: 'b', from: 0, limit: reportsPerPage });
  const arrived = await countArrived(ask, frame, head);
  const next = { ...frame, arrived, size: head.total - arrived, latestId: head.event_reports[0]?.id };
  const gone = frame.size - next.size;
  if (gone === 0) return { frame: next, pages: new Map() };

  next.revision++;
  const pages = await pagesAround(ask, dir, next, shown, gone);
  // Nothing keeps still for long on a busy server; a page of another time is noticed when it is used.
  return { frame: next, pages };
}

async function countArrived(ask: AskReports, { newest }: ReportFrame, head: EventReportPage) {
  if (!newest) return head.total;
  const index = head.event_reports.findIndex((report) => !isNewer(report, newest));
  if (index !== -1) return index;
  return countBefore(ask, 'b', newest, head.event_reports.length, head.total);
}

async function pagesAround(
  ask: AskReports,
  dir: EventReportOrder,
  frame: ReportFrame,
  { first, last, anchor }: Shown,
  gone: number,
): Promise<Map<number, FramedPage>> {
  const before = dir === 'b' ? frame.arrived : 0;
  const moved = anchor ? (await anchorRow(anchor)) - anchor.row : 0;
  const pages = new Map<number, FramedPage>();
  const end = Math.max(0, frame.size - 1);
  const [from, to] = [first, last].map((row) => Math.min(end, Math.max(0, row + moved)));
  for (let page = pageOf(from ?? 0); page <= pageOf(to ?? 0); page++) {
    pages.set(page, framed(await ask(rangeOf(frame, dir, page)), frame));
  }
  return pages;

  async function anchorRow({ row, report }: { row: number; report: Moment }) {
    const [least, most] = [row - gone, row].map((each) => before + Math.min(frame.size, Math.max(0, each)));
    return (await countBefore(ask, dir, report, least ?? 0, most ?? 0)) - before;
  }
}

/** The row that a moment has in a list, or would have. */
export async function rowOf(ask: AskReports, dir: EventReportOrder, frame: ReportFrame, moment: Moment) {
  const before = dir === 'b' ? frame.arrived : 0;
  return (await countBefore(ask, dir, moment, before, before + frame.size)) - before;
}
