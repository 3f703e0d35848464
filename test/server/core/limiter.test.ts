import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  createLimiter,
  type LimiterOptions,
  QueueFull,
} from '../../../server/platform/concurrency/limiter.ts';

/** A limiter whose tasks end under the test's control. `started` lists the started tasks in order. */
function observedLimiter(options: LimiterOptions) {
  const limiter = createLimiter(options);
  const started: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const run = (name: string, signal?: AbortSignal) => {
    const result = limiter.run(
      // The key is the letter of a name such as `a1`.
      name.slice(0, 1),
      () => {
        started.push(name);
        return new Promise<string>((resolve, reject) => {
          ends.set(name, (error) => (error ? reject(error) : resolve(name)));
        });
      },
      signal,
    );
    result.catch(() => {});
    return result;
  };
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error);
    await nextTurn();
  };
  /** Ends started tasks one after another until none waits. */
  const endAll = async () => {
    for (let index = 0; index < started.length; index++) await end(started[index] ?? '');
    return started;
  };
  return { limiter, started, run, end, endAll };
}

test('keys take turns, and the work of one key runs in order', async () => {
  const { run, endAll } = observedLimiter({ total: 1 });
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) run(name);
  expect(await endAll()).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
});

test('the limits of concurrent runs apply in total and per key', async () => {
  const { run, end, started } = observedLimiter({ total: 3, perKey: 2 });
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1']) run(name);
  expect(started).toEqual(['a1', 'a2', 'b1']);
  await end('b1');
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1']);
  await end('a2');
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
});

test('results and errors are passed on, and an error frees the slot', async () => {
  const { run, end, started } = observedLimiter({ perKey: 1 });
  const [first, second] = [run('a1'), run('a2')];
  await end('a1', new Error('broken'));
  await expect(first).rejects.toThrow('broken');
  expect(started).toEqual(['a1', 'a2']);
  await end('a2');
  expect(await second).toBe('a2');
});

test('too many calls of one key are rejected', async () => {
  const { run, endAll } = observedLimiter({ total: 1, queuedPerKey: 1 });
  for (const name of ['a1', 'a2']) run(name);
  await expect(run('a3')).rejects.toThrow(QueueFull);
  run('b1');
  expect(await endAll()).toEqual(['a1', 'a2', 'b1']);
});

test('a full queue rejects the newest of the longest key, if others have less', async () => {
  const { run, endAll } = observedLimiter({ total: 1, queued: 3 });
  const [, , , newest] = ['a1', 'a2', 'a3', 'a4'].map((name) => run(name));
  await expect(run('a5')).rejects.toThrow(QueueFull);
  run('b1');
  await expect(newest).rejects.toThrow(QueueFull);
  // Two `a` tasks and one `b` task wait; another `b` would be level with `a`.
  await expect(run('b2')).rejects.toThrow(QueueFull);
  expect(await endAll()).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('an aborted call leaves the queue, and running ones continue', async () => {
  const { run, end, endAll } = observedLimiter({ total: 1, queued: 1 });
  const leaving = new AbortController();
  const running = run('a1', leaving.signal);
  const waiting = run('a2', leaving.signal);
  leaving.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  await expect(run('a3', leaving.signal)).rejects.toThrow('gone');
  run('b1');
  await end('a1');
  expect(await running).toBe('a1');
  expect(await endAll()).toEqual(['a1', 'b1']);
});

test('all queued calls can be rejected', async () => {
  const { limiter, run, endAll } = observedLimiter({ perKey: 1 });
  run('a1');
  const waiting = [run('a2'), run('a3')];
  limiter.rejectQueued(new Error('stopping'));
  for (const outcome of waiting) await expect(outcome).rejects.toThrow('stopping');
  run('a4');
  expect(await endAll()).toEqual(['a1', 'a4']);
});
