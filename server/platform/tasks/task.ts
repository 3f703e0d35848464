/** Types of scheduled tasks. */
import type { Static, TSchema } from 'typebox';
import type { TaskStatus } from '../../../shared/api/tasks.ts';
import type { Tx } from '../database/transaction.ts';

export type Task = {
  id: string;
  action: string;
  status: TaskStatus;
  /** While scheduled, when to start it; otherwise when its status last changed. Milliseconds since the Unix epoch. */
  timestampMs: number;
  resourceId: string | null;
  params: unknown;
  result: unknown;
  error: string | null;
};

/** Declared once, beside the task's code. */
export type TaskKind<Params extends TSchema = TSchema> = {
  /** The task's `action` in the interface. */
  action: string;
  /** Checked when a task is scheduled, and again when it runs. */
  params: Params;
  /** Administrators' tasks don't wait for users' ones. */
  requestedBy: 'administrators' | 'users';
};

export type NewTask<Params> = {
  params: Params;
  /** User ID. Requesters take turns. */
  requestedBy: string;
  resourceId?: string;
  /** When to start it, in milliseconds since the Unix epoch; at once by default. */
  timestampMs?: number;
};

export type TaskRun<Params = unknown> = {
  task: Task;
  params: Params;
  /** Aborted when the server stops or another process may have taken over: return at the next safe point. */
  signal: AbortSignal;
  /**
   * Runs a piece of the task like the database's `inTransaction`, and only commits while this process owns the task. An
   * action makes all its changes this way.
   *
   * @throws OwnershipLost which the action must not catch
   */
  inTransaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * Saves an interim result, for the list of tasks and for a resumed run.
   *
   * @throws OwnershipLost
   */
  progress(result: unknown): Promise<void>;
};

export type TaskOutcome = { status: 'complete' | 'failed'; result?: unknown; error?: string };

/**
 * Runs a task of one kind. It must be idempotent: after a crash, a fault of the database or a takeover by another
 * process it runs again from its beginning, on top of everything that earlier runs committed. Any other exception makes
 * the task fail with its message.
 */
export type TaskAction<Params extends TSchema = TSchema> = {
  kind: TaskKind<Params>;
  run(run: TaskRun<Static<Params>>): Promise<TaskOutcome>;
};
