import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from 'typebox';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { soleOwner } from '../../../server/platform/cluster/ownership.ts';
import { createNotifier } from '../../../server/platform/concurrency/notifier.ts';
import { createLog } from '../../../server/platform/core/log.ts';
import { DatabaseFault } from '../../../server/platform/database/fault.ts';
import { migrate } from '../../../server/platform/database/migrate.ts';
import { openSqlite } from '../../../server/platform/database/sqlite/sqlite.ts';
import { inTransaction } from '../../../server/platform/database/transaction.ts';
import { insertTask } from '../../../server/platform/tasks/scheduled-task-store.ts';
import { createScheduler, type Scheduler } from '../../../server/platform/tasks/scheduler.ts';
import type { TaskAction, TaskKind, TaskOutcome, TaskRun } from '../../../server/platform/tasks/task.ts';
import { manualClock } from '../../manual-clock.ts';
import { until } from '../../until.ts';

const logged = { level: 'error', format: 'text' } as const;
const minute = 60_000;
const day = 24 * 60 * minute;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-tasks-'));
});
afterEach(() => rm(directory, { recursive: true }));

const params = Type.Object({
  name: Type.Optional(Type.String()),
  depth: Type.Optional(Type.Integer()),
  room: Type.Optional(Type.Integer()),
});
const work = { action: 'work', params, requestedBy: 'administrators' } satisfies TaskKind;
/** Tasks that users trigger. */
const errand = { action: 'errand', params, requestedBy: 'users' } satisfies TaskKind;
const chore = { action: 'chore', params, requestedBy: 'users' } satisfies TaskKind;
const requestedBy = '@admin:localhost';

/** Opens a scheduler whose task runs the test controls. */
async function open(clock = manualClock()) {
  const db = await openSqlite(join(directory, 'tasks.db'));
  await migrate(db);
  const runs: (TaskRun & { finish(outcome: TaskOutcome): void; fail(error: Error): void })[] = [];
  const doing = (kind: TaskKind): TaskAction => ({
    kind,
    run: (run) =>
      new Promise((finish, fail) => {
        runs.push({ ...run, finish, fail });
        run.signal.addEventListener('abort', () => fail(run.signal.reason));
      }),
  });
  const scheduler = createScheduler(
    { db, clock, log: createLog(logged, clock), notifier: createNotifier('this') },
    [work, errand, chore].map(doing),
  );
  const close = async () => {
    await scheduler.stop();
    await db.destroy();
  };
  const running = (count: number) => until(() => expect(runs).toHaveLength(count));
  /** Returns the `name` parameters of started tasks, in order. */
  const begun = () => runs.map(({ params }) => (params as { name?: string }).name);
  return { db, clock, scheduler, runs, running, begun, close };
}

const ended = (scheduler: Scheduler, id: string) =>
  until(async () => {
    const task = await scheduler.get(id);
    expect(task?.status).toMatch(/complete|failed/);
    return task;
  });

test('a due task runs at once and keeps its result', async () => {
  const { clock, scheduler, runs, running, close } = await open();
  scheduler.start(soleOwner);
  const id = await scheduler.schedule(work, {
    params: { depth: 3 },
    requestedBy,
    resourceId: '!room:localhost',
  });
  await running(1);
  expect(await scheduler.get(id)).toMatchObject({ status: 'active', resourceId: '!room:localhost' });
  expect(runs[0]?.task.params).toEqual({ depth: 3 });

  clock.advance(minute);
  runs[0]?.finish({ status: 'complete', result: { deleted: 7 } });
  expect(await ended(scheduler, id)).toMatchObject({
    status: 'complete',
    result: { deleted: 7 },
    error: null,
    timestampMs: clock.now(),
  });
  await close();
});

test.each<[string, (run: { finish(outcome: TaskOutcome): void; fail(error: Error): void }) => void, string]>([
  ['reports a failure', (run) => run.finish({ status: 'failed', error: 'No such room' }), 'No such room'],
  ['throws', (run) => run.fail(new Error('the disk is full')), 'the disk is full'],
])('a task that %s keeps its error', async (_, end, error) => {
  const { scheduler, runs, running, close } = await open();
  scheduler.start(soleOwner);
  const id = await scheduler.schedule(work, { params: {}, requestedBy });
  await running(1);
  if (runs[0]) end(runs[0]);
  expect(await ended(scheduler, id)).toMatchObject({ status: 'failed', error });
  await close();
});

