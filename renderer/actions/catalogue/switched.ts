import { teamOf } from '../../team/team-store.ts';
import type { Server } from '../../transport/server.ts';
import type { Work } from '../action.ts';
import { changedSince, isRepeatedByOther } from '../changed-since.ts';
import { type Item, subjectOf } from '../subject.ts';

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
