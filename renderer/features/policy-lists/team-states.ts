import type { ActionEntry, Subject, TeamEntry } from '../../../shared/team/entries.ts';
import { subjectsOf } from '../../../shared/team/fold.ts';

/**
 * Returns whether the team's last action of a pair began the state or ended it, by key.
 *
 * @param entries newest first
 * @param keyOf the state's key; undefined for other subjects
 */
export function statesByTeam(
  entries: readonly TeamEntry[],
  begins: string,
  ends: string,
  keyOf: (subject: Subject, entry: ActionEntry) => string | undefined,
): ReadonlyMap<string, boolean> {
  const states = new Map<string, boolean>();
  for (const entry of entries) {
    if (entry.type !== 'action' || entry.outcome === 'failed') continue;
    if (entry.action !== begins && entry.action !== ends) continue;
    for (const subject of subjectsOf(entry)) {
      const key = keyOf(subject, entry);
      if (key !== undefined && !states.has(key))
        states.set(key, (entry.action === begins) === (entry.outcome === 'done'));
    }
  }
  return states;
}
