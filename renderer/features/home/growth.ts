import type { Bin } from '../../components/plot/day-bins.ts';

const hour = 3_600_000;
const day = 24 * hour;
const daysShown = 30;

/** Fewer new accounts in a day are never unusual. */
const minUnusual = 10;
const unusualFactor = 4;
/** With fewer days of history, growth is normal: the server is being set up. */
const minHistoryDays = 3;

export type Growth = {
  /** One bin per day of the local calendar, oldest first; only days whose accounts were loaded. */
  bins: Bin[];
  /** The start of a day that had more accounts than were loaded. */
  cutDay: number | undefined;
  lastDay: number;
  /** Whether the last day had more than these, which are all within it. */
  atLeast: boolean;
  isUnusual: boolean;
};

/**
 * Counts new accounts per day and compares the last 24 hours with the days before.
 *
 * @param created creation times in milliseconds, newest first
 * @param isAll whether there are no older accounts
 */
export function growthOf(created: readonly number[], isAll: boolean, now: number): Growth {
  const oldest = created.at(-1) ?? now;
  const coveredMs = isAll ? daysShown * day : Math.min(daysShown * day, now - oldest);
  const bins = dayBins(now, coveredMs).map((bin) => ({
    ...bin,
    count: created.filter((at) => at >= bin.from && at < bin.to).length,
  }));
  const first = bins[0]?.from ?? now;
  const lastDay = created.filter((at) => at > now - day).length;
  const historyMs = Math.min(daysShown * day, now - oldest);
  const before = created.filter((at) => at <= now - day && at >= now - historyMs).length;
  const historyDays = historyMs / day - 1;
  const atLeast = !isAll && historyDays < 0;
  const isNewServer = isAll && historyDays < minHistoryDays;
  const averagePerDay = before / Math.max(1, historyDays);
  return {
    bins,
    cutDay: !isAll && oldest > first ? first : undefined,
    lastDay,
    atLeast,
    isUnusual: atLeast || (!isNewServer && lastDay >= minUnusual && lastDay > averagePerDay * unusualFactor),
  };
}

/** Returns empty bins for the covered days, today last. */
function dayBins(now: number, coveredMs: number): Bin[] {
  const today = new Date(now);
  const start = (back: number) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - back).getTime();
  const oldest = now - coveredMs;
  let days = 1;
  while (days < daysShown && start(days - 1) > oldest) days++;
  return Array.from({ length: days }, (_, index) => {
    const back = days - 1 - index;
    return { from: start(back), to: start(back - 1), count: 0 };
  });
}
