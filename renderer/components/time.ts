/** Formats times as words. Not in words/: Lingui doesn't extract messages from the folder of its catalogs. */
import { i18n } from '@lingui/core';
import { fullTime, longDistance, shortDistance } from '../words/format.ts';

const units = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Formats `3h ago`, `in 2d` for lists, or the long form for sentences. Both times in milliseconds. */
export function relativeTime(timestamp: number, now: number, style: 'narrow' | 'long'): string {
  const distance = timestamp - now;
  const unit = units.find(([, length]) => Math.abs(distance) >= length);
  // `now` is read every few seconds, so a recent time can lie ahead of it.
  if (!unit) return distance > 20_000 ? i18n.t('in a moment') : i18n.t('just now');
  const [name, length] = unit;
  const count = Math.trunc(distance / length);
  return style === 'long' ? longDistance(count, name) : shortDistance(count, name);
}

/** Formats date and time in full. */
export function exactTime(timestamp: number): string {
  const date = new Date(timestamp);
  return Number.isNaN(date.getTime()) ? i18n.t('invalid time: {timestamp}', { timestamp }) : fullTime(date);
}
