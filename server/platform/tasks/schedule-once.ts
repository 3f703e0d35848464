import type { Static, TSchema } from 'typebox';
import { unknownError } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction, type Tx } from '../database/transaction.ts';
import { hasUnfinishedTask } from './scheduled-task-store.ts';
import type { Scheduler } from './scheduler.ts';
import type { NewTask, TaskKind } from './task.ts';

/**
 * Schedules a task and returns its ID, unless one of its kind waits or runs for the same resource.
 *
 * @param lock locks the resource until the transaction ends, so that a request at the same time finds this task
 * @throws MatrixError 400 with the sentence
 */
export async function scheduleOnce<Params extends TSchema>(
  { db, tasks }: { db: Database; tasks: Scheduler },
  kind: TaskKind<Params>,
  task: NewTask<Static<Params>> & { resourceId: string },
  lock: (tx: Tx, resourceId: string) => Promise<unknown>,
  sentence: string,
): Promise<string> {
  const id = await inTransaction(db, async (tx) => {
    await lock(tx, task.resourceId);
    if (await hasUnfinishedTask(tx, kind.action, task.resourceId)) throw unknownError(sentence);
    return tasks.schedule(kind, task, tx);
  });
  tasks.wake();
  return id;
}
