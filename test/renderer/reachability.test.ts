import { expect, test, vi } from 'vitest';
import { reachabilityStore } from '../../renderer/transport/reachability.ts';

const reply = (status: number) => async () => ({ status, body: {} });
const ended = async () => {
  const store = reachabilityStore();
  await store.track('a', reply(401));
  return store;
};

test('a session that has ended is not brought back by what is answered to everyone', async () => {
  const store = await ended();
  await store.track('a', reply(200), true);
  expect(store.of('a')).toBe('signed-out');
});

test('nor by the reply to what was asked before it ended', async () => {
  const store = reachabilityStore();
  const { promise, resolve } = Promise.withResolvers<{ status: number; body: object }>();
  const earlier = store.track('a', () => promise);
  await store.track('a', reply(401));
  resolve(await reply(200)());
  await earlier;
  expect(store.of('a')).toBe('signed-out');
});

test('one that is accepted again is', async () => {
  const store = await ended();
  await store.track('a', reply(200));
  expect(store.of('a')).toBe('connected');
});

test('a slow request makes the server slow until it is answered', async () => {
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
