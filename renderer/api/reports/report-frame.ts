/**
 * A window on a list of any length, which loads only visible pages. The server numbers reports by offset, and every
 * arrival and deletion renumbers them. So a frame ends at the newest report at the time when the list was opened. Later
 * ones are counted, not shown, so the list can only shrink: its size shows whether a page is still valid.
 */
import { queryOptions } from '@tanstack/react-query';
import { deletionsArrived, deletionsSent } from './deleted-reports.ts';
import { countBefore, isNewer, type Moment } from './report-order.ts';
import {
  type AnyReport,
  type AskReports,
  type ReportOrder,
  type ReportSource,
  type ReportTotal,
  reportFrameKey,
  reportsPerPage,
  reportTotalQuery,
} from './report-source.ts';

export type ReportFrame = {
  /** The newest report that the list shows; undefined if there was none. */
  newest: Moment | undefined;
  /** Length of the list on the server. */
  size: number;
  /** Number of reports since. */
  arrived: number;
  /** The newest report, shown or not. */
  latestId: number | undefined;
  /** Changes when reports get other offsets. */
  revision: number;
};

/** The frame of a list. Brings the first page of a list that begins with the newest, and the total if it isn't loaded. */
export const reportFrameQuery = <Report extends AnyReport>(source: ReportSource<Report>, dir: ReportOrder) =>
  queryOptions({
    queryKey: reportFrameKey(source, dir),
    queryFn: async ({ signal, client, queryKey }): Promise<ReportFrame> => {
      const limit = dir === 'b' ? reportsPerPage : 1;
      const [askedAt, deletionsBefore] = [Date.now(), deletionsArrived(source)];
      const head = await source.ask(signal)({ dir: 'b', from: 0, limit });
      const newest = momentOf(head.event_reports[0]);
      const totalKey = reportTotalQuery(source).queryKey;
      // The total may or may not include a deletion in flight.
      const isExact = deletionsBefore !== undefined && deletionsBefore === deletionsSent(source);
      if (isExact && !client.getQueryData(totalKey)) {
        const total: ReportTotal = { total: head.total, newestId: newest?.id, deletionsBefore };
        client.setQueryData(totalKey, total, { updatedAt: askedAt });
      }
      const revision = (client.getQueryData<ReportFrame>(queryKey)?.revision ?? 0) + 1;
      const frame = { newest, size: head.total, arrived: 0, latestId: newest?.id, revision };
      if (dir === 'b') {
        client.setQueryData(reportPageQuery(source, dir, frame, 0).queryKey, framed(head, frame));
      }
      return frame;
    },
    // `refreshedFrame` only loads changes.
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });

type ReportPage<Report> = Awaited<ReturnType<AskReports<Report>>>;

/** A page loaded at another time than the frame isn't shown: its reports can have other offsets. */
export type FramedPage<Report> = ReportPage<Report> & { ofFrame: boolean };

const framed = <Report>(page: ReportPage<Report>, { size, arrived }: ReportFrame): FramedPage<Report> => ({
  ...page,
  ofFrame: page.total === size + arrived,
});

/** One page of a framed list, counted from 0. */
export const reportPageQuery = <Report extends AnyReport>(
  source: ReportSource<Report>,
  dir: ReportOrder,
  frame: ReportFrame,
  page: number,
) =>
  queryOptions({
    queryKey: [...reportPagesKey(source, dir, frame), page] as const,
    queryFn: async ({ signal, client }): Promise<FramedPage<Report>> => {
      const latest = client.getQueryData<ReportFrame>(reportFrameKey(source, dir));
      const requested = latest?.revision === frame.revision ? latest : frame;
      return framed(await source.ask(signal)(rangeOf(requested, dir, page)), requested);
    },
    staleTime: Number.POSITIVE_INFINITY,
    // Only visible pages stay in memory, for as long as a deletion can be undone.
    gcTime: 10_000,
    structuralSharing: false,
  });

export const reportPagesKey = <Report extends AnyReport>(
  { server, key }: ReportSource<Report>,
  dir: ReportOrder,
  { revision }: ReportFrame,
) => [server.id, 'report-page', key, dir, revision] as const;

export const pageOf = (row: number) => Math.floor(row / reportsPerPage);

function rangeOf({ size, arrived }: ReportFrame, dir: ReportOrder, page: number) {
  const first = page * reportsPerPage;
  // The last page of a list that begins with the oldest must not include arrived reports.
  const limit = Math.max(1, Math.min(reportsPerPage, size - first));
  return { dir, from: first + (dir === 'b' ? arrived : 0), limit };
}

const momentOf = (report: Moment | undefined): Moment | undefined =>
  report && { received_ts: report.received_ts, id: report.id };

/** Rows on screen, counted from 0, and a report whose row is known. */
type VisibleRows = { first: number; last: number; anchor: { row: number; report: Moment } | undefined };

type RefreshedFrame<Report> = { frame: ReportFrame; pages: Map<number, FramedPage<Report>> };

/**
 * Returns the frame as the server has it now. If reports are gone, it has a new revision and the pages that show the
 * same reports as before.
 */
export async function refreshedFrame<Report extends Moment>(
  ask: AskReports<Report>,
  dir: ReportOrder,
  frame: ReportFrame,
  shown: VisibleRows,
): Promise<RefreshedFrame<Report>> {
  const head = await ask({ dir: 'b', from: 0, limit: reportsPerPage });
  const arrived = await countArrived(ask, frame, head);
  const next = { ...frame, arrived, size: head.total - arrived, latestId: head.event_reports[0]?.id };
  const gone = frame.size - next.size;
  if (gone === 0) return { frame: next, pages: new Map() };

  next.revision++;
  const pages = await pagesAround(ask, dir, next, shown, gone);
  // A page that is already outdated is noticed when it is used.
  return { frame: next, pages };
}

async function countArrived<Report extends Moment>(
  ask: AskReports<Report>,
  { newest }: ReportFrame,
  head: ReportPage<Report>,
) {
  if (!newest) return head.total;
  const index = head.event_reports.findIndex((report) => !isNewer(report, newest));
  if (index !== -1) return index;
  return countBefore(ask, 'b', newest, head.event_reports.length, head.total);
}

async function pagesAround<Report extends Moment>(
  ask: AskReports<Report>,
  dir: ReportOrder,
  frame: ReportFrame,
  { first, last, anchor }: VisibleRows,
  gone: number,
): Promise<Map<number, FramedPage<Report>>> {
  const before = dir === 'b' ? frame.arrived : 0;
  const moved = anchor ? (await anchorRow(anchor)) - anchor.row : 0;
  const pages = new Map<number, FramedPage<Report>>();
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

/** Returns the row of a moment in a list. */
export async function rowOf(ask: AskReports<Moment>, dir: ReportOrder, frame: ReportFrame, moment: Moment) {
  const before = dir === 'b' ? frame.arrived : 0;
  return (await countBefore(ask, dir, moment, before, before + frame.size)) - before;
}
