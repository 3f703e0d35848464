import { i18n } from '@lingui/core';
import { number } from '../../words/format.ts';

/** Returns why a typed text isn't a whole number of the range; empty if it is. */
export function rangeProblem(value: string, least: number, most: number): string {
  const text = value.trim();
  return /^\d{1,4}$/.test(text) && Number(text) >= least && Number(text) <= most
    ? ''
    : i18n.t('Enter a whole number from {least} to {most}.', { least: number(least), most: number(most) });
}
