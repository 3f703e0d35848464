/** One run of one task, from its parameters to what became of it. Interface: "States and transitions". */
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { Clock } from '../core/clock.ts';
import { DatabaseFault } from '../database/fault.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction, type Tx } from '../database/transaction.ts';
import { createPatience, type Patience } from './retry.ts';
import { findTask } from './scheduled-task-store.ts';
import type { TaskAction, TaskOutcome } from './task.ts';
import {
  type ClaimedTask,
  LeaseLost,
  releaseLease,
  requireLease,
  updateClaimedTask,
} from './task-lease-store.ts';

export type PerformingContext = {
  db: Database;
  clock: Clock;
  /** What does each kind of task, by the kind's `action`. */
  actions: ReadonlyMap<string, TaskAction>;
};

/**
 * Runs a task and keeps what became of it; one that was told to stop is given back, to run again.
 *
 * @throws LeaseLost where another process has it
 * @throws DatabaseFault where the database stays away: the task is still active, and is taken up again
 */
export async function performTask(
  context: PerformingContext,
  { task, lease }: ClaimedTask,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock } = context;
  const patiently = createPatience(clock, signal);
  const outcome = await outcomeOf(context, { task, lease }, signal, patiently);
  if (signal.reason instanceof LeaseLost) throw signal.reason;
  // A task that was told to stop has not ended: it stays active and runs again.
  if (signal.aborted && outcome.status !== 'complete') return releaseLease(db, lease);
  await patiently(() => updateClaimedTask(db, lease, { ...outcome, timestampMs: clock.now() }));
}

async function outcomeOf(
  { db, actions }: PerformingContext,
  { task, lease }: ClaimedTask,
  signal: AbortSignal,
  patiently: Patience,
): Promise<TaskOutcome> {
  const action = actions.get(task.action);
  if (!action) return { status: 'failed', error: `Unknown action: ${task.action}` };
  const { params: schema } = action.kind;
  const params = Value.Default(schema, task.params);
  if (!Value.Check(schema, params)) {
    return {
      status: 'failed',
      error: `Invalid parameters: ${faultOf(schema, params)}`,
    };
  }
  const run = {
    params,
    signal,
    inTransaction: <Result>(work: (tx: Tx) => Promise<Result>) =>
      inTransaction(db, async (tx) => {
        const result = await work(tx);
        await requireLease(tx, lease);
        return result;
      }),
    progress: (result: unknown) => updateClaimedTask(db, lease, { result }),
  };
  let current = task;
  return patiently(
    () => action.run({ task: current, ...run }),
    async () => {
      current = (await findTask(db, task.id)) ?? current;
    },
  ).catch((error: unknown) => {
    if (error instanceof LeaseLost) throw error;
    // However long the database is away: the task stays active, and is taken up again.
    if (error instanceof DatabaseFault && error.kind !== 'contended') throw error;
    return { status: 'failed', error: error instanceof Error ? error.message : String(error) };
  });
}

/** What of the parameters is not as the kind of task asks for it. */
export function faultOf(schema: TSchema, params: unknown): string {
  const [fault] = Value.Errors(schema, params);
  return fault ? `${fault.instancePath} ${fault.message}`.trim() : 'unexpected structure';
}
