/** The policy and the strike in the answers of a panel. */
import { type Answers, common } from '../../../shared/team/action-inputs.ts';
import { type KeyedPolicy, strikeUnder } from '../../../shared/team/policies.ts';
import type { Action } from '../action.ts';
import { type Item, userOf } from '../items.ts';

/** Name of the field that adds the policy's strike; without it, the strike is added. */
export const addStrike = 'addStrike';

/** Whether an action is a decision about a user's conduct. */
export const canRestOnPolicy = ({ id, harms, takesOver, resolvesReports }: Action): boolean =>
  id === 'warn-user' || resolvesReports === true || (harms === true && !takesOver);

/** Returns the answers about the chosen policy; none without one. */
export function policyAnswers(
  policies: readonly KeyedPolicy[],
  items: readonly Item[],
  fields: Answers['fields'],
  now: number,
): Answers['fields'] {
  const policy = policies.find(({ key }) => key === fields[common.policy]);
  if (!policy) return {};
  const isOnUser = items.some((item) => userOf(item) !== undefined);
  const strike = isOnUser && fields[addStrike] !== false ? strikeUnder(policy, now) : undefined;
  return {
    [common.policy]: policy.key,
    ...(strike && { [common.strikeWeight]: strike.weight, [common.strikeUntil]: strike.until ?? 0 }),
  };
}
