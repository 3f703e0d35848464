/** What a scheduled task is to the code that schedules and runs it. Interface: "Scheduled task", "States and transitions". */
import type { Static, TSchema } from 'typebox';
import type { TaskStatus } from '../../shared/api/scheduled-tasks.ts';
import type { Tx } from '../database/transaction.ts';

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

/** One kind of task: declared once, beside the code that does it, and named by whoever schedules one. */
export type TaskKind<Params extends TSchema = TSchema> = {
  /** What the interface calls it: the task's `action`. */
  action: string;
  /** What a task of this kind has to be told. Checked when one is scheduled, and again when it runs. */
  params: Params;
  /** Whose wish such tasks are: what administrators want doesn't wait for what users set off. */
  askedBy: 'administrators' | 'users';
};

export type NewTask<Params> = {
  params: Params;
  /** Whose tasks take turns with those of others: the identifier of the user who wants this one. */
  requestedBy: string;
  resourceId?: string;
  /** When to start it, in milliseconds since the Unix epoch; at once where it is left out. */
  timestampMs?: number;
};

export type TaskRun<Params = unknown> = {
  task: Task;
  params: Params;
  /**
   * Aborted when the server stops, or when another process has the task: the action returns at its next safe point
   * and runs again later, here or there.
   */
  signal: AbortSignal;
  /**
   * Does a piece of the task, as the `inTransaction` of the database does. It commits only while the task is this
   * process's: everything that an action changes it changes so.
   *
   * @throws LeaseLost where another process has the task: the action lets that pass through
   */
  inTransaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * Keeps what was reached so far as the task's result, for whoever watches and for a resumed run.
   *
   * @throws LeaseLost
   */
  progress(result: unknown): Promise<void>;
};

export type TaskOutcome = { status: 'complete' | 'failed'; result?: unknown; error?: string };

/**
 * Does one kind of task. It must be idempotent: after a crash, where the database had to give up in between, or where
 * another process takes it over, it is run again from its beginning, on top of whatever the earlier run committed. Any other
 * exception makes the task fail with its message.
 */
export type TaskAction<Params extends TSchema = TSchema> = {
  kind: TaskKind<Params>;
  run(run: TaskRun<Static<Params>>): Promise<TaskOutcome>;
};
