/** Days of the local calendar as in fields and addresses, also where the clocks change. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayOf, endOfDay, localTime, startOfDay } from '../../renderer/words/format.ts';

const { TZ: before } = process.env;
// Summer time begins on 29 March and ends on 25 October 2026.
beforeAll(() => {
  process.env.TZ = 'Europe/Berlin';
});
afterAll(() => {
  if (before === undefined) delete process.env.TZ;
  else process.env.TZ = before;
});

test.each([
  ['2026-03-01', '2026-02-28T23:00:00.000Z', '2026-03-01T22:59:59.999Z', 24],
  ['2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z', 23],
  ['2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z', 25],
  ['2026-12-31', '2026-12-30T23:00:00.000Z', '2026-12-31T22:59:59.999Z', 24],
])('%s is from %s to %s, %d hours', (day, start, end, hours) => {
  const [from = 0, to = 0] = [startOfDay(day), endOfDay(day)];
  expect([from, to].map((time) => new Date(time).toISOString())).toEqual([start, end]);
  expect((to + 1 - from) / 3_600_000).toBe(hours);
  expect([from, to].map(dayOf)).toEqual([day, day]);
  expect(dayOf(to + 1)).not.toBe(day);
});

test.each([undefined, '', 'soon', '2026-13-01'])('%s is no day', (day) => {
  expect([startOfDay(day), endOfDay(day)]).toEqual([undefined, undefined]);
});

test.each([
  [undefined, ''],
  [Number.NaN, ''],
  [9e15, ''],
  [Date.UTC(2026, 6, 1, 10, 5, 7), '2026-07-01T12:05'],
  [Date.UTC(2026, 0, 1, 10, 5, 7), '2026-01-01T11:05'],
])('the time %s in a field is %s', (time, expected) => {
  expect(localTime(time, 'minute')).toBe(expected);
  expect(localTime(time, 'second').slice(0, 16)).toBe(expected);
});
