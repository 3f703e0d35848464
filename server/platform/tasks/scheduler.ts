/**
 * Runs background tasks, a few at a time. Administrators' tasks come first; actions, and requesters of an action, take
 * turns. Processes that share a database share its tasks. Each running task is owned by its process; an active task
 * without an owner is run again.
 */
import { randomUUID } from 'node:crypto';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { type Owned, type Ownership, OwnershipLost } from '../cluster/ownership.ts';
import type { Notifier } from '../concurrency/notifier.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { unknownError } from '../core/matrix-error.ts';
import { databaseTime } from '../database/query/expressions.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction, type Tx } from '../database/transaction.ts';
import { parameterFault, performTask } from './perform-task.ts';
import {
  deleteFinishedTasks,
  findActiveTask,
  findTask,
  hasUnfinishedTask,
  listActiveTasks,
} from './scheduled-task-store.ts';
import type { NewTask, Task, TaskAction, TaskKind } from './task.ts';
import { activateNextTask, enqueueTask, hasDueTask, listWaitingActions } from './task-queue-store.ts';

/** Running users' tasks of one process: administrators' tasks never wait long. */
const maximumOfUsers = 3;
/** Running tasks of one process. */
const maximumRunning = 5;
/** How often the scheduler looks for due tasks, in milliseconds. */
const loopInterval = 2_000;
/** How often finished tasks are deleted, in milliseconds. */
const cleaningInterval = 60_000;
const deletedAtOnce = 500;
/** How long finished tasks are kept, in milliseconds. */
const retention = 7 * 24 * 60 * 60 * 1000;

export type Scheduler = {
  /**
   * Adds a task and returns its ID. If one of its kind is already waiting for the same resource, returns that one. In a
   * transaction, call `wake` after the commit.
   *
   * @throws TypeError for parameters that don't match the kind
   */
  schedule<Params extends TSchema>(
    kind: TaskKind<Params>,
    task: NewTask<Static<Params>>,
    tx?: Tx,
  ): Promise<string>;
  /** Looks for due tasks immediately, in every process. */
  wake(): void;
  get(id: string): Promise<Task | undefined>;
  /** Begins to run tasks. */
  start(ownership: Ownership): void;
  /** Stops running tasks at their next safe point and waits for them. They continue after the next start. */
  stop(): Promise<void>;
};

