import { expect, test } from 'vitest';
import { addedPerDay } from '../../renderer/features/home/figures.ts';

const at = (day: number, hour = 12) => new Date(2026, 9, day, hour).getTime();
const counts = (days: { at: number; total: number }[]) =>
  addedPerDay(days).map(({ from, count }) => [new Date(from).getDate(), count]);

test('additions count on their day, and removals as zero', () => {
  expect(
    counts([
      { at: at(1), total: 10 },
      { at: at(2, 23), total: 15 },
      { at: at(3, 1), total: 12 },
      { at: at(4), total: 13 },
    ]),
  ).toEqual([
    [2, 5],
    [3, 0],
    [4, 1],
  ]);
});

// Daylight saving time ends on October 25 in much of Europe, so this day has 25 hours.
test('a gap is spread over its days without loss', () => {
  const days = counts([
    { at: at(23), total: 0 },
    { at: at(27), total: 10 },
  ]);
  expect(days).toEqual([
    [24, 2],
    [25, 3],
    [26, 2],
    [27, 3],
  ]);
});
