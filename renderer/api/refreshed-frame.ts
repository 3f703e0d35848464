/** A framed list as the server has it now, and any place in it. */
import type { EventReportPage } from '../../shared/api/reports.ts';
import { type AskReports, type EventReportOrder, reportsPerPage } from './event-reports.ts';
import { type FramedPage, framed, pageOf, type ReportFrame, rangeOf } from './report-frame.ts';
import { countBefore, isNewer, type Moment } from './report-order.ts';

/** What the screen shows of a list: its rows, counted from 0, and one report of which the row is known. */
export type Shown = { first: number; last: number; anchor: { row: number; report: Moment } | undefined };

export type RefreshedFrame = { frame: ReportFrame; pages: Map<number, FramedPage> };

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
