import type { JumpTarget } from '../JumpMenu.tsx';
import { momentOfDay } from './moment-of-day.ts';
import type { ReportListState } from './use-report-list.ts';

/** The row of a place in the list, or of a day; undefined where there is none. */
export async function rowOfTarget(target: JumpTarget, list: ReportListState): Promise<number | undefined> {
  const { rows, framed, dir } = list;
  if (rows.count === 0) return undefined;
  if (target === 'start') return 0;
  if (target === 'end') return rows.count - 1;
  if (target === 'middle') return Math.floor(rows.count / 2);
  const moment = momentOfDay(target.day, dir);
  const row = moment && (await framed.find(moment));
  return row === undefined ? undefined : Math.min(rows.count - 1, Math.max(0, row));
}
