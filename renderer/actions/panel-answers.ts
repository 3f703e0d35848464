/** What a panel asks for beside the reason, and what of that is an answer. */
import type { Answers, Field, Form, Known } from './action.ts';
import { takePower } from './power.ts';
import { tellRoom } from './public-reason.ts';
import { markReviewed, reviewsByActing } from './reviewed-by-acting.ts';

/** What stands in the fields when the panel opens. */
export const initialFields = (fields: readonly Field[] = [], known: Known): Answers['fields'] => ({
  [takePower]: true,
  [tellRoom]: false,
  [markReviewed]: reviewsByActing().read(),
  ...Object.fromEntries(fields.map((field) => [field.name, initially(field, known)])),
});

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
