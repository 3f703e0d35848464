/**
 * Runs background tasks, a few at a time, and remembers them: what was active when the process died runs
 * again. Administrators' tasks go first, kinds take turns, and so do those who want tasks of one kind.
 * Processes that share a database share its tasks: each is one process's, which has it for as long as it says so.
 * Interface: "States and transitions".
 */
import { randomUUID } from 'node:crypto';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Notifier } from '../core/notifier.ts';
import { databaseTime } from '../database/database-time.ts';
import { isPostgres } from '../database/engine.ts';
import type { Database } from '../database/schema.ts';
import type { Tx } from '../database/transaction.ts';
import { nextAction } from './next-action.ts';
import { faultOf, performTask } from './perform-task.ts';
import { deleteFinishedTasks, findTask } from './scheduled-task-store.ts';
import type { NewTask, Task, TaskAction, TaskKind } from './task.ts';
import {
  type ClaimedTask,
  claimAbandonedTask,
  claimNextTask,
  extendLeases,
  LeaseLost,
  type LeaseTime,
  leaseFrom,
  releaseAllLeases,
} from './task-lease-store.ts';
import { enqueueTask, listWaitingActions } from './task-queue-store.ts';

/** How many tasks run at once, in this process. */
const maximumRunning = 5;
/** How often the scheduler looks for what has become due, in milliseconds. */
const loopInterval = 2_000;
/** How long a task is this process's without its saying so again, in milliseconds: when it dies, others wait so long. */
const leaseTime = 12_000;
/** How often it says so, in milliseconds. */
const extensionInterval = 3_000;
/** How often finished tasks are cleared away, in milliseconds. */
const cleaningInterval = 60_000;
/** How many are cleared away in one go. */
const clearedAtOnce = 500;
/** How long a finished task is remembered, in milliseconds. */
const retention = 7 * 24 * 60 * 60 * 1000;

export type Scheduler = {
  /**
   * Keeps a task and gives its identifier; it starts when it is due and its turn has come. Where one of its
   * kind waits for the same resource already, the two become one. In a transaction it is kept, or not, with
   * what else the transaction does: call `wake` when that is through.
   *
   * @throws TypeError where the parameters are not what the kind asks for
   */
  schedule<Params extends TSchema>(
    kind: TaskKind<Params>,
    task: NewTask<Static<Params>>,
    tx?: Tx,
  ): Promise<string>;
  /** Has tasks that are due looked for, without waiting for the next loop. */
  wake(): void;
  get(id: string): Promise<Task | undefined>;
  /** Begins to run tasks; until then they are only kept. */
  start(): void;
  /** Asks what runs to stop at its next safe point and waits for it; it goes on after the next start. */
  stop(): Promise<void>;
};

type RunningTask = ClaimedTask & {
  /** Aborted when another process has it. */
  lost: AbortController;
  end: Promise<void>;
};

