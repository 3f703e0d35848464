import { expect, test, vi } from 'vitest';
import { reachabilityStore } from '../../renderer/transport/reachability.ts';
import { ConnectionFailure } from '../../shared/connection.ts';

const reply = (status: number) => async () => ({ status, body: {} });
const ended = async () => {
  const store = reachabilityStore();
  await store.track('a', reply(401));
  return store;
};

test("an ended session isn't revived by public endpoints", async () => {
  const store = await ended();
  await store.track('a', reply(200), true);
  expect(store.of('a')).toBe('signed-out');
});

test("an ended session isn't revived by replies to earlier requests", async () => {
  const store = reachabilityStore();
  const { promise, resolve } = Promise.withResolvers<{ status: number; body: object }>();
  const earlier = store.track('a', () => promise);
  await store.track('a', reply(401));
  resolve(await reply(200)());
  await earlier;
  expect(store.of('a')).toBe('signed-out');
});

test('an accepted session is revived', async () => {
  const store = await ended();
  await store.track('a', reply(200));
  expect(store.of('a')).toBe('connected');
});

test('a slow request marks the server as slow until it is answered', async () => {
  vi.useFakeTimers();
  const store = reachabilityStore();
  const { promise, resolve } = Promise.withResolvers<{ status: number; body: object }>();
  const slow = store.track('a', () => promise);
  await vi.advanceTimersByTimeAsync(2_000);
  await store.track('a', reply(200));
  expect(store.of('a')).toBe('slow');
  resolve(await reply(200)());
  await slow;
  await store.track('a', reply(200));
  expect(store.of('a')).toBe('connected');
  vi.useRealTimers();
});

const failing = (code: ConstructorParameters<typeof ConnectionFailure>[0]) => async () => {
  throw new ConnectionFailure(code, 'Failed.');
};

test.each([
  ['four errors in a row', [500, 501, 500, 500], 'failing'],
  ['three errors in a row', [500, 500, 500], 'connected'],
  ['errors with replies between them', [500, 500, 500, 200, 500], 'connected'],
  ['a reply after errors', [500, 500, 500, 500, 200], 'connected'],
  ['a reply of a proxy alone', [200, 503], 'offline'],
  ['refusals', [403, 404, 400, 429], 'connected'],
])('the state after %s', async (_, statuses, expected) => {
  const store = reachabilityStore();
  for (const status of statuses) await store.track('a', reply(status));
  await store.track('b', reply(200));
  expect([store.of('a'), store.of('b'), store.of('c')]).toEqual([expected, 'connected', 'unknown']);
});

test.each([
  ['unreachable', 'offline'],
  ['timeout', 'offline'],
  ['no_such_connection', 'signed-out'],
  ['refused', 'connected'],
] as const)('after the failure %s, the server is %s', async (code, expected) => {
  const store = reachabilityStore();
  await store.track('a', reply(200));
  await expect(store.track('a', failing(code))).rejects.toThrow('Failed.');
  expect(store.of('a')).toBe(expected);
  await store.track('a', reply(200));
  expect(store.of('a')).toBe('connected');
});

test('a new session makes it connected, and listeners are called on changes only', async () => {
  const store = await ended();
  const changes: string[] = [];
  const unsubscribe = store.subscribe(() => changes.push(store.of('a')));
  store.reset('a');
  await store.track('a', reply(200));
  unsubscribe();
  await store.track('a', reply(401));
  expect(changes).toEqual(['connected']);
});
