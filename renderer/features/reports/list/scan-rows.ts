import type { Mark } from '../../../../shared/team/entries.ts';
import { isBefore } from '../../../api/reports/report-order.ts';
import type { AnyReport, ReportOrder } from '../../../api/reports/report-source.ts';
import { filterReports } from './filter.ts';
import type { LeftOut } from './left-out.ts';
import { type ReportRows, rowsOf } from './report-rows.ts';

const noMarks: ReadonlyMap<number, Mark> = new Map();

type Scanned<Report> = {
  /** The matches, in the order of the list. */
  found: readonly Report[];
  /** All reports that were read, in the order of the server's list. */
  scanned: readonly Report[];
  dir: ReportOrder;
  /** The order of the list; undefined if it is the server's. */
  order: Parameters<typeof filterReports>[1]['order'];
  /** The report whose row is searched for, if the list will never contain it. */
  leftOut: LeftOut<Report> | undefined;
  /** Whether more reports will be read to find a row, and whether nothing is known yet. */
  isReading: boolean;
  isUnknown: boolean;
};

type ScanRows<Report> = Omit<ReportRows<Report>, 'look' | 'seek'> & {
  placeOf(reportId: number): number | undefined;
  /** Returns the matches with a report that was read or left out; undefined if it is neither. */
  foundWith(reportId: number): readonly Report[] | undefined;
};

/** The rows of the matches among the reports that a scan has read. */
export function scanRows<Report extends AnyReport>({
  found,
  scanned,
  dir,
  order,
  leftOut,
  isReading,
  isUnknown,
}: Scanned<Report>): ScanRows<Report> {
  const rows = rowsOf(found);

  function foundWith(reportId: number): readonly Report[] | undefined {
    if (rows.has(reportId)) return found;
    const report =
      scanned.find(({ id }) => id === reportId) ?? (leftOut?.id === reportId ? leftOut.report : undefined);
    if (!report) return undefined;
    const matches = scanned.filter(({ id }) => rows.has(id));
    const before = matches.filter((other) => isBefore(dir, other, report));
    const after = matches.filter((other) => isBefore(dir, report, other));
    return filterReports([...before, report, ...after], { order }, noMarks, () => undefined);
  }

  return {
    count: found.length,
    at: (row) => found[row],
    rowOf: (reportId) => rows.get(reportId),
    loaded: found,
    foundWith,
    placeOf(reportId) {
      const row = rows.get(reportId) ?? foundWith(reportId)?.findIndex(({ id }) => id === reportId);
      const hasNext = row !== undefined && row < found.length;
      // Doesn't wait for a match that comes after it.
      if (leftOut?.id === reportId && found.length > 0) return hasNext ? row : 0;
      if (row !== undefined && (row + 1 < found.length || !isReading)) return row;
      return isReading || isUnknown ? undefined : 0;
    },
  };
}
