import { i18n } from '@lingui/core';
import { useRef, useState } from 'react';
import { Type } from 'typebox';
import { Dictionary } from '../../../shared/api/common.ts';
import { type Answers, leaveAfterwards, takePower, tellRoom } from '../../../shared/team/action-inputs.ts';
import { useServer } from '../../console-context.ts';
import type { Server } from '../../transport/server.ts';
import { number } from '../../words/format.ts';
import {
  type Action,
  type Field,
  type Form,
  type ItemState,
  markReviewed,
  reviewsByActing,
} from '../action.ts';

export const initialFields = (
  server: Server,
  { fields = [], steps = [] }: Action,
  known: ItemState,
): Answers['fields'] => ({
  [takePower]: false,
  [leaveAfterwards]: true,
  [tellRoom]: false,
  [markReviewed]: reviewsByActing(server).read(),
  ...Object.fromEntries(fields.map((field) => [field.name, initially(field, known, server)])),
  ...Object.fromEntries(
    Object.entries(chosenSteps(server).read()).filter(([name]) => steps.some(({ id }) => id === name)),
  ),
});

/** Key of the choice to resolve other reports. */
const furtherMarks = 'further-reports';

/** Returns the last choice; by default, actions of several steps resolve other reports. */
export const areFurtherIncluded = (server: Server, { steps }: Action): boolean =>
  steps !== undefined && (chosenSteps(server).read()[furtherMarks] ?? true);

/** Stores the chosen steps for the next time, without those that weren't offered. @param further if it was offered */
export function keepChosen(
  server: Server,
  { steps = [] }: Action,
  fields: Answers['fields'],
  shown: readonly Field[],
  further: boolean | undefined,
) {
  const chosen = steps
    .filter(({ id }) => shown.some(({ name }) => name === id))
    .map(({ id }): [string, boolean] => [id, fields[id] === true]);
  const kept = chosenSteps(server);
  kept.write({
    ...kept.read(),
    ...Object.fromEntries(chosen),
    ...(further !== undefined && { [furtherMarks]: further }),
  });
}

function initially(field: Field, known: ItemState, server: Server): string | number | boolean {
  if ('initial' in field && field.initial !== undefined) {
    return typeof field.initial === 'function' ? field.initial(known, server) : field.initial;
  }
  return 'from' in field ? (field.from?.(known) ?? '') : '';
}

/** Drops fields that are hidden or unchanged: unchanged values may be outdated. */
export const onlyShown = (
  { server, fields, known }: Form,
  all: readonly Field[] = [],
  shown: readonly Field[],
): Answers['fields'] =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => {
      const field = all.find((one) => one.name === name);
      return (
        !field || (shown.includes(field) && !('from' in field && value === initially(field, known, server)))
      );
    }),
  );

/** Returns the visible fields. */
export const shownFields = (fields: readonly Field[] = [], form: Form): Field[] =>
  fields.filter((field) => field.isShown?.(form) !== false);

/** Returns the error message for a field; empty if valid. */
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

/** The last choices on this server, by step ID. */
const chosenSteps = ({ id, deviceStorage }: Server) =>
  deviceStorage.open(`gatehouse.actions.steps.${id}`, Dictionary(Type.Boolean()), {});

/** Chosen images by field name. Uploaded on confirmation, so that cancelling leaves nothing on the server. */
export function useChosenPictures() {
  const server = useServer();
  const [chosen, setChosen] = useState<ReadonlyMap<string, File>>(new Map());
  /** URIs uploaded for a failed attempt. */
  const addresses = useRef(new WeakMap<File, string>());
  return {
    of: (field: string) => chosen.get(field),
    choose(field: string, picture: File | undefined) {
      const next = new Map(chosen);
      if (picture) next.set(field, picture);
      else next.delete(field);
      setChosen(next);
    },
    /** Uploads the images. Returns their mxc URIs. Throws `ConnectionFailure`. */
    async upload(): Promise<Record<string, string>> {
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
