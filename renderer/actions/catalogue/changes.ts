import { ConnectionFailure } from '../../../shared/connection.ts';
import type { TeamEntry } from '../../../shared/team/entries.ts';
import { teamOf } from '../../team/team-store.ts';
import type { Server } from '../../transport/server.ts';
import type { Work } from '../action.ts';
import { type Item, subjectOf } from '../items.ts';

/**
 * Returns the state before a change, for the undo.
 *
 * @param isLeft whether there is something to change
 * @returns `unsure` if it changed since the first request: by that request or by another admin
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

/** An undo must not revert another admin's later change. */
export const changedSince = () =>
  new ConnectionFailure('refused', /*i18n*/ 'Changed by another admin since then. Not undone.');

/** After a lost reply, the change may be another admin's. */
export const perhapsOthers = () =>
  new ConnectionFailure(
    'refused',
    /*i18n*/ 'No response received. Another admin may have done this. Retry it alone to undo.',
  );

/** Whether another admin repeated the user's action. @param timeline the subject's, newest first */
export function isRepeatedByOther(timeline: readonly TeamEntry[], action: string, userId: string): boolean {
  const same = timeline.filter(
    (entry) => entry.type === 'action' && entry.action === action && entry.outcome === 'done',
  );
  return same[0]?.by !== userId && same.some(({ by }) => by === userId);
}

/**
 * Returns `run` and `undo` of an action that switches a flag.
 *
 * @param change returns the state before; undefined if unknown
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
