import { i18n } from '@lingui/core';

const formats = new Map<string, Intl.DateTimeFormat>();

function format(timeStyle: 'short' | 'medium'): Intl.DateTimeFormat {
  const locales = [i18n.locales ?? []].flat();
  const key = `${timeStyle} ${locales}`;
  const made = formats.get(key) ?? new Intl.DateTimeFormat(locales, { timeStyle });
  formats.set(key, made);
  return made;
}

/** The time of day, to the minute, as the person who reads it writes it. */
export const clock = (time: number) => format('short').format(time);

/** The same to the second. */
export const clockWithSeconds = (time: number) => format('medium').format(time);
