/** The task that takes a room's older events away. The reference homeserver's "Purge History API". */
import { Type } from 'typebox';
import { yieldToEventLoop } from '../../platform/concurrency/yield.ts';
import type { TaskAction, TaskKind } from '../../platform/tasks/task.ts';
import { purgeHistoryPiece } from './purge-store.ts';

const Params = Type.Object({
  room_id: Type.String(),
  /** The place of the first event that stays. */
  before: Type.Integer(),
  delete_local_events: Type.Boolean(),
});

export const purgeHistoryTask = {
  action: 'purge_history',
  params: Params,
  askedBy: 'administrators',
} satisfies TaskKind;

/** Counts what it purged in its result. What a run has purged, a later one doesn't find again. */
export const purgeHistory: TaskAction<typeof Params> = {
  kind: purgeHistoryTask,
  async run({ task, params: { room_id, before, delete_local_events }, signal, progress, inTransaction }) {
    let purged = eventsPurgedBefore(task.result);
    // What an earlier purge only hid comes first, so that nothing is looked at twice.
    for (const hidden of delete_local_events ? [true, false] : [false]) {
      for (let after = 0; ; ) {
        signal.throwIfAborted();
        const piece = { before, hidden, after, deleteMessages: delete_local_events };
        const done = await inTransaction((tx) => purgeHistoryPiece(tx, room_id, piece));
        if (!done) break;
        after = done.end;
        purged += done.events;
        await progress({ purged_events: purged });
        await yieldToEventLoop();
      }
    }
    return { status: 'complete', result: { purged_events: purged } };
  },
};

function eventsPurgedBefore(result: unknown): number {
  const earlier = (result as { purged_events?: unknown } | null)?.purged_events;
  return typeof earlier === 'number' ? earlier : 0;
}
