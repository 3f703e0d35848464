import type { TaskStatus } from '../../shared/api/scheduled-tasks.ts';

export type TaskTables = {
  scheduled_tasks: {
    id: string;
    action: string;
    status: TaskStatus;
    timestamp_ms: number;
    resource_id: string | null;
    /** JSON. */
    params: string;
    /** JSON, or null where the task gave none. */
    result: string | null;
    error: string | null;
  };
};
