/** The time at which an action runs, and the time at which it ends, from the answers of a panel. */
import type { Answers } from '../../../shared/team/action-inputs.ts';
import type { Action } from '../action.ts';
import type { Item } from '../items.ts';

/** Names of the panel's fields. `limit` is a number of days, `until`, or empty for none. */
export const timingFields = { limit: 'limitFor', until: 'limitAt', when: 'when', at: 'runAt' } as const;

export const limitDays = [1, 7, 30] as const;

/** More would fill the team room. */
const maxItems = 50;

const isFew = (items: readonly Item[]) => items.length <= maxItems;
const schedulable: readonly Item['kind'][] = ['user', 'member', 'room'];

/** Returns the actions that a time limit would end. @param chosen the action, or its chosen steps */
export const limitedBy = (chosen: readonly Action[], items: readonly Item[]): readonly Action[] =>
  // A deactivated account stays deactivated.
  isFew(items) && !chosen.some(({ id }) => id === 'deactivate-user')
    ? chosen.filter(({ inverse }) => inverse !== undefined)
    : [];

/** Whether it can be scheduled. */
export const canSchedule = (
  { kind, shownOnce, takesOver, fields = [] }: Action,
  items: readonly Item[],
): boolean =>
  schedulable.includes(kind) &&
  !shownOnce &&
  !takesOver &&
  !fields.some((field) => field.kind === 'picture') &&
  isFew(items);

/** In milliseconds since the Unix epoch. `fault`: the field without a valid future time. */
export type Timing = { at?: number; limit?: number; fault?: 'at' | 'until' };

const dayMs = 86_400_000;

/** Reads the fields of a panel. A limit of some days begins when the action runs. */
export function timingOf(fields: Answers['fields'], now: number): Timing {
  const timing: Timing = {};
  if (fields[timingFields.when] === 'at') {
    const at = new Date(String(fields[timingFields.at] ?? '')).getTime();
    if (!(at > now)) return { fault: 'at' };
    timing.at = at;
  }
  const limit = fields[timingFields.limit];
  if (limit === 'until') {
    const until = new Date(String(fields[timingFields.until] ?? '')).getTime();
    if (!(until > (timing.at ?? now))) return { ...timing, fault: 'until' };
    timing.limit = until;
  } else if (Number(limit) > 0) {
    timing.limit = (timing.at ?? now) + Number(limit) * dayMs;
  }
  return timing;
}