test('a task with an unknown action fails with an error', async () => {
  const { db, clock, scheduler, close } = await open();
  const id = 'unknown';
  const task = { id, action: 'forgotten', status: 'scheduled', timestampMs: clock.now() } as const;
  await insertTask(db, { ...task, resourceId: null, params: { old: true }, result: null, error: null });
  scheduler.start(soleOwner);
  expect(await ended(scheduler, id)).toMatchObject({ status: 'failed', error: 'Unknown action: forgotten' });
  await close();
});

test('a task for later waits until it is due', async () => {
  const { clock, scheduler, runs, running, close } = await open();
  scheduler.start(soleOwner);
  const due = clock.now() + 3 * 60 * minute;
  const id = await scheduler.schedule(work, { params: {}, requestedBy, timestampMs: due });
  // A later task's run shows that the scheduler has skipped the first one.
  await scheduler.schedule(work, { params: {}, requestedBy });
  await running(1);
  expect(await scheduler.get(id)).toMatchObject({ status: 'scheduled', timestampMs: due });
  clock.advance(3 * 60 * minute);
  await running(2);
  expect(runs[1]?.task.id).toBe(id);
  await close();
});

test('at most five run at once, and the next starts when one ends', async () => {
  const { scheduler, runs, running, close } = await open();
  scheduler.start(soleOwner);
  const ids: string[] = [];
  for (let count = 0; count < 8; count++)
    ids.push(await scheduler.schedule(work, { params: {}, requestedBy }));
  await running(5);
  const statuses = async () => Promise.all(ids.map(async (id) => (await scheduler.get(id))?.status));
  expect((await statuses()).filter((status) => status === 'active')).toHaveLength(5);
  runs[0]?.finish({ status: 'complete' });
  await running(6);
  expect((await statuses()).filter((status) => status === 'active')).toHaveLength(5);
  await close();
});

describe('when the process ends', () => {
  test('active tasks run again after the next start from their saved progress', async () => {
    const clock = manualClock();
    const first = await open(clock);
    first.scheduler.start(soleOwner);
    const id = await first.scheduler.schedule(work, { params: { room: 1 }, requestedBy });
    await first.running(1);
    await first.runs[0]?.progress({ purged: 40 });
    await first.close();

    const second = await open(clock);
    expect(await second.scheduler.get(id)).toMatchObject({ status: 'active', result: { purged: 40 } });
    second.scheduler.start(soleOwner);
    await second.running(1);
    expect(second.runs[0]?.task).toMatchObject({ id, params: { room: 1 }, result: { purged: 40 } });
    second.runs[0]?.finish({ status: 'complete', result: { purged: 100 } });
    expect(await ended(second.scheduler, id)).toMatchObject({ status: 'complete', result: { purged: 100 } });
    await second.close();
  });

  test('tasks scheduled by another process are found on the next loop', async () => {
    const server = await open();
    server.scheduler.start(soleOwner);
    const other = await open();
    await other.scheduler.schedule(work, { params: {}, requestedBy });
    await other.close();
    server.clock.advance(5_000);
    await server.running(1);
    await server.close();
  });
});

test('an idle scheduler only reads', async () => {
  const { db, clock, scheduler, close } = await open();
  const [reads, writes] = [vi.spyOn(db, 'selectFrom'), vi.spyOn(db, 'updateTable')];
  scheduler.start(soleOwner);
  await until(() => {
    clock.advance(2_000);
    expect(reads.mock.calls.length).toBeGreaterThan(10);
  });
  expect(writes).not.toHaveBeenCalled();
  await close();
});

