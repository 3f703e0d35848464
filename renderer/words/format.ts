/** Formats numbers, sizes, dates and lists in the user's locale. */
import { i18n } from '@lingui/core';

const formats = new Map<string, unknown>();

/** Cached: constructing formats is slow. */
function format<Format>(kind: string, create: (locales: string[]) => Format): Format {
  const locales = [i18n.locales ?? []].flat();
  const key = `${locales} ${kind}`;
  if (!formats.has(key)) formats.set(key, create(locales));
  return formats.get(key) as Format;
}

export const number = (value: number) => format('number', (of) => new Intl.NumberFormat(of)).format(value);

export const list = (items: readonly string[]) =>
  format('list', (of) => new Intl.ListFormat(of, { type: 'conjunction' })).format(items);

/** Date and time in full. */
export const fullTime = (date: Date) =>
  format('full', (of) => new Intl.DateTimeFormat(of, { dateStyle: 'full', timeStyle: 'medium' })).format(
    date,
  );

export const shortDay = (date: Date) =>
  Number.isNaN(date.getTime())
    ? ''
    : format('day', (of) => new Intl.DateTimeFormat(of, { dateStyle: 'medium' })).format(date);

/** Formats a day without its year. */
export const dayOfYear = (date: Date) =>
  format('day of year', (of) => new Intl.DateTimeFormat(of, { day: 'numeric', month: 'short' })).format(date);

export const weekday = (date: Date) =>
  format('weekday', (of) => new Intl.DateTimeFormat(of, { weekday: 'long' })).format(date);

/** `today` for 0, `yesterday` for -1. */
export const relativeDay = (days: number) => longDistance(days, 'day');

/** `medium` includes seconds. */
export const mediumTimeFormat = (timeStyle: 'short' | 'medium' = 'short') =>
  format(timeStyle, (of) => new Intl.DateTimeFormat(of, { dateStyle: 'medium', timeStyle }));

const relativeTimeFormat = (style: 'narrow' | 'short' | 'long') =>
  format(
    `relative ${style}`,
    (of) => new Intl.RelativeTimeFormat(of, { style, numeric: style === 'long' ? 'auto' : 'always' }),
  );

export const longDistance = (count: number, unit: Intl.RelativeTimeFormatUnit) =>
  relativeTimeFormat('long').format(count, unit);

/** Formats `8m ago` for lists. Other languages have no such form: there `8 Min.`, and `in 8 Min.` for the future. */
export function shortDistance(count: number, unit: Intl.RelativeTimeFormatUnit): string {
  if (i18n.locale.startsWith('de')) {
    return count > 0
      ? relativeTimeFormat('short').format(count, unit)
      : format(
          `age ${unit}`,
          (of) => new Intl.NumberFormat(of, { style: 'unit', unit, unitDisplay: 'short' }),
        ).format(-count);
  }
  return relativeTimeFormat('narrow').format(count, unit);
}

const spanUnits = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Formats a duration in milliseconds in its largest unit, such as `1.5 hr`. */
export function timeSpan(durationMs: number): string {
  const [unit, ms] = spanUnits.find(([, size]) => durationMs >= size) ?? ['minute', 60_000];
  return format(
    `span ${unit}`,
    (of) =>
      new Intl.NumberFormat(of, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 }),
  ).format(durationMs / ms);
}

const byteFormat = (unit: 'kilobyte' | 'megabyte' | 'gigabyte') =>
  format(
    unit,
    (of) =>
      new Intl.NumberFormat(of, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 }),
  );

const roundingModes = { nearest: 'halfExpand', below: 'floor' } as const;

/**
 * Formats a number for a badge: `999`, `12K`. Languages without a short form use SI letters.
 *
 * @param rounding `below` never exceeds the value
 */
export function compact(value: number, rounding: keyof typeof roundingModes = 'nearest'): string {
  const compactFormat = (locales: string[]) =>
    new Intl.NumberFormat(locales, {
      notation: 'compact',
      maximumFractionDigits: 0,
      roundingMode: roundingModes[rounding],
    });
  const localized = format(`compact ${rounding}`, compactFormat).format(value);
  if (localized.length <= 4) return localized;
  return format(`compact in letters ${rounding}`, () => compactFormat(['en-GB'])).format(value);
}

/** Formats a size: `940 B`, `60 kB`, `1.4 MB`, `12 GB`. */
export function byteSize(bytes: number): string {
  if (bytes < 1000) return `${number(bytes)} B`;
  if (bytes < 1_000_000) return byteFormat('kilobyte').format(Math.round(bytes / 1000));
  if (bytes < 1_000_000_000) return byteFormat('megabyte').format(bytes / 1_000_000);
  return byteFormat('gigabyte').format(bytes / 1_000_000_000);
}

/** Days as in fields and URLs, `2026-03-01`, in the local calendar. */

const length = 24 * 60 * 60 * 1000;

/** Returns the time in milliseconds since the Unix epoch; undefined for an invalid day. */
export function startOfDay(day: string | undefined): number | undefined {
  const time = day === undefined ? Number.NaN : new Date(`${day}T00:00`).getTime();
  return Number.isNaN(time) ? undefined : time;
}

/** Returns the last millisecond of a day. */
export function endOfDay(day: string | undefined): number | undefined {
  const start = startOfDay(day);
  if (start === undefined) return undefined;
  // Days have 23 to 25 hours.
  const next = startOfDay(dayOf(start + 1.5 * length));
  return next === undefined ? undefined : next - 1;
}

export function dayOf(time: number): string {
  const date = new Date(time);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}

/** Formats local time for a `datetime-local` field; empty for an invalid time. */
export function localTime(timestamp: number | undefined, to: 'second' | 'minute'): string {
  if (timestamp === undefined) return '';
  const shifted = new Date(timestamp - new Date(timestamp).getTimezoneOffset() * 60_000);
  return Number.isNaN(shifted.getTime()) ? '' : shifted.toISOString().slice(0, to === 'second' ? 19 : 16);
}

const timeOfDay = (timeStyle: 'short' | 'medium') =>
  format(`time ${timeStyle}`, (of) => new Intl.DateTimeFormat(of, { timeStyle }));

export const clock = (time: number) => timeOfDay('short').format(time);

export const clockWithSeconds = (time: number) => timeOfDay('medium').format(time);
