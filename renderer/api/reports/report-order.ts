import { type AskReports, type ReportOrder, reportsPerPage } from './report-source.ts';

/** A position in the order of time. Reports of the same millisecond are ordered by id. */
export type Moment = { received_ts: number; id: number };

export const isNewer = (one: Moment, other: Moment) =>
  one.received_ts > other.received_ts || (one.received_ts === other.received_ts && one.id > other.id);

/** Returns whether one comes before the other in a list of this order. */
export const isBefore = (dir: ReportOrder, one: Moment, other: Moment) =>
  dir === 'b' ? isNewer(one, other) : isNewer(other, one);

/**
 * Returns how many reports come before a moment; the result is from `least` to `most`. Interpolates between known times,
 * as reports arrive fairly evenly, and bisects at every other step: a few short requests for a hundred thousand.
 */
export async function countBefore(
  ask: AskReports<Moment>,
  dir: ReportOrder,
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
