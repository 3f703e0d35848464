/** What keeps a form from being sent. */
import { i18n } from '@lingui/core';
import { number } from '../words/format.ts';
import type { Field, Form } from './action.ts';

/** The fields that are asked for, as the form stands. */
export const askedOf = (fields: readonly Field[] = [], form: Form): Field[] =>
  fields.filter((field) => field.asked?.(form) !== false);

/** What is wrong with what stands in a field, in the person's language; empty where nothing is. */
export function faultOf(field: Field, form: Form): string {
  const value = String(form.fields[field.name] ?? '').trim();
  if (field.kind === 'number') {
    return /^\d+$/.test(value) && Number(value) >= field.least && Number(value) <= field.most
      ? ''
      : i18n.t('Enter a whole number from {least} to {most}.', {
          least: number(field.least),
          most: number(field.most),
        });
  }
  if ('required' in field && field.required && value === '') return i18n.t('Required');
  const fault = 'faultOf' in field ? field.faultOf?.(value, form) : undefined;
  return fault === undefined ? '' : i18n.t(fault);
}
