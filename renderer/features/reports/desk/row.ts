/** What every row of a list of reports is given, whatever they are on. */
import type { MouseEvent } from 'react';
import type { ReportState } from '../../../team/entries.ts';
import { beginning } from '../../../words/beginning.ts';

/** In CSS pixels. */
export const rowHeight = 74;

export const rowId = (reportId: number) => `report-${reportId}`;

export type RowProps<Report> = {
  report: Report;
  position: number;
  total: number;
  current: boolean;
  selected: boolean;
  /** Undefined while the marks aren't known. */
  state: ReportState | undefined;
  /** Where it is drawn, in pixels from the rows' common beginning. */
  start: number;
  /** Whether the server is asked for how many other reports there are: not while rows only scroll by. */
  counted: boolean;
  onPress: (reportId: number, event: MouseEvent) => void;
  onToggle: (reportId: number) => void;
};

/** Enough of a reason for one line; the rest would only slow the list down. */
export function firstLine(reason: string | null): string | undefined {
  const line = reason?.trimStart().split('\n', 1)[0] ?? '';
  return beginning(line, 300) || undefined;
}
