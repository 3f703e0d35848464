import { expect, test, vi } from 'vitest';
import { reachabilityStore } from '../../renderer/transport/reachability.ts';

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
