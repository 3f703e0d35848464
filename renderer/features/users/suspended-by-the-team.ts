import { putInForce } from '../../subjects/in-force.ts';
import type { TeamEntry } from '../../team/entries.ts';

/** Whom the team's log has as suspended, and whose suspension it has as lifted. @param entries newest first */
export function suspendedByTheTeam(entries: readonly TeamEntry[]): ReadonlyMap<string, boolean> {
  const known = new Map<string, boolean>();
  for (const entry of entries) {
    const isInForce = putInForce(entry, ['suspend-user', 'unsuspend-user']);
    if (isInForce === undefined || entry.type !== 'action' || entry.subject.kind !== 'user') continue;
    if (!known.has(entry.subject.userId)) known.set(entry.subject.userId, isInForce);
  }
  return known;
}
