/** Times counted by day, week or month. */
import { i18n } from '@lingui/core';
import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { binsOf } from '../../renderer/components/plot/day-bins.ts';
import { TimePlot } from '../../renderer/components/plot/TimePlot.tsx';

const at = (text: string) => new Date(text).getTime();
const days = (text: string, count: number) =>
  Array.from({ length: count }, (_, index) => at(text) + index * 86_400_000);

test.each([
  [days('2026-03-01T12:00', 1), 'day', 1],
  [days('2026-03-01T12:00', 92), 'day', 92],
  [days('2026-03-01T12:00', 93), 'week', 15],
  [[at('2024-01-01T12:00'), at('2026-01-01T12:00')], 'month', 25],
  [[], 'day', 0],
])('%# has the finest unit that fits', (times, unit, count) => {
  const found = binsOf(times);
  expect([found.unit, found.bins.length]).toEqual([unit, count]);
});

test('a bin counts from its start to before its end', () => {
  const { bins } = binsOf([at('2026-03-01T00:00'), at('2026-03-01T23:59:59.999'), at('2026-03-03T00:00')]);
  expect(bins.map(({ from, count }) => [new Date(from).getDate(), count])).toEqual([
    [1, 2],
    [2, 0],
    [3, 1],
  ]);
});

test('weeks begin on Monday', () => {
  const { bins } = binsOf(days('2026-01-01T12:00', 120));
  expect(new Set(bins.map(({ from }) => new Date(from).getDay()))).toEqual(new Set([1]));
});

test('times of hostile clocks count in the first bin, and impossible ones nowhere', () => {
  const { unit, bins } = binsOf([at('0001-01-01T00:00'), at('2026-03-01T12:00'), 9e15, Number.NaN]);
  expect([unit, bins.length, bins[0]?.count, bins.at(-1)?.count]).toEqual(['month', 92, 1, 1]);
});

test('bins follow each other and count every time once', () => {
  const times = fc.array(fc.integer({ min: at('2000-01-01T00:00'), max: at('2030-01-01T00:00') }), {
    minLength: 1,
    maxLength: 40,
  });
  fc.assert(
    fc.property(times, (all) => {
      const { bins } = binsOf(all);
      expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(all.length);
      for (const [index, { from }] of bins.entries()) if (index > 0) expect(from).toBe(bins[index - 1]?.to);
      expect(Math.max(...all)).toBeLessThan(bins.at(-1)?.to ?? 0);
    }),
  );
});

test.each([
  ['without the year', '2026-08-01T12:00', /Jan 5 .*max: 1.*Jul 27/],
  ['with it, if they are far apart', '2027-01-01T12:00', /Jan 5, 2026.*max: 1.*Dec 28, 2026/],
])("a plot's ends are days %s", (_, last, expected) => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  const { bins } = binsOf([at('2026-01-05T12:00'), at(last)]);
  const plot = createElement(TimePlot, { title: 'Reports', bins, labelOf: () => '' });
  expect(renderToStaticMarkup(plot).replace(/<[^>]*>/g, ' ')).toMatch(expected);
});
