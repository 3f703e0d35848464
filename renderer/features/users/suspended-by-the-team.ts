import type { TeamEntry } from '../../team/entries.ts';

/** Whom the team's log has as suspended, and whose suspension it has as lifted. @param entries newest first */
export function suspendedByTheTeam(entries: readonly TeamEntry[]): ReadonlyMap<string, boolean> {
  const known = new Map<string, boolean>();
  for (const entry of entries) {
    if (entry.type !== 'action' || entry.subject.kind !== 'user' || entry.outcome === 'failed') continue;
    const { action, outcome, subject } = entry;
    if (action !== 'suspend-user' && action !== 'unsuspend-user') continue;
    if (!known.has(subject.userId)) {
      known.set(subject.userId, (action === 'suspend-user') === (outcome === 'done'));
    }
  }
  return known;
}
