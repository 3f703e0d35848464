import { expect, test } from 'vitest';
import { createThumbnailQueue } from '../../../server/media/thumbnail-queue.ts';

const busy = { status: 429, errcode: 'M_LIMIT_EXCEEDED', details: { retry_after_ms: expect.any(Number) } };

/** A queue whose work ends when the test says so; `begun` is what was begun, in order. */
function observedQueue() {
  const queue = createThumbnailQueue();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (
    name: string,
    picture: string,
    { pixels = 30e6, signal = new AbortController().signal } = {},
  ) => {
    const run = () => {
      begun.push(picture);
      return new Promise<void>((resolve) => ends.set(picture, resolve));
    };
    return queue.wait(picture, { pixels, run }, { name, signal });
  };
  const end = (picture: string, waiting: Promise<void>) => {
    ends.get(picture)?.();
    return waiting;
  };
  return { queue, begun, ask, end };
}

test('everyone has a turn after the other, however much one asks for', async () => {
  const { begun, ask, end } = observedQueue();
  const waiting = new Map<string, Promise<void>>();
  for (const [name, picture] of [
    ['alice', 'a1'],
    ['alice', 'a2'],
    ['alice', 'a3'],
    ['bob', 'b1'],
    ['bob', 'b2'],
    ['carol', 'c1'],
  ] as const) {
    waiting.set(picture, ask(name, picture));
  }
  for (let count = 1; count <= waiting.size; count++) {
    const picture = begun.at(-1) ?? '';
    expect(begun).toHaveLength(count);
    await end(picture, waiting.get(picture) as Promise<void>);
    await Promise.resolve();
  }
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
});

test('a small picture does not wait for a large one, and only one of each is decoded at a time', () => {
  const { begun, ask } = observedQueue();
  for (const picture of ['large', 'larger']) ask('alice', picture).catch(() => {});
  for (const picture of ['small', 'smaller']) ask('bob', picture, { pixels: 1e6 }).catch(() => {});
  expect(begun).toEqual(['large', 'small']);
});

test('who asks for the same picture shares one job, at whoever’s turn comes first', async () => {
  const { begun, ask, end } = observedQueue();
  const first = ask('alice', 'a1');
  const second = ask('alice', 'a2');
  const shared = [ask('alice', 'shared'), ask('bob', 'shared')];
  await end('a1', first);
  await expect.poll(() => begun).toEqual(['a1', 'a2']);
  await end('a2', second);
  await expect.poll(() => begun).toEqual(['a1', 'a2', 'shared']);
  shared.push(ask('carol', 'shared'));
  await end(
    'shared',
    Promise.all(shared).then(() => {}),
  );
  expect(begun).toEqual(['a1', 'a2', 'shared']);
});

test('what nobody waits for any more is not begun', async () => {
  const { begun, ask, end } = observedQueue();
  const leaving = new AbortController();
  const first = ask('alice', 'a1');
  const left = ask('alice', 'left', { signal: leaving.signal });
  const halfLeft = [ask('alice', 'half left', { signal: leaving.signal }), ask('bob', 'half left')];
  leaving.abort();
  await expect(left).rejects.toMatchObject(busy);
  await expect(halfLeft[0]).rejects.toMatchObject(busy);
  await expect(ask('alice', 'late', { signal: leaving.signal })).rejects.toMatchObject(busy);
  await end('a1', first);
  await expect.poll(() => begun).toEqual(['a1', 'half left']);
  await end('half left', halfLeft[1] as Promise<void>);
});

test('what one asks for too much is refused, and not what others ask for', async () => {
  const { queue, begun, ask } = observedQueue();
  const waiting = Array.from({ length: 101 }, (_, index) => ask('alice', `a${index}`));
  const outcomes = Promise.allSettled(waiting.slice(1));
  await expect(ask('alice', 'one more')).rejects.toMatchObject(busy);
  const bobs = ask('bob', 'b1');
  const bobsOutcome = expect(bobs).rejects.toMatchObject(busy);
  queue.stop();
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: busy });
  await bobsOutcome;
  await expect(ask('alice', 'after the end')).rejects.toMatchObject(busy);
  expect(begun).toEqual(['a0']);
});
