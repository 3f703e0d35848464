import type { UnexpectedEntry } from '../../../api/lenient.ts';
import type { Tombstones } from '../../../api/reports/deleted-reports.ts';
import { isReadable } from '../../../api/reports/listed-reports.ts';
import type { FramedPage, ReportFrame } from '../../../api/reports/report-frame.ts';
import { reportsPerPage } from '../../../api/reports/report-source.ts';
import type { ReportRows } from './report-rows.ts';

type WindowRows<Report> = Omit<ReportRows<Report>, 'look'> & {
  /** Entries of the loaded pages that can't be read. */
  unexpected: UnexpectedEntry[];
  /** Returns the offset in the server's list of a row, and the row of an offset. */
  offsetOf(row: number): number;
  rowOfOffset(offset: number): number;
  /** Number of reports including those with a mark. */
  total: number;
};

/** The rows of the server's list without deleted reports and, as far as they are loaded, those in `hidden`. */
export function windowRows<Report extends { id: number }>(
  frame: Pick<ReportFrame, 'size'> | undefined,
  pages: ReadonlyMap<number, FramedPage<Report>>,
  tombstones: Tombstones,
  hidden: ReadonlyMap<number, unknown>,
): WindowRows<Report> {
  const offsets = new Map<number, number>();
  const byOffset = new Map<number, Report>();
  const loaded: Report[] = [];
  const gaps: number[] = [];
  const unexpected: UnexpectedEntry[] = [];
  /** Number of offsets that no list shows: deleted, unreadable, or counted in the total only. */
  let missing = 0;
  for (const [page, { event_reports: reports, ofFrame }] of [...pages].sort(
    ([one], [other]) => one - other,
  )) {
    if (!ofFrame) continue;
    for (const [index, report] of reports.entries()) {
      const offset = page * reportsPerPage + index;
      const isMissing = !isReadable(report) || tombstones.has(report.id);
      if (report.unexpected) unexpected.push(report.unexpected);
      if (isMissing) missing++;
      if (isMissing || hidden.has(report.id)) gaps.push(offset);
      else {
        loaded.push(report);
        byOffset.set(offset, report);
        offsets.set(report.id, offset);
      }
    }
    const end = Math.min(frame?.size ?? 0, (page + 1) * reportsPerPage);
    for (let offset = page * reportsPerPage + reports.length; offset < end; offset++) {
      gaps.push(offset);
      missing++;
    }
  }

  const offsetOf = (row: number) => row + firstIndex(gaps, (each, index) => each - index > row);
  const rowOfOffset = (offset: number) => offset - firstIndex(gaps, (each) => each >= offset);
  return {
    count: Math.max(0, (frame?.size ?? 0) - gaps.length),
    total: Math.max(0, (frame?.size ?? 0) - missing),
    at: (row) => byOffset.get(offsetOf(row)),
    rowOf(reportId) {
      const offset = offsets.get(reportId);
      return offset === undefined ? undefined : rowOfOffset(offset);
    },
    loaded,
    unexpected,
    offsetOf,
    rowOfOffset,
  };
}

/** Binary search: returns the first index that fits, or the length. */
function firstIndex(list: readonly number[], fits: (each: number, index: number) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(list[middle] as number, middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
