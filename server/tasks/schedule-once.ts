import { unknownError } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction, type Tx } from '../database/transaction.ts';
import { listTasks } from './scheduled-task-store.ts';
import type { Scheduler } from './scheduler.ts';
import type { NewTask } from './task.ts';

/**
 * Keeps a task and gives its identifier, unless one of its kind waits or runs for the same resource.
 *
 * @param lock holds the resource until the transaction ends, so that a second request finds the first's task
 * @throws MatrixError 400 with the sentence for that
 */
export async function scheduleOnce(
  { db, tasks }: { db: Database; tasks: Scheduler },
  task: NewTask & { resourceId: string },
  lock: (tx: Tx, resourceId: string) => Promise<unknown>,
  sentence: string,
): Promise<string> {
  const { action, resourceId } = task;
  const id = await inTransaction(db, async (tx) => {
    await lock(tx, resourceId);
    for (const status of ['scheduled', 'active'] as const) {
      const [unfinished] = await listTasks(tx, { action, resourceId, status });
      if (unfinished) throw unknownError(sentence);
    }
    return tasks.schedule(task, tx);
  });
  tasks.wake();
  return id;
}
