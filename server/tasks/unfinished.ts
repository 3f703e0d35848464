import { listTasks } from '../storage/scheduled-tasks.ts';
import type { Database } from '../storage/schema.ts';

/** Whether a task of this kind waits or runs for a resource, so that another would get in its way. */
export async function hasUnfinishedTask(db: Database, action: string, resourceId: string): Promise<boolean> {
  for (const status of ['scheduled', 'active'] as const) {
    if ((await listTasks(db, { action, resourceId, status })).length > 0) return true;
  }
  return false;
}
