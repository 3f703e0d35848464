import { putInForce } from '../../subjects/in-force.ts';
import type { TeamEntry } from '../../team/entries.ts';
import { subjectsOf } from '../../team/fold.ts';

/** Whom the team's log has as suspended, and whose suspension it has as lifted. @param entries newest first */
export function suspendedByTheTeam(entries: readonly TeamEntry[]): ReadonlyMap<string, boolean> {
  const known = new Map<string, boolean>();
  for (const entry of entries) {
    const isInForce = putInForce(entry, ['suspend-user', 'unsuspend-user']);
    if (isInForce === undefined || entry.type !== 'action') continue;
    for (const subject of subjectsOf(entry)) {
      if (subject.kind === 'user' && !known.has(subject.userId)) known.set(subject.userId, isInForce);
    }
  }
  return known;
}
