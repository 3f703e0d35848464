import { ConnectionFailure } from '../../shared/connection.ts';
import type { TeamEntry } from '../team/entries.ts';

/** An undo takes back what one did oneself, and not what a colleague did after it. */
export const changedSince = () =>
  new ConnectionFailure('refused', /*i18n*/ 'Changed by another admin since then. Not undone.');

/** Lost answers: whether it was one's own request that made it so, or a colleague's, nobody can tell. */
export const perhapsOthers = () =>
  new ConnectionFailure(
    'refused',
    /*i18n*/ 'No response received. Another admin may have done this. Retry it alone to undo.',
  );

/** Whether a colleague did the same to a subject after this person did. @param timeline the subject's, newest first */
export function isRepeatedByOther(timeline: readonly TeamEntry[], action: string, userId: string): boolean {
  const same = timeline.filter(
    (entry) => entry.type === 'action' && entry.action === action && entry.outcome === 'done',
  );
  return same[0]?.by !== userId && same.some(({ by }) => by === userId);
}