test.each(['complete', 'failed'] as const)('a %s task is deleted after a week', async (status) => {
  const clock = manualClock();
  const first = await open(clock);
  first.scheduler.start(soleOwner);
  const id = await first.scheduler.schedule(work, { params: {}, requestedBy });
  await first.running(1);
  first.runs[0]?.finish({ status });
  await ended(first.scheduler, id);
  await first.close();

  clock.advance(7 * day);
  const second = await open(clock);
  second.scheduler.start(soleOwner);
  // This task's run shows that the scheduler has checked the queue.
  await second.scheduler.schedule(work, { params: {}, requestedBy });
  await second.running(1);
  expect(await second.scheduler.get(id)).toBeDefined();
  clock.advance(minute);
  await until(async () => expect(await second.scheduler.get(id)).toBeUndefined());
  await second.close();
});

test('many finished tasks are deleted in consecutive batches without a pause', async () => {
  const { db, clock, scheduler, close } = await open();
  const task = { action: 'work', status: 'complete', timestampMs: clock.now() - 8 * day } as const;
  const unused = { resourceId: null, params: {}, result: null, error: null };
  await inTransaction(db, async (tx) => {
    for (let index = 0; index < 1_200; index++) {
      await insertTask(tx, { ...task, ...unused, id: `old${index}` });
    }
  });
  scheduler.start(soleOwner);
  await until(async () => {
    scheduler.wake();
    const left = await Promise.all(['old0', 'old600', 'old1199'].map(scheduler.get));
    expect(left.filter(Boolean)).toEqual([]);
  });
  await close();
});

describe('parameters', () => {
  test('are validated when a task is scheduled', async () => {
    const { scheduler, close } = await open();
    // @ts-expect-error a depth is a number
    const wrong = scheduler.schedule(work, { params: { depth: 'three' }, requestedBy });
    await expect(wrong).rejects.toThrow('/depth');
    await close();
  });

  test('are validated when it runs: one left by another build fails and says why', async () => {
    const { db, clock, scheduler, runs, close } = await open();
    const task = { id: 'odd', action: 'work', status: 'scheduled', timestampMs: clock.now() } as const;
    await insertTask(db, {
      ...task,
      resourceId: null,
      params: { depth: 'three' },
      result: null,
      error: null,
    });
    scheduler.start(soleOwner);
    expect((await ended(scheduler, 'odd'))?.error).toContain('/depth');
    expect(runs).toEqual([]);
    await close();
  });
});

describe('order of tasks', () => {
  const by = (user: string, name = user) => ({ params: { name }, requestedBy: `@${user}:localhost` });

  test('waiting tasks for one resource are one with the latest parameters, after the running one', async () => {
    const { scheduler, runs, running, begun, close } = await open();
    const resourceId = '!room:localhost';
    scheduler.start(soleOwner);
    const first = await scheduler.schedule(work, { ...by('alice', 'first'), resourceId });
    await running(1);
    const ids = await Promise.all(
      ['second', 'third', 'fourth'].map((name) =>
        scheduler.schedule(work, { ...by('alice', name), resourceId }),
      ),
    );
    expect(new Set(ids).size).toBe(1);
    expect(ids).not.toContain(first);
    // A task of another kind shows that the scheduler has checked the queue.
    await scheduler.schedule(errand, { ...by('alice', 'errand'), resourceId });
    await running(2);
    expect(begun()).toEqual(['first', 'errand']);
    runs[0]?.finish({ status: 'complete' });
    await running(3);
    expect(begun()[2]).toBe('fourth');
    await close();
  });

  test("an admin's task starts before users' tasks that have waited longer", async () => {
    const { clock, scheduler, runs, running, begun, close } = await open();
    for (let count = 0; count < 5; count++) await scheduler.schedule(work, by('admin', `admin ${count}`));
    scheduler.start(soleOwner);
    await running(5);
    await scheduler.schedule(errand, by('alice'));
    clock.advance(1);
    await scheduler.schedule(work, by('admin', 'next'));
    runs[0]?.finish({ status: 'complete' });
    await running(6);
    expect(begun()[5]).toBe('next');
    await close();
  });

  test('a user with many tasks waits behind those with one', async () => {
    const { clock, scheduler, runs, running, begun, close } = await open();
    for (let count = 0; count < 20; count++) await scheduler.schedule(work, by('alice', `alice ${count}`));
    for (const user of ['bob', 'carol']) {
      clock.advance(1);
      await scheduler.schedule(work, by(user));
    }
    scheduler.start(soleOwner);
    await running(5);
    expect(begun()).toEqual(['alice 0', 'bob', 'carol', 'alice 1', 'alice 2']);
    clock.advance(1);
    await scheduler.schedule(work, by('dave'));
    runs[0]?.finish({ status: 'complete' });
    await running(6);
    expect(begun()).toContain('alice 3');
    runs[1]?.finish({ status: 'complete' });
    await running(7);
    expect(begun()).toContain('dave');
    await close();
  });

  test("kinds take turns, and admins' tasks run among users' tasks", async () => {
    const { scheduler, running, begun, close } = await open();
    for (let count = 0; count < 50; count++) {
      await scheduler.schedule(errand, {
        ...by(`user${count}`, 'errand'),
        resourceId: `@user${count}:localhost`,
      });
    }
    await scheduler.schedule(chore, by('alice', 'chore'));
    scheduler.start(soleOwner);
    await running(3);
    expect(begun().sort()).toEqual(['chore', 'errand', 'errand']);
    await scheduler.schedule(work, by('admin'));
    await running(4);
    expect(begun()[3]).toBe('admin');
    await close();
  });

  test('of very many tasks only as many are read as can start', async () => {
    const { db, clock, scheduler, running, close } = await open();
    let parsed = 0;
    const parse = JSON.parse;
    for (let count = 0; count < 3000; count++) {
      await insertTask(db, {
        id: `task ${count}`,
        action: 'errand',
        status: 'scheduled',
        timestampMs: clock.now(),
        resourceId: `@user${count}:localhost`,
        params: {},
        result: null,
        error: null,
      });
    }
    vi.spyOn(JSON, 'parse').mockImplementation((...given) => {
      parsed++;
      return parse(...given);
    });
    scheduler.start(soleOwner);
    await running(3);
    await scheduler.schedule(work, { params: {}, requestedBy });
    await running(4);
    expect(parsed).toBeLessThan(20);
    vi.restoreAllMocks();
    await close();
  });
});

