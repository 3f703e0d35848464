/** The short sentences about a plan that every form of it begins with. */
import type { Rollback, UpgradePlan } from '../api/upgrade-plan.ts';

/** What the plan is: `Upgrade from v1.47.1 to v1.70.0: 24 notes, 6 stops`. */
export function planTitle({ from, to, direction, direct, stops }: UpgradePlan): string {
  if (direction === 'none') return `Nothing to upgrade: v${from} is the version that runs`;
  if (direction === 'downgrade') return `Downgrade from v${from} to v${to}: ${verdict(direct.rollback)}`;
  return `Upgrade from v${from} to v${to}: ${count(direct.notes.length, 'note')}, ${count(stops.length, 'stop')}`;
}

const verdict = (rollback: Rollback | null) =>
  rollback?.safe ? 'allowed' : rollback?.safe === false ? 'not allowed' : 'not known to be safe';

/** `1 note`, `2 notes`. */
export const count = (number: number, thing: string) => `${number} ${thing}${number === 1 ? '' : 's'}`;

/** How far back a version can go, in a word or two: `v1.49.0`, or `not known`. */
export const reachOf = (rollbackTo: string | null) => (rollbackTo === null ? 'not known' : `v${rollbackTo}`);

/** Whether going back to the version before is safe, in a few words. */
export function shortRollback({ to, safe, lowest_safe }: Rollback): string {
  if (safe === null) return `to v${to}: not known`;
  return safe ? `to v${to}: safe` : `to v${to}: not safe, v${lowest_safe} at the lowest`;
}
