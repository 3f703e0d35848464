import { ConnectionFailure } from '../../../shared/connection.ts';
import type { TeamEntry } from '../../team/entries.ts';
import { teamOf } from '../../team/team-store.ts';
import type { Server } from '../../transport/server.ts';
import type { Work } from '../action.ts';
import { type Item, subjectOf } from '../items.ts';

/**
 * What there is before a change that is about to be made, for its undo to give back.
 *
 * @param isLeft whether it is already as the change leaves it
 * @returns `unsure` where it became so since it was sent first: one's own request arrived, or a colleague did the same
 */
export async function beforeChange<Value>(
  { first }: Pick<Work, 'first'>,
  read: () => Promise<Value>,
  isLeft: (value: Value) => boolean,
): Promise<{ before: Value; unsure: boolean }> {
  const now = await read();
  const before = await first(async () => now);
  const unsure = isLeft(now) && !isLeft(before);
  return { before: unsure ? before : now, unsure };
}

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

/**
 * The work of an action that switches something on or off: its undo is the other way.
 *
 * @param change gives how it was before; undefined where the server does not tell
 */
export const switched = <Of extends Item>(
  on: boolean,
  change: (server: Server, item: Of, on: boolean) => Promise<boolean | undefined>,
) => ({
  async run({ server }: Work, item: Of) {
    return { unchanged: (await change(server, item, on)) === on };
  },
  async undo({ server, action }: Work, item: Of) {
    const subject = subjectOf(item);
    const timeline = subject ? teamOf(server).snapshot().timeline(subject) : [];
    if (isRepeatedByOther(timeline, action, server.connection.userId)) throw changedSince();
    await change(server, item, !on);
  },
});
