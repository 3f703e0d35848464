/** Times in words. */
import { i18n } from '@lingui/core';
import { beforeAll, expect, test } from 'vitest';
import { exactTime, relativeTime } from '../../renderer/components/time.ts';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', locales: ['en'], messages: {} }));

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];
test.each([
  [-59 * second, 'just now', 'just now'],
  [20 * second, 'just now', 'just now'],
  [21 * second, 'in a moment', 'in a moment'],
  [-minute, '1m ago', '1 minute ago'],
  [-119 * second, '1m ago', '1 minute ago'],
  [-59 * minute, '59m ago', '59 minutes ago'],
  [-hour, '1h ago', '1 hour ago'],
  [2 * hour, 'in 2h', 'in 2 hours'],
  [-day, '1d ago', 'yesterday'],
  [-29 * day, '29d ago', '29 days ago'],
  [-30 * day, '1mo ago', 'last month'],
  [-365 * day, '1y ago', 'last year'],
])('%d ms from now is %s, in sentences %s', (distance, narrow, long) => {
  const now = Date.now();
  expect(relativeTime(now + distance, now, 'narrow')).toBe(narrow);
  expect(relativeTime(now + distance, now, 'long')).toBe(long);
});

test('an impossible time is shown as it is', () => {
  expect(exactTime(9e15)).toBe('invalid time: 9000000000000000');
  expect(exactTime(new Date('2026-03-12T12:00').getTime())).toContain('March 12, 2026');
});
