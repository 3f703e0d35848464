/** Inputs that every action can have. Scheduled actions have them in `fields`. */
import type { Strike } from './entries.ts';

export const common = {
  /** Key of the policy that the action is based on. */
  policy: 'policy',
  /** Weight of the strike to add, and its expiry; 0 for never. */
  strikeWeight: 'strikeWeight',
  strikeUntil: 'strikeUntil',
  /** When the action is reversed. Steps have their own fields, such as the limit of a redaction. */
  limit: 'limitUntil',
} as const;

/** Shows the reason to the room. */
export const tellRoom = 'tellRoom';
/** Agrees to becoming room admin. */
export const takePower = 'takePower';
/** Leaves the room after the run. */
export const leaveAfterwards = 'leaveAfterwards';

/** By name. */
export type Fields = Readonly<Record<string, string | number | boolean>>;

/** The user's input: the reason and the action's own fields. */
export type Answers = { reason: string; fields: Fields };

/** Returns the reason if it is shown to the room. */
export const publicReason = ({ reason, fields }: Answers): string | undefined =>
  fields[tellRoom] && reason !== '' ? reason : undefined;

export function policyIn(fields: Fields): string | undefined {
  const policy = fields[common.policy];
  return typeof policy === 'string' && policy !== '' ? policy : undefined;
}

/** Returns the strike that an action adds to each of its users. @param id of the strike */
export function strikeIn(fields: Fields, id: string): Strike | undefined {
  const [weight, until] = [fields[common.strikeWeight], fields[common.strikeUntil]];
  if (typeof weight !== 'number' || typeof until !== 'number') return undefined;
  return { id, weight, until: until === 0 ? null : until };
}

/** Returns when an action's time limit ends, and the inputs of the action that ends it. */
export function limitIn(fields: Fields) {
  const { [common.limit]: until, [takePower]: power, [leaveAfterwards]: leaves } = fields;
  if (typeof until !== 'number') return undefined;
  return {
    until,
    ...(power === true && { fields: { [takePower]: true, [leaveAfterwards]: leaves === true } }),
  };
}
