/** What grows more than it usually does. */
import type { Bin } from '../../components/plot/day-bins.ts';

const hour = 3_600_000;
const day = 24 * hour;
/** The days that are looked at. */
const daysShown = 30;

/** Fewer in a day are never worth a word. */
const fewest = 10;
/** So many times what is usual is unusual. */
const unusualFactor = 4;
/** With fewer days before there is nothing that is usual: a server that was just set up gets its first accounts. */
const fewestDaysBefore = 3;

export type Growth = {
  /** One bin a day of the person's calendar, the oldest first. */
  bins: Bin[];
  lastDay: number;
  /** Whether there were more in the last day than these: nothing older was looked at. */
  atLeast: boolean;
  unusual: boolean;
};

/**
 * How many accounts were made each day, and whether the last 24 hours were unlike the days before.
 *
 * @param made when, in milliseconds, newest first
 * @param isAll whether there are no older ones than these
 */
export function growthOf(made: readonly number[], isAll: boolean, now: number): Growth {
  const oldest = made.at(-1) ?? now;
  const covered = isAll ? daysShown * day : Math.min(daysShown * day, now - oldest);
  const bins = dayBins(now, covered).map((bin) => ({
    ...bin,
    count: made.filter((at) => at >= bin.from && at < bin.to).length,
  }));
  const lastDay = made.filter((at) => at > now - day).length;
  const known = Math.min(daysShown * day, now - oldest);
  const before = made.filter((at) => at <= now - day && at >= now - known).length;
  const daysBefore = known / day - 1;
  const atLeast = !isAll && daysBefore < 0;
  const isYoung = isAll && daysBefore < fewestDaysBefore;
  const usual = before / Math.max(1, daysBefore);
  return {
    bins,
    lastDay,
    atLeast,
    unusual: atLeast || (!isYoung && lastDay >= fewest && lastDay > usual * unusualFactor),
  };
}

/** The days back to a time, today last. */
function dayBins(now: number, covered: number): Bin[] {
  const today = new Date(now);
  const start = (back: number) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - back).getTime();
  const days = Math.min(daysShown, Math.max(1, Math.floor(covered / day) + 1));
  return Array.from({ length: days }, (_, index) => {
    const back = days - 1 - index;
    return { from: start(back), to: start(back - 1), count: 0 };
  });
}
