/** What a scheduled task is to the code that runs it. Interface: "Scheduled task", "States and transitions". */
import type { TaskStatus } from '../../shared/api/scheduled-tasks.ts';

export type Task = {
  id: string;
  action: string;
  status: TaskStatus;
  /** When it is to start, while scheduled; otherwise when its state last changed. */
  timestampMs: number;
  resourceId: string | null;
  params: unknown;
  result: unknown;
  error: string | null;
};

export type TaskRun = {
  task: Task;
  /** Aborted when the server stops: the action returns at its next safe point and runs again later. */
  signal: AbortSignal;
  /** Keeps what was reached so far as the task's result, for whoever watches and for a resumed run. */
  progress(result: unknown): Promise<void>;
};

export type TaskOutcome = { status: 'complete' | 'failed'; result?: unknown; error?: string };

/**
 * One kind of task. It must be idempotent: after a crash it is run again from its beginning, on top of
 * whatever the earlier run committed. An exception makes the task fail with its message.
 */
export type TaskAction = (run: TaskRun) => Promise<TaskOutcome>;

export type NewTask = {
  action: string;
  params: unknown;
  resourceId?: string;
  /** When to start it, in milliseconds since the Unix epoch; at once where it is left out. */
  timestampMs?: number;
};
