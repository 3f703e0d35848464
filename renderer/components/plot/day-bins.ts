export type Unit = 'day' | 'week' | 'month';
/** From `from` to before `to`, in milliseconds since the Unix epoch. */
export type Bin = { from: number; to: number; count: number };

const maxBins = 92;

/** Counts times, in milliseconds, by day, week or month of the local calendar: the finest unit that fits. */
export function binsOf(timestamps: readonly number[]): { unit: Unit; bins: Bin[] } {
  const times = timestamps.filter((time) => Math.abs(time) < 8e15);
  if (times.length === 0) return { unit: 'day', bins: [] };
  const first = times.reduce((least, time) => Math.min(least, time));
  const last = times.reduce((most, time) => Math.max(most, time));
  const unit =
    last - first < maxBins * 86_400_000 ? 'day' : last - first < maxBins * 7 * 86_400_000 ? 'week' : 'month';
  const bins: Bin[] = [];
  // A hostile clock can be thousands of years off: older times count in the first bin.
  for (let to = nextStart(unit, startOf(unit, last)); bins.length < maxBins && to > first; ) {
    const from = startOf(unit, to - 1);
    bins.unshift({ from, to, count: 0 });
    to = from;
  }
  for (const time of times) {
    const bin = bins.findLast(({ from }) => time >= from) ?? bins[0];
    if (bin) bin.count++;
  }
  return { unit, bins };
}

function startOf(unit: Unit, time: number): number {
  const date = new Date(time);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  if (unit === 'month') return new Date(year, month, 1).getTime();
  // Weeks begin on Monday.
  if (unit === 'week') return new Date(year, month, day - ((date.getDay() + 6) % 7)).getTime();
  return new Date(year, month, day).getTime();
}

function nextStart(unit: Unit, start: number): number {
  const date = new Date(start);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  if (unit === 'month') return new Date(year, month + 1, 1).getTime();
  return new Date(year, month, day + (unit === 'week' ? 7 : 1)).getTime();
}
