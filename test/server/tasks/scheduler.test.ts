import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLog } from '../../../server/core/log.ts';
import { migrate } from '../../../server/database/migrate.ts';
import { openSqlite } from '../../../server/database/sqlite.ts';
import { createScheduler, type Scheduler } from '../../../server/tasks/scheduler.ts';
import type { TaskAction, TaskOutcome, TaskRun } from '../../../server/tasks/task.ts';
import { manualClock } from '../../manual-clock.ts';

const logged = { level: 'error', format: 'text' } as const;
const minute = 60_000;
const day = 24 * 60 * minute;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-tasks-'));
});
afterEach(() => rm(directory, { recursive: true }));

/** A scheduler whose tasks do what the test tells each run to do. */
async function open(clock = manualClock()) {
  const db = openSqlite(join(directory, 'tasks.db'));
  await migrate(db);
  const runs: (TaskRun & { finish(outcome: TaskOutcome): void; fail(error: Error): void })[] = [];
  const work: TaskAction = (run) =>
    new Promise((finish, fail) => {
      runs.push({ ...run, finish, fail });
      run.signal.addEventListener('abort', () => fail(run.signal.reason));
    });
  const scheduler = createScheduler(db, clock, new Map([['work', work]]), createLog(logged, clock));
  const close = async () => {
    await scheduler.stop();
    await db.destroy();
  };
  const running = (count: number) => vi.waitFor(() => expect(runs).toHaveLength(count));
  return { clock, scheduler, runs, running, close };
}

const ended = (scheduler: Scheduler, id: string) =>
  vi.waitFor(async () => {
    const task = await scheduler.get(id);
    expect(task?.status).toMatch(/complete|failed/);
    return task;
  });

test('a task that is due runs at once and keeps its result', async () => {
  const { clock, scheduler, runs, running, close } = await open();
  scheduler.start();
  const id = await scheduler.schedule({
    action: 'work',
    params: { depth: 3 },
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
  ['says that it failed', (run) => run.finish({ status: 'failed', error: 'No such room' }), 'No such room'],
  ['throws', (run) => run.fail(new Error('the disk is full')), 'the disk is full'],
])('a task that %s keeps its error', async (_, end, error) => {
  const { scheduler, runs, running, close } = await open();
  scheduler.start();
  const id = await scheduler.schedule({ action: 'work', params: {} });
  await running(1);
  if (runs[0]) end(runs[0]);
  expect(await ended(scheduler, id)).toMatchObject({ status: 'failed', error });
  await close();
});

test('a task of an action that nobody knows fails and says so', async () => {
  const { scheduler, close } = await open();
  scheduler.start();
  const id = await scheduler.schedule({ action: 'forgotten', params: {} });
  expect(await ended(scheduler, id)).toMatchObject({ status: 'failed', error: 'No such action: forgotten' });
  await close();
});

test('a task for later waits until it is due', async () => {
  const { clock, scheduler, runs, running, close } = await open();
  scheduler.start();
  const due = clock.now() + 3 * 60 * minute;
  const id = await scheduler.schedule({ action: 'work', params: {}, timestampMs: due });
  // A task after it shows that the scheduler has looked and left the later one alone.
  await scheduler.schedule({ action: 'work', params: {} });
  await running(1);
  expect(await scheduler.get(id)).toMatchObject({ status: 'scheduled', timestampMs: due });
  clock.advance(3 * 60 * minute);
  await running(2);
  expect(runs[1]?.task.id).toBe(id);
  await close();
});

test('at most five run at once; the next starts when one ends', async () => {
  const { scheduler, runs, running, close } = await open();
  scheduler.start();
  const ids: string[] = [];
  for (let count = 0; count < 8; count++) ids.push(await scheduler.schedule({ action: 'work', params: {} }));
  await running(5);
  const statuses = async () => Promise.all(ids.map(async (id) => (await scheduler.get(id))?.status));
  expect((await statuses()).filter((status) => status === 'active')).toHaveLength(5);
  runs[0]?.finish({ status: 'complete' });
  await running(6);
  expect((await statuses()).filter((status) => status === 'active')).toHaveLength(5);
  await close();
});

describe('when the process ends', () => {
  test('what was active runs again after the next start, with what it had reached', async () => {
    const clock = manualClock();
    const first = await open(clock);
    first.scheduler.start();
    const id = await first.scheduler.schedule({ action: 'work', params: { room: 1 } });
    await first.running(1);
    await first.runs[0]?.progress({ purged: 40 });
    await first.close();

    const second = await open(clock);
    expect(await second.scheduler.get(id)).toMatchObject({ status: 'active', result: { purged: 40 } });
    second.scheduler.start();
    await second.running(1);
    expect(second.runs[0]?.task).toMatchObject({ id, params: { room: 1 }, result: { purged: 40 } });
    second.runs[0]?.finish({ status: 'complete', result: { purged: 100 } });
    expect(await ended(second.scheduler, id)).toMatchObject({ status: 'complete', result: { purged: 100 } });
    await second.close();
  });

  test('what another process scheduled is found on the next loop', async () => {
    const server = await open();
    server.scheduler.start();
    const other = await open();
    await other.scheduler.schedule({ action: 'work', params: {} });
    await other.close();
    server.clock.advance(5_000);
    await server.running(1);
    await server.close();
  });
});

test('a finished task is forgotten after a week', async () => {
  const clock = manualClock();
  const first = await open(clock);
  first.scheduler.start();
  const id = await first.scheduler.schedule({ action: 'work', params: {} });
  await first.running(1);
  first.runs[0]?.finish({ status: 'complete' });
  await ended(first.scheduler, id);
  await first.close();

  clock.advance(7 * day);
  const second = await open(clock);
  second.scheduler.start();
  // A task that ran shows that the scheduler has looked.
  await second.scheduler.schedule({ action: 'work', params: {} });
  await second.running(1);
  expect(await second.scheduler.get(id)).toBeDefined();
  clock.advance(minute);
  await vi.waitFor(async () => expect(await second.scheduler.get(id)).toBeUndefined());
  await second.close();
});
