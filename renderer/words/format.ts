/** Formats numbers, sizes, dates and lists for the person's language. */
import { i18n } from '@lingui/core';

const formats = new Map<string, unknown>();

/** One format per language and kind: making them is slow. */
function format<Format>(kind: string, make: (locales: string[]) => Format): Format {
  const locales = [i18n.locales ?? []].flat();
  const key = `${locales} ${kind}`;
  if (!formats.has(key)) formats.set(key, make(locales));
  return formats.get(key) as Format;
}

export const number = (value: number) => format('number', (of) => new Intl.NumberFormat(of)).format(value);

export const list = (items: readonly string[]) =>
  format('list', (of) => new Intl.ListFormat(of, { type: 'conjunction' })).format(items);

/** The date and the time of a moment, in full. */
export const fullTime = (date: Date) =>
  format('full', (of) => new Intl.DateTimeFormat(of, { dateStyle: 'full', timeStyle: 'medium' })).format(
    date,
  );

/** A day, short enough for an axis. */
export const shortDay = (date: Date) =>
  Number.isNaN(date.getTime())
    ? ''
    : format('day', (of) => new Intl.DateTimeFormat(of, { dateStyle: 'medium' })).format(date);

export const weekday = (date: Date) =>
  format('weekday', (of) => new Intl.DateTimeFormat(of, { weekday: 'long' })).format(date);

/** `today`, and `yesterday` for -1. */
export const wordOfDay = (days: number) => relativeTimeFormat('long').format(days, 'day');

/** Short enough for an axis; `medium` has seconds. */
export const mediumTimeFormat = (timeStyle: 'short' | 'medium' = 'short') =>
  format(timeStyle, (of) => new Intl.DateTimeFormat(of, { dateStyle: 'medium', timeStyle }));

export const relativeTimeFormat = (style: 'narrow' | 'long') =>
  format(
    `relative ${style}`,
    // “8m ago” is what people write in English; the narrow form of other languages reads like something else.
    (of) =>
      new Intl.RelativeTimeFormat(of, {
        style: style === 'narrow' && !of[0]?.startsWith('en') ? 'short' : style,
        numeric: style === 'long' ? 'auto' : 'always',
      }),
  );

const byteFormat = (unit: 'kilobyte' | 'megabyte' | 'gigabyte') =>
  format(
    unit,
    (of) =>
      new Intl.NumberFormat(of, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 }),
  );

const roundings = { nearest: 'halfExpand', below: 'floor' } as const;

/**
 * `999`, `12K`: as much as there is room for in a badge. Languages that write thousands out take the letters of SI.
 *
 * @param rounding to the nearest, or to one that is not more than it
 */
export function compact(value: number, rounding: keyof typeof roundings = 'nearest'): string {
  const compactFormat = (locales: string[]) =>
    new Intl.NumberFormat(locales, {
      notation: 'compact',
      maximumFractionDigits: 0,
      roundingMode: roundings[rounding],
    });
  const own = format(`compact ${rounding}`, compactFormat).format(value);
  if (own.length <= 4) return own;
  return format(`compact in letters ${rounding}`, () => compactFormat(['en-GB'])).format(value);
}

/** A number of bytes as people say it: `940 B`, `60 kB`, `1.4 MB`, `12 GB`. */
export function byteSize(bytes: number): string {
  if (bytes < 1000) return `${number(bytes)} B`;
  if (bytes < 1_000_000) return byteFormat('kilobyte').format(Math.round(bytes / 1000));
  if (bytes < 1_000_000_000) return byteFormat('megabyte').format(bytes / 1_000_000);
  return byteFormat('gigabyte').format(bytes / 1_000_000_000);
}

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

const units = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** `3h ago`, `in 2d`; written out where there is room. Both times in milliseconds. */
export function relativeTime(timestamp: number, now: number, style: 'narrow' | 'long'): string {
  const distance = timestamp - now;
  const unit = units.find(([, length]) => Math.abs(distance) >= length);
  // What happened a moment ago can lie ahead of a clock that is read every few seconds.
  if (!unit) return distance > 20_000 ? i18n.t('in a moment') : i18n.t('just now');
  const [name, length] = unit;
  return relativeTimeFormat(style).format(Math.trunc(distance / length), name);
}

export function exactTime(timestamp: number): string {
  const date = new Date(timestamp);
  return Number.isNaN(date.getTime()) ? i18n.t('invalid time: {timestamp}', { timestamp }) : fullTime(date);
}

/** As a `datetime-local` field wants it: by the person's clock, to the second or the minute; empty for what is no time. */
export function localTime(timestamp: number | undefined, to: 'second' | 'minute'): string {
  if (timestamp === undefined) return '';
  const shifted = new Date(timestamp - new Date(timestamp).getTimezoneOffset() * 60_000);
  return Number.isNaN(shifted.getTime()) ? '' : shifted.toISOString().slice(0, to === 'second' ? 19 : 16);
}

const timeOfDay = (timeStyle: 'short' | 'medium') =>
  format(`time ${timeStyle}`, (of) => new Intl.DateTimeFormat(of, { timeStyle }));

/** The time of day, to the minute. */
export const clock = (time: number) => timeOfDay('short').format(time);

/** The same to the second. */
export const clockWithSeconds = (time: number) => timeOfDay('medium').format(time);
