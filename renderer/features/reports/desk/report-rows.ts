import { useSyncExternalStore } from 'react';
import type { EventReportItem } from '../../../../shared/api/reports.ts';
import type { Tombstones } from '../../../api/deleted-reports.ts';
import { useConsole, useServer } from '../../../console-context.ts';
import type { ReportKind } from '../../../team/entries.ts';

/** A list of reports as the screen walks through it: any length, of which a part is loaded. */
export type ReportRows<Report = EventReportItem> = {
  /** So many rows the scroll bar stands for. */
  count: number;
  /** The report in a row, where it is loaded. */
  at(row: number): Report | undefined;
  /** The row of a report, where that is known. */
  rowOf(reportId: number): number | undefined;
  /** What is loaded, in its order. */
  loaded: readonly Report[];
  /**
   * The row that a report has, or would have if it were in the list: undefined while that isn't known. Left out where
   * its number says as much.
   */
  placeOf?(reportId: number): number | undefined;
  /** Whether the filters leave it out for certain: left out where a list can't tell. */
  isLeftOut?(reportId: number): boolean;
  /** Looks on until the place of this report is known, and what comes after it; left out where it comes by itself. */
  seek?(reportId: number): void;
  /** Says which rows are on screen: these are loaded, with their neighbours. */
  look(first: number, last: number): void;
};

/** The rows of reports by their numbers, which are put down once one of them is asked for: there can be very many. */
export function rowsOf(reports: readonly { id: number }[]): Pick<ReadonlyMap<number, number>, 'get' | 'has'> {
  let rows: Map<number, number> | undefined;
  const all = () => (rows ??= new Map(reports.map(({ id }, row) => [id, row])));
  return { get: (id) => all().get(id), has: (id) => all().has(id) };
}

/** The row that a report has, or would have; where the list leaves it out and has nothing after it, or that is far, the first. */
export function placeIn<Report extends { id: number }>(
  rows: ReportRows<Report>,
  id: number,
): number | undefined {
  if (rows.placeOf) return rows.placeOf(id);
  const row = rows.rowOf(id) ?? rowAfter(id, rows);
  const isNothingThere = row === undefined || row >= rows.count;
  return isNothingThere && rows.isLeftOut?.(id) ? 0 : row;
}

/** The row that took the place of a report that the list no longer shows, as far as it is loaded. */
function rowAfter<Report extends { id: number }>(id: number, rows: ReportRows<Report>): number | undefined {
  const { loaded } = rows;
  const [first, last] = [loaded[0], loaded.at(-1)];
  if (!first || !last) return undefined;
  const isAfter = (other: Report) => (first.id < last.id ? other.id > id : other.id < id);
  const next = loaded.find(isAfter);
  // The last of all has nothing after it.
  if (!next) return loaded.length === rows.count ? rows.count : undefined;
  const row = rows.rowOf(next.id);
  // What is loaded can begin behind the place.
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

/** The name under which the console knows what is gone of one kind of reports: each kind has numbers of its own. */
export const graveyardOf = (serverId: string, of: ReportKind) =>
  of === 'report' ? serverId : `${serverId} ${of}`;

/** Which reports of a kind are gone, or about to go. */
export function useTombstones(of: ReportKind): Tombstones {
  const { deletedReports } = useConsole();
  const graveyard = graveyardOf(useServer().id, of);
  return useSyncExternalStore(deletedReports.subscribe, () => deletedReports.of(graveyard));
}
