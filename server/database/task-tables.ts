import type { Generated } from 'kysely';
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
    /** Who wants it. Null for tasks that older builds kept. */
    requested_by: string | null;
    /** Tasks of an action go in the order of their turns; everyone who wants some has one in each. */
    turn: Generated<number>;
    /** Action and resource while it waits: there is one of these. */
    pending_key: string | null;
    /** How often it was claimed: who holds an earlier claim may commit nothing more for it. */
    lease_number: Generated<number>;
    /** Until when it is its process's alone, while active; milliseconds of the database's time. */
    lease_until: Generated<number>;
  };
};
