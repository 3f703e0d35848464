/** Days as fields and addresses write them, `2026-03-01`, by the person's calendar. */

const length = 24 * 60 * 60 * 1000;

/** In milliseconds since the Unix epoch; undefined where there is no such day. */
export function startOfDay(day: string | undefined): number | undefined {
  const time = day === undefined ? Number.NaN : new Date(`${day}T00:00`).getTime();
  return Number.isNaN(time) ? undefined : time;
}

/** The last millisecond of a day. */
export function endOfDay(day: string | undefined): number | undefined {
  const start = startOfDay(day);
  if (start === undefined) return undefined;
  // A day may have 23 or 25 hours.
  const next = startOfDay(dayOf(start + 1.5 * length));
  return next === undefined ? undefined : next - 1;
}

export function dayOf(time: number): string {
  const date = new Date(time);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}
