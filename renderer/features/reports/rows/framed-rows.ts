import type { EventReportItem } from '../../../../shared/api/reports.ts';
import type { Tombstones } from '../../../api/deleted-reports.ts';
import { reportsPerPage } from '../../../api/event-reports.ts';
import type { UnexpectedEntry } from '../../../api/lenient.ts';
import type { FramedPage, ReportFrame } from '../../../api/report-frame.ts';
import type { ReportRows } from '../desk/report-rows.ts';

export type FramedRows = Omit<ReportRows, 'look'> & {
  /** Entries of the loaded pages that can't be read. */
  unexpected: UnexpectedEntry[];
  /** The row that the server's list has for one of the screen's, and the other way round. */
  numberOf(row: number): number;
  rowOfNumber(number: number): number;
  /** How many there are with those that have a mark. */
  total: number;
};

/**
 * The rows that there are to see: those of the server's list without the reports that were deleted here, and without
 * those that have one of `marks`, as far as they are loaded.
 */
export function framedRows(
  frame: ReportFrame | undefined,
  pages: ReadonlyMap<number, FramedPage>,
  tombstones: Tombstones,
  marks: ReadonlyMap<number, unknown>,
): FramedRows {
  const numbers = new Map<number, number>();
  const byNumber = new Map<number, EventReportItem>();
  const loaded: EventReportItem[] = [];
  const hidden: number[] = [];
  const unexpected: UnexpectedEntry[] = [];
  /** How many are no reports to see in any list: deleted, unreadable, or in the total only. */
  let missing = 0;
  for (const [page, { event_reports: reports, ofFrame }] of [...pages].sort(
    ([one], [other]) => one - other,
  )) {
    if (!ofFrame) continue;
    for (const [index, report] of reports.entries()) {
      const number = page * reportsPerPage + index;
      const isMissing = report.unexpected !== undefined || tombstones.has(report.id);
      if (report.unexpected) unexpected.push(report.unexpected);
      if (isMissing) missing++;
      if (isMissing || marks.has(report.id)) hidden.push(number);
      else {
        loaded.push(report);
        byNumber.set(number, report);
        numbers.set(report.id, number);
      }
    }
    const end = Math.min(frame?.size ?? 0, (page + 1) * reportsPerPage);
    for (let number = page * reportsPerPage + reports.length; number < end; number++) {
      hidden.push(number);
      missing++;
    }
  }

  const hiddenBefore = (number: number) => firstIndex(hidden, (each) => each >= number);
  const numberOf = (row: number) => row + firstIndex(hidden, (each, index) => each - index > row);
  const rowOfNumber = (number: number) => number - hiddenBefore(number);
  return {
    count: Math.max(0, (frame?.size ?? 0) - hidden.length),
    total: Math.max(0, (frame?.size ?? 0) - missing),
    at: (row) => byNumber.get(numberOf(row)),
    rowOf(reportId) {
      const number = numbers.get(reportId);
      return number === undefined ? undefined : rowOfNumber(number);
    },
    loaded,
    unexpected,
    numberOf,
    rowOfNumber,
  };
}

/** The index of the first that fits, in a list where those that fit come last; its length where none does. */
function firstIndex(list: readonly number[], fits: (each: number, index: number) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(list[middle] as number, middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
