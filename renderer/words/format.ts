/** Numbers, dates and lists as the person who reads them writes them. */
import { i18n } from '@lingui/core';

const formats = new Map<string, unknown>();

/** One format a language and kind: making them is slow. */
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

export const byteFormat = (unit: 'kilobyte' | 'megabyte' | 'gigabyte') =>
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
