import { i18n } from '@lingui/core';
import { useRef, useState } from 'react';
import { Type } from 'typebox';
import { Dictionary } from '../../../shared/api/common.ts';
import { useServer } from '../../console-context.ts';
import type { Server } from '../../transport/server.ts';
import { number } from '../../words/format.ts';
import {
  type Action,
  type Answers,
  type Field,
  type Form,
  type Known,
  markReviewed,
  reviewsByActing,
  tellRoom,
} from '../action.ts';
import { leaveAfterwards, takePower } from '../power.ts';

// What a panel asks for beside the reason, and what of that is an answer.

/** What stands in the fields when the panel opens. */
export const initialFields = (
  server: Server,
  { fields = [], steps = [] }: Action,
  known: Known,
): Answers['fields'] => ({
  [takePower]: false,
  [leaveAfterwards]: true,
  [tellRoom]: false,
  [markReviewed]: reviewsByActing(server).read(),
  ...Object.fromEntries(fields.map((field) => [field.name, initially(field, known)])),
  ...Object.fromEntries(
    Object.entries(chosenSteps(server).read()).filter(([name]) => steps.some(({ id }) => id === name)),
  ),
});

/** Whether other reports are marked, among the steps that were chosen last. */
const furtherMarks = 'further-reports';

/** Where nobody has said otherwise the last time, what is done in several steps is done about all reports. */
export const areFurtherWanted = (server: Server, { steps }: Action): boolean =>
  steps !== undefined && (chosenSteps(server).read()[furtherMarks] ?? true);

/** The next time the same steps are chosen. What there was no asking for stays as it was. */
export function keepChosen(
  server: Server,
  { steps = [] }: Action,
  fields: Answers['fields'],
  asked: readonly Field[],
  further: boolean,
) {
  const chosen = steps
    .filter(({ id }) => asked.some(({ name }) => name === id))
    .map(({ id }): [string, boolean] => [id, fields[id] === true]);
  const kept = chosenSteps(server);
  kept.write({ ...kept.read(), ...Object.fromEntries(chosen), [furtherMarks]: further });
}

function initially(field: Field, known: Known): string | number | boolean {
  if ('initial' in field) return field.initial;
  return 'from' in field ? (field.from?.(known) ?? '') : '';
}

/** What was asked for at another time is no answer now; nor is what stood there and was left, which may be outdated. */
export const withoutUnasked = (
  { fields, known }: Form,
  all: readonly Field[] = [],
  asked: readonly Field[],
): Answers['fields'] =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => {
      const field = all.find((one) => one.name === name);
      return !field || (asked.includes(field) && !('from' in field && value === initially(field, known)));
    }),
  );

// What keeps a form from being sent.

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

/** The steps of an action that were last chosen on this server, by ID. */
const chosenSteps = ({ id, kept }: Server) =>
  kept.open(`gatehouse.actions.steps.${id}`, Dictionary(Type.Boolean()), {});

/**
 * Pictures that a person chose for a panel's fields, by the field's name. They go to the server when the panel is
 * confirmed: of one that is cancelled nothing stays there.
 */
export function useChosenPictures() {
  const server = useServer();
  const [chosen, setChosen] = useState<ReadonlyMap<string, File>>(new Map());
  /** Where those are that were put there for an attempt that failed. */
  const addresses = useRef(new WeakMap<File, string>());
  return {
    of: (field: string) => chosen.get(field),
    choose(field: string, picture: File | undefined) {
      const next = new Map(chosen);
      if (picture) next.set(field, picture);
      else next.delete(field);
      setChosen(next);
    },
    /** Puts them on the server, each once, and gives their addresses. Throws `ConnectionFailure`. */
    async put(): Promise<Record<string, string>> {
      const put: Record<string, string> = {};
      for (const [field, picture] of chosen) {
        const address = addresses.current.get(picture) ?? (await server.upload(picture));
        addresses.current.set(picture, address);
        put[field] = address;
      }
      return put;
    },
  };
}
