/** Strikes of a user. They are stored in action entries, which have an author, a reason and an undo. */
import type { Strike, TeamEntry } from './entries.ts';

/** The action that removes a strike. */
export const removeStrike = 'remove-strike';

export type ActiveStrike = Strike & { by: string; at: number; policy?: string | undefined };

/**
 * Returns the active strikes, the next to expire first.
 *
 * @param entries the user's timeline, newest first
 */
export function activeStrikes(entries: readonly TeamEntry[], now: number): ActiveStrike[] {
  const added = new Map<string, ActiveStrike>();
  const isActive = new Map<string, boolean>();
  for (const entry of entries.toReversed()) {
    if (entry.type !== 'action' || !entry.strike || entry.outcome === 'failed') continue;
    const { strike, action, outcome, by, at, policy } = entry;
    const before = added.get(strike.id);
    const isOver = before && (!isActive.get(strike.id) || (before.until !== null && before.until <= at));
    const isAdded = action !== removeStrike && outcome === 'done';
    if (!before || (isOver && isAdded)) added.set(strike.id, { ...strike, by, at, policy });
    isActive.set(strike.id, (action === removeStrike) === (outcome === 'undone'));
  }
  return [...added.values()]
    .filter(({ id, until }) => isActive.get(id) && (until === null || until > now))
    .sort((one, other) => (one.until ?? Number.MAX_VALUE) - (other.until ?? Number.MAX_VALUE));
}

export const totalWeight = (strikes: readonly Pick<Strike, 'weight'>[]): number =>
  strikes.reduce((sum, { weight }) => sum + weight, 0);
