import type { EventReportItem } from '../../shared/api/reports.ts';
import type { AskReports, EventReportOrder } from './event-reports.ts';
import { reportsPerPage } from './event-reports.ts';

/** Where a report stands in the order of time; of one millisecond, the later has the higher number. */
export type Moment = Pick<EventReportItem, 'received_ts' | 'id'>;

export const isNewer = (one: Moment, other: Moment) =>
  one.received_ts > other.received_ts || (one.received_ts === other.received_ts && one.id > other.id);

/** Whether one stands before the other in a list of this order. */
export const isBefore = (dir: EventReportOrder, one: Moment, other: Moment) =>
  dir === 'b' ? isNewer(one, other) : isNewer(other, one);

/**
 * How many reports stand before a moment; it must be from `least` to `most`. Reports come evenly enough that
 * their times tell where to look, and where they don't, every other step halves what is left: a few requests
 * for a hundred thousand, each for a short run.
 */
export async function countBefore(
  ask: AskReports,
  dir: EventReportOrder,
  moment: Moment,
  least: number,
  most: number,
): Promise<number> {
  let [low, high] = [least, most];
  let lowTime: number | undefined;
  let highTime: number | undefined;
  for (let isHalving = true; high > low; isHalving = !isHalving) {
    const share =
      isHalving || lowTime === undefined || highTime === undefined || lowTime === highTime
        ? 0.5
        : (moment.received_ts - lowTime) / (highTime - lowTime);
    const guess = low + Math.floor((high - low) * share) - reportsPerPage / 2;
    const from = Math.max(low, Math.min(high - reportsPerPage, guess));
    const { event_reports: run } = await ask({ dir, from, limit: Math.min(reportsPerPage, high - from) });
    const index = run.findIndex((report) => !isBefore(dir, report, moment));
    if (index > 0 || (index === 0 && from === low)) return from + index;
    if (index === 0 || run.length === 0) {
      high = from;
      highTime = run[0]?.received_ts;
    } else {
      low = from + run.length;
      lowTime = run.at(-1)?.received_ts;
    }
  }
  return low;
}
