import { i18n } from '@lingui/core';
import { fullTime, relativeTimeFormat } from '../words/format.ts';

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
