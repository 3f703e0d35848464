/**
 * Runs background tasks, a few at a time, and remembers them: what was active when the process died runs
 * again. Interface: "States and transitions".
 */

import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Schema } from '../database/schema.ts';
import type { Tx } from '../database/transaction.ts';
import { deleteFinishedTasks, findTask, insertTask, listTasks, updateTask } from './scheduled-task-store.ts';
import type { NewTask, Task, TaskAction, TaskOutcome } from './task.ts';

/** How many tasks run at once. */
const maximumRunning = 5;
/** How often the scheduler looks for what has become due, in milliseconds. */
const loopInterval = 2_000;
/** How often finished tasks are cleared away, in milliseconds. */
const cleaningInterval = 60_000;
/** How long a finished task is remembered, in milliseconds. */
const retention = 7 * 24 * 60 * 60 * 1000;

export type Scheduler = {
  /**
   * Keeps a task and gives its identifier; it starts when it is due, at once if it is due already. In a
   * transaction it is kept, or not, with what else the transaction does: call `wake` when that is through.
   */
  schedule(task: NewTask, transaction?: Tx): Promise<string>;
  /** Looks for tasks that are due, without waiting for the next loop. */
  wake(): void;
  get(id: string): Promise<Task | undefined>;
  /** Begins to run tasks; until then they are only kept. */
  start(): void;
  /** Asks what runs to stop at its next safe point and waits for it; it goes on after the next start. */
  stop(): Promise<void>;
};

export function createScheduler(
  db: Kysely<Schema>,
  clock: Clock,
  actions: ReadonlyMap<string, TaskAction>,
  log: Log,
): Scheduler {
  const running = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  let started = false;
  let nextCleaning = 0;
  let cancelTimer = () => {};
  /** One look at the tasks after another, never two at once, so that none is started twice. */
  let loop: Promise<void> = Promise.resolve();

  /** The database itself failed: there is nothing that can be kept, so it is said where an operator looks. */
  const reportFault = (err: unknown) => log.error({ err }, 'The scheduler met a fault:');

  const wake = () => {
    if (!started || stopping.signal.aborted) return;
    loop = loop.then(startDueTasks).catch(reportFault);
  };

  const tick = () => {
    wake();
    cancelTimer = clock.after(loopInterval, tick);
  };

  async function startDueTasks(): Promise<void> {
    const now = clock.now();
    if (now >= nextCleaning) {
      await deleteFinishedTasks(db, now - retention);
      nextCleaning = now + cleaningInterval;
    }
    // Taken before the tasks are read: what ends in between must not be taken for one that has to resume.
    const runningAlready = new Set(running.keys());
    const due = [
      ...(await listTasks(db, { status: 'active' })),
      ...(await listTasks(db, { status: 'scheduled', before: now + 1 })),
    ];
    for (const task of due) {
      if (stopping.signal.aborted || running.size >= maximumRunning) return;
      if (!runningAlready.has(task.id)) await launch(task);
    }
  }

  async function launch(task: Task): Promise<void> {
    if (task.status === 'scheduled') {
      await updateTask(db, task.id, { status: 'active', timestampMs: clock.now() });
    }
    const run = perform({ ...task, status: 'active' })
      .catch(reportFault)
      .finally(() => {
        running.delete(task.id);
        wake();
      });
    running.set(task.id, run);
  }

  async function perform(task: Task): Promise<void> {
    const { signal } = stopping;
    const progress = (result: unknown) => updateTask(db, task.id, { result });
    const outcome = await outcomeOf(actions.get(task.action), { task, signal, progress });
    // A task that was told to stop has not ended: it stays active and runs again.
    if (signal.aborted && outcome.status !== 'complete') return;
    await updateTask(db, task.id, { ...outcome, timestampMs: clock.now() });
  }

  return {
    async schedule({ action, params, resourceId, timestampMs }, tx) {
      const id = randomUUID();
      await insertTask(tx ?? db, {
        id,
        action,
        status: 'scheduled',
        timestampMs: timestampMs ?? clock.now(),
        resourceId: resourceId ?? null,
        params,
        result: null,
        error: null,
      });
      if (!tx) wake();
      return id;
    },
    wake,
    get: (id) => findTask(db, id),
    start() {
      started = true;
      tick();
    },
    async stop() {
      stopping.abort();
      cancelTimer();
      await loop;
      await Promise.all(running.values());
    },
  };
}

async function outcomeOf(
  action: TaskAction | undefined,
  run: Parameters<TaskAction>[0],
): Promise<TaskOutcome> {
  if (!action) return { status: 'failed', error: `No such action: ${run.task.action}` };
  try {
    return await action(run);
  } catch (error) {
    return { status: 'failed', error: error instanceof Error ? error.message : String(error) };
  }
}