/** @param actions tasks of other actions, of older or newer versions, fail */
export function createScheduler(
  { db, clock, log, notifier }: { db: Database; clock: Clock; log: Log; notifier: Notifier },
  actions: readonly TaskAction[],
): Scheduler {
  const known = new Map(actions.map((action) => [action.kind.action, action]));
  const running = new Map<string, { action: string; end: Promise<void> }>();
  /** When a task of each action was last started, in starts. */
  const lastStarts = new Map<string, number>();
  let starts = 0;
  const stopping = new AbortController();
  let ownership: Ownership | undefined;
  let nextCleaning = 0;
  let cancelTimer = () => {};
  /** One round after the other, so that no task is started twice. */
  let loop: Promise<void> = Promise.resolve();
  /** Whether a round is queued. */
  let isAwake = false;

  const logFault = (err: unknown) => log.error({ err }, 'tasks: scheduler failed:');

  const look = () => {
    if (!ownership || isAwake || stopping.signal.aborted) return;
    isAwake = true;
    loop = loop
      .then(() => {
        isAwake = false;
        return startDueTasks();
      })
      .then(deleteSome)
      .catch(logFault);
  };

  notifier.listen('tasks', look);
  const wake = () => notifier.wake('tasks');

  const tick = () => {
    look();
    cancelTimer = clock.after(loopInterval, tick);
  };

  async function startDueTasks(): Promise<void> {
    if (isFull()) return;
    for (const id of await listActiveTasks(db)) {
      if (isFull()) return;
      // Its process has died or failed.
      if (!running.has(id)) await takeUp(id);
    }
    // An idle server only reads.
    if (!(await hasDueTask(db, databaseTime(db, clock)))) return;
    const waiting = new Set(await listWaitingActions(db));
    while (!isFull()) {
      const action = nextAction(waiting, {
        running: [...running.values()].map((task) => task.action),
        lastStarts,
        actions: known,
      });
      if (action === undefined) return;
      const id = await activateNextTask(db, action, databaseTime(db, clock));
      if (id === undefined) waiting.delete(action);
      else await takeUp(id);
    }
  }

  /** Runs an active task unless another process owns it. */
  async function takeUp(id: string): Promise<void> {
    const owned = await ownership?.tryOwn(`task ${id}`);
    if (!owned) return;
    let task: Task | undefined;
    try {
      // It may have ended in the meantime.
      task = await findActiveTask(db, id);
    } finally {
      if (!task) await owned.release();
    }
    if (task) launch(task, owned);
  }

  /** Deletes some old tasks in each round. */
  async function deleteSome(): Promise<void> {
    const now = clock.now();
    if (now < nextCleaning || stopping.signal.aborted) return;
    const deleted = await deleteFinishedTasks(db, now - retention, deletedAtOnce);
    if (deleted < deletedAtOnce) nextCleaning = now + cleaningInterval;
  }

  const isFull = () => stopping.signal.aborted || running.size >= maximumRunning;

  function launch(task: Task, owned: Owned): void {
    lastStarts.set(task.action, ++starts);
    const signal = AbortSignal.any([stopping.signal, owned.lost]);
    const run = async () => {
      let hasFailed = false;
      try {
        await performTask({ db, clock, actions: known }, task, owned, signal);
      } catch (fault) {
        hasFailed = true;
        // The database was suspended when it was lost.
        const error = owned.lost.aborted ? owned.lost.reason : fault;
        if (error instanceof OwnershipLost) log.warn(`tasks: ${error.message}`);
        else logFault(error);
      }
      await owned.release();
      running.delete(task.id);
      // If it failed, a later round takes it over.
      if (!hasFailed) look();
    };
    running.set(task.id, { action: task.action, end: run() });
  }

  return {
    async schedule({ action, params: schema }, { params, requestedBy, resourceId, timestampMs }, tx) {
      if (!Value.Check(schema, params)) {
        throw new TypeError(`invalid parameters for task ${action}: ${parameterFault(schema, params)}`);
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
    start(granted) {
      ownership = granted;
      tick();
    },
    async stop() {
      stopping.abort();
      cancelTimer();
      await loop;
      await Promise.all([...running.values()].map(({ end }) => end));
    },
  };
}

type Turns = {
  /** Actions of the running tasks of this process. */
  running: readonly string[];
  /** When a task of each action was last started, in starts. */
  lastStarts: ReadonlyMap<string, number>;
  actions: ReadonlyMap<string, TaskAction>;
};

/**
 * Returns the action of which a task starts next, if any may. Administrators' come before users'; then the one with the
 * fewest running tasks; then the one that has waited longest.
 */
function nextAction(waiting: Iterable<string>, { running, lastStarts, actions }: Turns): string | undefined {
  const isOfUsers = (action: string) => actions.get(action)?.kind.requestedBy === 'users';
  const usersMayRun = running.filter(isOfUsers).length < maximumOfUsers;
  const rank = (action: string) =>
    [
      isOfUsers(action) ? 1 : 0,
      running.filter((each) => each === action).length,
      lastStarts.get(action) ?? 0,
    ] as const;
  const [first] = [...waiting]
    .filter((action) => usersMayRun || !isOfUsers(action))
    .map((action) => ({ action, rank: rank(action) }))
    .sort(({ rank: one }, { rank: other }) => one[0] - other[0] || one[1] - other[1] || one[2] - other[2]);
  return first?.action;
}

/**
 * Schedules a task and returns its ID, unless one of its kind waits or runs for the same resource.
 *
 * @param lock locks the resource until the transaction ends, so that a concurrent request finds this task
 * @throws MatrixError 400 with the sentence
 */
export async function scheduleOnce<Params extends TSchema>(
  { db, tasks }: { db: Database; tasks: Scheduler },
  kind: TaskKind<Params>,
  task: NewTask<Static<Params>> & { resourceId: string },
  lock: (tx: Tx, resourceId: string) => Promise<unknown>,
  sentence: string,
): Promise<string> {
  const id = await inTransaction(db, async (tx) => {
    await lock(tx, task.resourceId);
    if (await hasUnfinishedTask(tx, kind.action, task.resourceId)) throw unknownError(sentence);
    return tasks.schedule(kind, task, tx);
  });
  tasks.wake();
  return id;
}
