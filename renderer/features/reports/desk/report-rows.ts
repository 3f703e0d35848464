import type { EventReportItem } from '../../../../shared/api/event-reports.ts';

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
