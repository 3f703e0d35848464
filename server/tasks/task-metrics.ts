import type { Database } from '../database/schema.ts';
import type { Figure } from '../http/metrics.ts';
import { countActiveTasks } from './scheduled-task-store.ts';

/** How many tasks are at work, for whoever watches over the server. */
export const activeTasks = (db: Database): Figure => ({
  name: 'gatehouse_scheduled_tasks_active',
  help: 'Running background tasks',
  read: () => countActiveTasks(db),
});