describe('temporary database faults', () => {
  const deadlock = () => new DatabaseFault('contended', new Error('deadlock detected'));

  test('are retried, while the task stays active', async () => {
    const { clock, scheduler, runs, running, close } = await open();
    scheduler.start(soleOwner);
    const id = await scheduler.schedule(work, { params: {}, requestedBy });
    await running(1);
    await runs[0]?.progress({ done: 1 });
    runs[0]?.fail(deadlock());
    await until(() => {
      clock.advance(1000);
      expect(runs).toHaveLength(2);
    });
    expect(runs[1]?.task).toMatchObject({ id, result: { done: 1 } });
    expect(await scheduler.get(id)).toMatchObject({ status: 'active', error: null });
    runs[1]?.finish({ status: 'complete', result: { done: 2 } });
    expect(await ended(scheduler, id)).toMatchObject({
      status: 'complete',
      result: { done: 2 },
      error: null,
    });
    await close();
  });

  test('keep the task active while the database is away, and it completes afterwards', async () => {
    const { clock, scheduler, runs, close } = await open();
    scheduler.start(soleOwner);
    const id = await scheduler.schedule(work, { params: {}, requestedBy });
    await until(() => {
      clock.advance(minute);
      for (const run of runs) run.fail(new DatabaseFault('unavailable', new Error('it is being restarted')));
      expect(runs.length).toBeGreaterThan(7);
    });
    expect(await scheduler.get(id)).toMatchObject({ status: 'active', error: null });
    await until(async () => {
      clock.advance(minute);
      for (const run of runs) run.finish({ status: 'complete' });
      expect((await scheduler.get(id))?.status).toBe('complete');
    });
    await close();
  });

  test("aren't retried forever: then the task fails and says why", async () => {
    const { clock, scheduler, runs, close } = await open();
    scheduler.start(soleOwner);
    const id = await scheduler.schedule(work, { params: {}, requestedBy });
    await until(async () => {
      clock.advance(minute);
      for (const run of runs) run.fail(deadlock());
      expect((await scheduler.get(id))?.status).toBe('failed');
    });
    expect(await scheduler.get(id)).toMatchObject({ error: expect.stringContaining('deadlock detected') });
    expect(runs.length).toBeGreaterThan(2);
    expect(runs.length).toBeLessThan(20);
    await close();
  });
});
