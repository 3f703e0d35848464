import type { Transaction } from 'kysely';
import { unknownError } from '../http/matrix-error.ts';
import type { Services } from '../services.ts';
import { listTasks } from '../storage/scheduled-tasks.ts';
import type { Schema } from '../storage/schema.ts';
import type { NewTask } from './task.ts';

/**
 * Keeps a task and gives its identifier, unless one of its kind waits or runs for the same resource.
 *
 * @param lock holds the resource until the transaction ends, so that a second request finds the first's task
 * @throws MatrixError 400 with the sentence for that
 */
export async function scheduleOnce(
  { db, tasks }: Pick<Services, 'db' | 'tasks'>,
  task: NewTask & { resourceId: string },
  lock: (transaction: Transaction<Schema>, resourceId: string) => Promise<unknown>,
  sentence: string,
): Promise<string> {
  const { action, resourceId } = task;
  const id = await db.transaction().execute(async (transaction) => {
    await lock(transaction, resourceId);
    for (const status of ['scheduled', 'active'] as const) {
      const [unfinished] = await listTasks(transaction, { action, resourceId, status });
      if (unfinished) throw unknownError(sentence);
    }
    return tasks.schedule(task, transaction);
  });
  tasks.wake();
  return id;
}
