import { expect, test } from 'vitest';
import { growthOf } from '../../renderer/features/home/growth.ts';

const hour = 3_600_000;
const now = new Date(2026, 10, 20, 15).getTime();
const accounts = (count: number, hoursAgo: number) => Array<number>(count).fill(now - hoursAgo * hour);

test('a day with partly loaded accounts has no count', () => {
  const { bins, cutDay, atLeast } = growthOf(accounts(500, 2), false, now);
  expect(bins.map(({ count }) => count)).toEqual([500]);
  expect(cutDay).toBe(new Date(2026, 10, 20).getTime());
  expect(atLeast).toBe(true);
});

test('days before the oldest loaded account have no count', () => {
  const { bins, cutDay, lastDay } = growthOf([...accounts(3, 2), ...accounts(497, 30)], false, now);
  expect(bins.map(({ count }) => count)).toEqual([497, 3]);
  expect(cutDay).toBe(new Date(2026, 10, 19).getTime());
  expect(lastDay).toBe(3);
});

test('all accounts of 30 days are counted', () => {
  const { bins, cutDay } = growthOf(accounts(3, 2), true, now);
  expect(bins).toHaveLength(30);
  expect(bins.at(-1)?.count).toBe(3);
  expect(cutDay).toBeUndefined();
});

test.each([
  ['20 days with one each', Array.from({ length: 20 }, (_, index) => accounts(1, 24 * (index + 2))), true],
  ['days that were as busy', [1.5, 2.5, 3.5, 4.5].map((days) => accounts(30, 24 * days)), false],
  ['quiet days', [accounts(1, 24 * 4.5)], true],
  // Without history, nothing is unusual: a new server gets all its accounts at once.
  ['no day', [], false],
  ['one day', [accounts(2, 24 * 1.5)], false],
])('60 accounts in a day after %s', (_, before, isUnusual) => {
  expect(growthOf([...accounts(60, 1), ...before.flat()], true, now).isUnusual).toBe(isUnusual);
});
