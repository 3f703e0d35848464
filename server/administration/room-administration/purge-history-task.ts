/** Task that purges a room's older events: Synapse's Purge History API. */
import { Type } from 'typebox';
import { yieldToEventLoop } from '../../platform/concurrency/yield.ts';
import type { TaskAction, TaskKind } from '../../platform/tasks/task.ts';
import { purgeHistoryChunk } from './purge-store.ts';

const Params = Type.Object({
  room_id: Type.String(),
  /** Stream position of the first event to keep. */
  before: Type.Integer(),
  delete_local_events: Type.Boolean(),
});

export const purgeHistoryTask = {
  action: 'purge_history',
  params: Params,
  requestedBy: 'administrators',
} satisfies TaskKind;

/** Its result counts the purged events. A later run doesn't find them again. */
export const purgeHistory: TaskAction<typeof Params> = {
  kind: purgeHistoryTask,
  async run({ task, params: { room_id, before, delete_local_events }, signal, progress, inTransaction }) {
    let purged = eventsPurgedBefore(task.result);
    // Events that an earlier purge has only hidden come first: this purge hides more.
    for (const hidden of delete_local_events ? [true, false] : [false]) {
      for (let after = 0; ; ) {
        signal.throwIfAborted();
        const chunk = { before, hidden, after, deleteMessages: delete_local_events };
        const done = await inTransaction((tx) => purgeHistoryChunk(tx, room_id, chunk));
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