/** Tasks of actions that are not among these, which other releases may have left, fail and say so. */
export function createScheduler(
  { db, clock, log, notifier }: { db: Database; clock: Clock; log: Log; notifier: Notifier },
  actions: readonly TaskAction[],
): Scheduler {
  const known = new Map(actions.map((action) => [action.kind.action, action]));
  const running = new Map<string, RunningTask>();
  /** When each action had a task started last, in starts. */
  const lastStarts = new Map<string, number>();
  let starts = 0;
  const stopping = new AbortController();
  let started = false;
  let nextCleaning = 0;
  let cancelTimer = () => {};
  let cancelExtension = () => {};
  /** When the claims on what runs were last extended, by the monotonic clock. */
  let extendedAt = 0;
  /** What runs of saying so: a database that is slow to answer is not asked again meanwhile. */
  let extending: Promise<void> | undefined;
  /** One look at the tasks after another, never two at once, so that none is started twice. */
  let loop: Promise<void> = Promise.resolve();
  /** Whether a look is to come that has not begun. */
  let isAwake = false;

  /** The database itself failed: there is nothing that can be kept, so it is said where an operator looks. */
  const reportFault = (err: unknown) => log.error({ err }, 'tasks: scheduler failed:');

  const look = () => {
    if (!started || isAwake || stopping.signal.aborted) return;
    isAwake = true;
    loop = loop
      .then(() => {
        isAwake = false;
        return startDueTasks();
      })
      .then(clearAway)
      .catch(reportFault);
  };

  notifier.listen('tasks', look);
  /** Whoever has a place free takes what is new, here or elsewhere. */
  const wake = () => notifier.wake('tasks');

  const tick = () => {
    look();
    cancelTimer = clock.after(loopInterval, tick);
  };

  const leaseTimes = (): LeaseTime => leaseFrom(databaseTime(db, clock), leaseTime);

  async function startDueTasks(): Promise<void> {
    if (isFull()) return;
    while (!isFull()) {
      const claimed = await claimAbandonedTask(db, [...running.keys()], leaseTimes());
      if (!claimed) break;
      launch(claimed);
    }
    const waiting = new Set(await listWaitingActions(db));
    while (!isFull()) {
      const action = nextAction(waiting, {
        running: [...running.values()].map(({ task }) => task.action),
        lastStarts,
        actions: known,
      });
      if (action === undefined) return;
      const claimed = await claimNextTask(db, action, leaseTimes());
      if (claimed) launch(claimed);
      else waiting.delete(action);
    }
  }

  /** Says that what runs is still this process's, and ends what is not. */
  async function extendAll(): Promise<void> {
    const asked = [...running.values()];
    if (asked.length === 0) return;
    const begun = clock.monotonic();
    try {
      const held = await extendLeases(
        db,
        asked.map(({ lease }) => lease),
        leaseTimes(),
      );
      extendedAt = begun;
      for (const { task, lost, lease } of asked) {
        if (!held.has(task.id)) lost.abort(new LeaseLost(lease));
      }
    } catch (err) {
      reportFault(err);
      // Others may have taken everything by now, and it can't be asked: nothing goes on that may be theirs.
      if (begun - extendedAt < leaseTime) return;
      for (const { lost, lease } of asked) lost.abort(new LeaseLost(lease));
    }
  }

  const extendRegularly = () => {
    extending ??= extendAll().finally(() => {
      extending = undefined;
    });
    cancelExtension = clock.after(extensionInterval, extendRegularly);
  };

  /** Some of what ended long ago, a piece at each look, so that nothing waits for it. */
  async function clearAway(): Promise<void> {
    const now = clock.now();
    if (now < nextCleaning || stopping.signal.aborted) return;
    const deleted = await deleteFinishedTasks(db, now - retention, clearedAtOnce);
    if (deleted < clearedAtOnce) nextCleaning = now + cleaningInterval;
  }

  const isFull = () => stopping.signal.aborted || running.size >= maximumRunning;

  function launch({ task, lease }: ClaimedTask): void {
    lastStarts.set(task.action, ++starts);
    if (running.size === 0) extendedAt = clock.monotonic();
    const lost = new AbortController();
    const signal = AbortSignal.any([stopping.signal, lost.signal]);
    const end = performTask({ db, clock, actions: known }, { task, lease }, signal).then(
      () => {
        running.delete(task.id);
        look();
      },
      (error: unknown) => {
        // It stays active, and whoever looks when its time is over takes it up again.
        running.delete(task.id);
        if (error instanceof LeaseLost) log.warn(error.message);
        else reportFault(error);
      },
    );
    running.set(task.id, { task, lease, lost, end });
  }

  return {
    async schedule({ action, params: schema }, { params, requestedBy, resourceId, timestampMs }, tx) {
      if (!Value.Check(schema, params)) {
        throw new TypeError(`invalid parameters for task ${action}: ${faultOf(schema, params)}`);
      }
      const id = await enqueueTask(tx ?? db, {
        id: randomUUID(),
        action,
        timestampMs: timestampMs ?? databaseTime(db, clock),
        resourceId: resourceId ?? null,
        params,
        requestedBy,
      });
      if (!tx) wake();
      return id;
    },
    wake,
    get: (id) => findTask(db, id),
    start() {
      started = true;
      // What was active in a file that is this process's alone is so no longer.
      if (!isPostgres(db)) loop = releaseAllLeases(db).catch(reportFault);
      tick();
      extendRegularly();
    },
    async stop() {
      stopping.abort();
      cancelTimer();
      await loop;
      await Promise.all([...running.values()].map(({ end }) => end));
      cancelExtension();
      await extending;
    },
  };
}
