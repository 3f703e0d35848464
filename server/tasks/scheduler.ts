/**
 * Runs background tasks, a few at a time, and remembers them: what was active when the process died runs
 * again. Administrators' tasks go first, kinds take turns, and so do those who want tasks of one kind.
 * Interface: "States and transitions".
 */
import { randomUUID } from 'node:crypto';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { DatabaseFault } from '../database/fault.ts';
import type { Database } from '../database/schema.ts';
import type { Tx } from '../database/transaction.ts';
import { createPatience } from './patience.ts';
import { deleteFinishedTasks, findTask, updateTask } from './scheduled-task-store.ts';
import type { NewTask, Task, TaskAction, TaskKind, TaskOutcome } from './task.ts';
import { enqueueTask, listActiveTasks, listWaitingActions, startNextTask } from './task-queue-store.ts';

/** How many tasks run at once. */
const maximumRunning = 5;
/** How many of them may be what users set off: an administrator always finds a place soon. */
const maximumOfUsers = 3;
/** How often the scheduler looks for what has become due, in milliseconds. */
const loopInterval = 2_000;
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
  /** Looks for tasks that are due, without waiting for the next loop. */
  wake(): void;
  get(id: string): Promise<Task | undefined>;
  /** Begins to run tasks; until then they are only kept. */
  start(): void;
  /** Asks what runs to stop at its next safe point and waits for it; it goes on after the next start. */
  stop(): Promise<void>;
};

/** Tasks of actions that are not among these, which other releases may have left, fail and say so. */
export function createScheduler(
  db: Database,
  clock: Clock,
  actions: readonly TaskAction[],
  log: Log,
): Scheduler {
  const known = new Map(actions.map((action) => [action.kind.action, action]));
  const running = new Map<string, { task: Task; end: Promise<void> }>();
  /** When each action had a task started last, in starts: who has waited longest is next among equals. */
  const lastStarts = new Map<string, number>();
  let starts = 0;
  const stopping = new AbortController();
  const patiently = createPatience(clock, stopping.signal);
  let started = false;
  let nextCleaning = 0;
  let cancelTimer = () => {};
  /** One look at the tasks after another, never two at once, so that none is started twice. */
  let loop: Promise<void> = Promise.resolve();
  /** Whether a look is to come that has not begun. */
  let isAwake = false;

  /** The database itself failed: there is nothing that can be kept, so it is said where an operator looks. */
  const reportFault = (err: unknown) => log.error({ err }, 'The scheduler met a fault:');

  const wake = () => {
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

  const tick = () => {
    wake();
    cancelTimer = clock.after(loopInterval, tick);
  };

  async function startDueTasks(): Promise<void> {
    if (isFull()) return;
    const now = clock.now();
    // Taken before the tasks are read: what ends in between must not be taken for one that has to resume.
    const runningAlready = new Set(running.keys());
    for (const task of await listActiveTasks(db, runningAlready.size + maximumRunning)) {
      if (isFull()) return;
      if (!runningAlready.has(task.id)) launch(task);
    }
    const waiting = new Set(await listWaitingActions(db));
    while (!isFull()) {
      const action = nextAction(waiting);
      if (action === undefined) return;
      const task = await startNextTask(db, action, { now, busy: busyResources(action) });
      if (task) launch(task);
      else waiting.delete(action);
    }
  }

  /** Some of what ended long ago, a piece at each look, so that nothing waits for it. */
  async function clearAway(): Promise<void> {
    const now = clock.now();
    if (now < nextCleaning || stopping.signal.aborted) return;
    const deleted = await deleteFinishedTasks(db, now - retention, clearedAtOnce);
    if (deleted < clearedAtOnce) nextCleaning = now + cleaningInterval;
  }

  const isFull = () => stopping.signal.aborted || running.size >= maximumRunning;

  const isOfUsers = (action: string) => known.get(action)?.kind.askedBy === 'users';
  const countRunning = (isCounted: (action: string) => boolean) =>
    [...running.values()].filter(({ task }) => isCounted(task.action)).length;
  const busyResources = (action: string) =>
    [...running.values()].flatMap(({ task }) => (task.action === action ? (task.resourceId ?? []) : []));

  /** Administrators' before users'; then what least of is running; then what has waited longest. */
  function nextAction(waiting: Iterable<string>): string | undefined {
    const usersMayRun = countRunning(isOfUsers) < maximumOfUsers;
    const rank = (action: string) =>
      [
        isOfUsers(action) ? 1 : 0,
        countRunning((each) => each === action),
        lastStarts.get(action) ?? 0,
      ] as const;
    const [first] = [...waiting]
      .filter((action) => usersMayRun || !isOfUsers(action))
      .map((action) => ({ action, rank: rank(action) }))
      .sort(({ rank: one }, { rank: other }) => one[0] - other[0] || one[1] - other[1] || one[2] - other[2]);
    return first?.action;
  }

  function launch(task: Task): void {
    lastStarts.set(task.action, ++starts);
    const end = perform(task).then(
      () => {
        running.delete(task.id);
        wake();
      },
      (error: unknown) => {
        // It stays active, and the next loop takes it up again.
        running.delete(task.id);
        reportFault(error);
      },
    );
    running.set(task.id, { task, end });
  }

  async function perform(task: Task): Promise<void> {
    const outcome = await outcomeOf(task);
    // A task that was told to stop has not ended: it stays active and runs again.
    if (stopping.signal.aborted && outcome.status !== 'complete') return;
    await patiently(() => updateTask(db, task.id, { ...outcome, timestampMs: clock.now() }));
  }

  async function outcomeOf(task: Task): Promise<TaskOutcome> {
    const action = known.get(task.action);
    if (!action) return { status: 'failed', error: `No such action: ${task.action}` };
    const { params: schema } = action.kind;
    const params = Value.Default(schema, task.params);
    if (!Value.Check(schema, params)) {
      return {
        status: 'failed',
        error: `Parameters that this release can't read: ${faultOf(schema, params)}`,
      };
    }
    const { signal } = stopping;
    const progress = (result: unknown) => updateTask(db, task.id, { result });
    let current = task;
    return patiently(
      () => action.run({ task: current, params, signal, progress }),
      async () => {
        current = (await findTask(db, task.id)) ?? current;
      },
    ).catch((error: unknown) => {
      // However long the database is away: the task stays active, and the next loop takes it up again.
      if (error instanceof DatabaseFault && error.kind !== 'contended') throw error;
      return { status: 'failed', error: error instanceof Error ? error.message : String(error) };
    });
  }

  return {
    async schedule({ action, params: schema }, { params, requestedBy, resourceId, timestampMs }, tx) {
      if (!Value.Check(schema, params)) {
        throw new TypeError(`${action} can't be scheduled like this: ${faultOf(schema, params)}`);
      }
      const id = await enqueueTask(tx ?? db, {
        id: randomUUID(),
        action,
        timestampMs: timestampMs ?? clock.now(),
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

function faultOf(schema: TSchema, params: unknown): string {
  const [fault] = Value.Errors(schema, params);
  return fault ? `${fault.instancePath} ${fault.message}`.trim() : 'they are of another shape';
}
