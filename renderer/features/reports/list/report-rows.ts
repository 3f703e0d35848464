import type { EventReportItem } from '../../../../shared/api/reports.ts';
import type { ReportKind } from '../../../../shared/team/entries.ts';
import { deletionsKeyOf, type Tombstones } from '../../../api/reports/deleted-reports.ts';
import { useConsole, useServer } from '../../../console-context.ts';
import { useStoreValue } from '../../../subscribers.ts';

/** A list of any length, of which a part is loaded. */
export type ReportRows<Report = EventReportItem> = {
  count: number;
  /** Returns the report in a row if it is loaded. */
  at(row: number): Report | undefined;
  /** Returns the row of a report if it is known. */
  rowOf(reportId: number): number | undefined;
  loaded: readonly Report[];
  /** Returns the row that a report has or would have; undefined while that isn't known. Without it, ids are in order. */
  placeOf?(reportId: number): number | undefined;
  /** Returns whether the filters certainly leave a report out. */
  isLeftOut?(reportId: number): boolean;
  /** Reads on until the row of this report and the one after it are known. */
  seek?(reportId: number): void;
  /** Loads these rows, which are on screen, and their neighbors. */
  look(first: number, last: number): void;
};

/** Rows by report id, indexed on the first lookup: there can be very many. */
export function rowsOf(reports: readonly { id: number }[]): Pick<ReadonlyMap<number, number>, 'get' | 'has'> {
  let rows: Map<number, number> | undefined;
  const all = () => (rows ??= new Map(reports.map(({ id }, row) => [id, row])));
  return { get: (id) => all().get(id), has: (id) => all().has(id) };
}

/** Returns the row that a report has or would have; the first if it is left out and nothing after it is loaded. */
export function placeIn<Report extends { id: number }>(
  rows: ReportRows<Report>,
  id: number,
): number | undefined {
  if (rows.placeOf) return rows.placeOf(id);
  const row = rows.rowOf(id) ?? rowAfter(id, rows);
  const isNothingThere = row === undefined || row >= rows.count;
  return isNothingThere && rows.isLeftOut?.(id) ? 0 : row;
}

/** Returns the row that took the place of a report that is no longer in the list. */
function rowAfter<Report extends { id: number }>(id: number, rows: ReportRows<Report>): number | undefined {
  const { loaded } = rows;
  const [first, last] = [loaded[0], loaded.at(-1)];
  if (!first || !last) return undefined;
  const isAfter = (other: Report) => (first.id < last.id ? other.id > id : other.id < id);
  const next = loaded.find(isAfter);
  if (!next) return loaded.length === rows.count ? rows.count : undefined;
  const row = rows.rowOf(next.id);
  // The loaded rows can begin after it.
  return row === 0 || (row !== undefined && rows.at(row - 1)) ? row : undefined;
}

/**
 * Returns the first row from one on, up to an end, whose report fits. `isKnown` is false where a report that isn't
 * loaded comes first.
 */
export function firstFitting<Report>(
  rows: Pick<ReportRows<Report>, 'at'>,
  start: number,
  end: number,
  fits: (report: Report) => boolean,
): { row: number; isKnown: boolean } | undefined {
  for (let row = start; row < end; row++) {
    const report = rows.at(row);
    if (!report) return { row, isKnown: false };
    if (fits(report)) return { row, isKnown: true };
  }
  return undefined;
}

/** The reports of a kind that are deleted, or about to be. */
export function useTombstones(of: ReportKind): Tombstones {
  const { deletedReports } = useConsole();
  const key = deletionsKeyOf(useServer().id, of);
  return useStoreValue(deletedReports, () => deletedReports.of(key));
}
