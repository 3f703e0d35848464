const units = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

const formats = {
  narrow: new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'narrow' }),
  long: new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' }),
};

/** `3h ago`, `in 2d`; written out where there is room. Both times in milliseconds. */
export function relativeTime(timestamp: number, now: number, style: keyof typeof formats): string {
  const distance = timestamp - now;
  const unit = units.find(([, length]) => Math.abs(distance) >= length);
  // What happened a moment ago can lie ahead of a clock that is read every few seconds.
  if (!unit) return distance > 20_000 ? 'in a moment' : 'just now';
  const [name, length] = unit;
  return formats[style].format(Math.trunc(distance / length), name);
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });

export function exactTime(timestamp: number): string {
  const date = new Date(timestamp);
  return Number.isNaN(date.getTime()) ? `not a time: ${timestamp}` : exact.format(date);
}
