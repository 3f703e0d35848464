import type { EventReportItem } from '../../shared/api/event-reports.ts';
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
 * How many reports stand before a moment, by halving what is between `least` and `most`, which it must be
 * within: a hundred thousand take a dozen requests, each for a report or two.
 */
export async function countBefore(
  ask: AskReports,
  dir: EventReportOrder,
  moment: Moment,
  least: number,
  most: number,
): Promise<number> {
  let [low, high] = [least, most];
  while (high - low > reportsPerPage) {
    const middle = Math.floor((low + high) / 2);
    const [report] = (await ask({ dir, from: middle, limit: 1 })).event_reports;
    if (report && isBefore(dir, report, moment)) low = middle + 1;
    else high = middle;
  }
  if (high === low) return low;
  const { event_reports: rest } = await ask({ dir, from: low, limit: high - low });
  const index = rest.findIndex((report) => !isBefore(dir, report, moment));
  return low + (index === -1 ? rest.length : index);
}
