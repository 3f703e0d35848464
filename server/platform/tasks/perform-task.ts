/** One run of one task, from its parameters to its outcome. */
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { type Owned, OwnershipLost } from '../cluster/ownership.ts';
import { type Clock, pause } from '../core/clock.ts';
import { DatabaseFault } from '../database/fault.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction, type Tx } from '../database/transaction.ts';
import { findTask, lockTask, type TaskChange, updateTask } from './scheduled-task-store.ts';
import type { Task, TaskAction, TaskOutcome } from './task.ts';

type PerformingContext = {
  db: Database;
  clock: Clock;
  /** By the kind's `action`. */
  actions: ReadonlyMap<string, TaskAction>;
};

/**
 * Runs a task and saves its outcome. A stopped task stays active, and runs again later.
 *
 * @throws OwnershipLost if another process may have taken over
 * @throws DatabaseFault if the database stays unavailable: the task is still active
 */
export async function performTask(
  context: PerformingContext,
  task: Task,
  owned: Owned,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock } = context;
  const whileOwned = <Result>(work: (tx: Tx) => Promise<Result>) =>
    inTransaction(db, async (tx) => {
      const result = await work(tx);
      await lockTask(tx, task.id);
      await owned.require(tx);
      return result;
    });
  const update = (change: TaskChange) => whileOwned((tx) => updateTask(tx, task.id, change));
  const retry = createRetry(clock, signal);
  const run = {
    signal,
    inTransaction: whileOwned,
    progress: (result: unknown) => update({ result }),
  };
  const outcome = await outcomeOf(context, task, run, retry);
  owned.lost.throwIfAborted();
  if (signal.aborted && outcome.status !== 'complete') return;
  await retry(() => update({ ...outcome, timestampMs: clock.now() }));
}

async function outcomeOf(
  { db, actions }: PerformingContext,
  task: Task,
  run: Omit<Parameters<TaskAction['run']>[0], 'task' | 'params'>,
  retry: Retry,
): Promise<TaskOutcome> {
  const action = actions.get(task.action);
  if (!action) return { status: 'failed', error: `Unknown action: ${task.action}` };
  const { params: schema } = action.kind;
  const params = Value.Default(schema, task.params);
  if (!Value.Check(schema, params)) {
    return {
      status: 'failed',
      error: `Invalid parameters: ${parameterFault(schema, params)}`,
    };
  }
  let current = task;
  return retry(
    () => action.run({ task: current, params, ...run }),
    async () => {
      current = (await findTask(db, task.id)) ?? current;
    },
  ).catch((error: unknown) => {
    if (error instanceof OwnershipLost) throw error;
    // The task stays active while the database is unavailable.
    if (error instanceof DatabaseFault && error.kind !== 'contended') throw error;
    return { status: 'failed', error: error instanceof Error ? error.message : String(error) };
  });
}

/** Returns the fault of invalid parameters. */
export function parameterFault(schema: TSchema, params: unknown): string {
  const [fault] = Value.Errors(schema, params);
  return fault ? `${fault.instancePath} ${fault.message}`.trim() : 'unexpected structure';
}

/** About a minute of attempts, with the pauses between them. */
const maximumAttempts = 6;
/** The pause after the first failure, in milliseconds; each further one is four times as long. */
const firstPause = 250;
const longestPause = 30_000;

/** Retries work with backoff after DatabaseFaults. `prepare` runs before each further attempt. */
type Retry = <Result>(work: () => Promise<Result>, prepare?: () => Promise<void>) => Promise<Result>;

const createRetry =
  (clock: Clock, signal: AbortSignal): Retry =>
  async (work, prepare) => {
    for (let attempt = 1; ; attempt++) {
      try {
        if (attempt > 1) await prepare?.();
        return await work();
      } catch (error) {
        if (attempt === maximumAttempts || signal.aborted || !(error instanceof DatabaseFault)) throw error;
      }
      await pause(clock, Math.min(longestPause, firstPause * 4 ** (attempt - 1)), signal);
    }
  };
