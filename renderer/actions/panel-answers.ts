/** What a panel asks for beside the reason, and what of that is an answer. */
import type { Server } from '../transport/server.ts';
import type { Action, Answers, Field, Form, Known } from './action.ts';
import { chosenSteps } from './chosen-steps.ts';
import { leaveAfterwards, takePower } from './power.ts';
import { tellRoom } from './public-reason.ts';
import { markReviewed, reviewsByActing } from './reviewed-by-acting.ts';

/** What stands in the fields when the panel opens. */
export const initialFields = (
  server: Server,
  { fields = [], steps = [] }: Action,
  known: Known,
): Answers['fields'] => ({
  [takePower]: false,
  [leaveAfterwards]: true,
  [tellRoom]: false,
  [markReviewed]: reviewsByActing().read(),
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
