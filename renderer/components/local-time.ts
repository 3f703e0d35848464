/** As a `datetime-local` field wants it: by the person's clock, to the second or the minute; empty for what is no time. */
export function localTime(timestamp: number | undefined, to: 'second' | 'minute'): string {
  if (timestamp === undefined) return '';
  const shifted = new Date(timestamp - new Date(timestamp).getTimezoneOffset() * 60_000);
  return Number.isNaN(shifted.getTime()) ? '' : shifted.toISOString().slice(0, to === 'second' ? 19 : 16);
}
