import type { Generated } from 'kysely';
import type { TaskStatus } from '../../../../shared/api/tasks.ts';

export type TaskTables = {
  scheduled_tasks: {
    id: string;
    action: string;
    status: TaskStatus;
    timestamp_ms: number;
    resource_id: string | null;
    /** JSON. */
    params: string;
    /** JSON, or null. */
    result: string | null;
    error: string | null;
    /** User ID. Null for tasks of older builds. */
    requested_by: string | null;
    /** Order among tasks of an action: each requester has one task in each turn. */
    turn: Generated<number>;
    /** Action and resource while it waits; unique. */
    pending_key: string | null;
  };
  /** Pending background updates, which migrations and administrators add. */
  background_updates: {
    name: string;
    /** They run one after the other, the lowest first. */
    ordering: number;
    /** JSON: where to continue. */
    progress: string;
    total_item_count: number;
    total_duration_ms: number;
  };
};
