import { expect, test } from 'vitest';
import { restartDelay } from '../../electron/homeserver/back-off.ts';

test('doubles the wait after each crash, then gives up', () => {
  const crashes: number[] = [];
  const delays = [0, 1_000, 2_000, 3_000, 4_000].map((at) => {
    crashes.push(at);
    return restartDelay(crashes);
  });
  expect(delays).toEqual([250, 500, 1_000, 2_000, undefined]);
});

test('forgets crashes older than a minute', () => {
  expect(restartDelay([0, 0, 0, 0, 60_000])).toBe(250);
  expect(restartDelay([0, 0, 0, 0, 59_999])).toBe(undefined);
});
