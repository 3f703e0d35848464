import { expect, test } from 'vitest';
import { asOneEntry } from '../../electron/log-entry.ts';

test.each([
  ['a line', 'The page crashed: oom', 'The page crashed: oom'],
  ['a stack', 'Error: x\n    at main.js', 'Error: x\n      at main.js'],
  [
    'what looks like an entry',
    'x\r\n2026-11-22T00:00:00.000Z error y',
    'x\n  2026-11-22T00:00:00.000Z error y',
  ],
  ['lines of other kinds', 'x\u20282026 error y\r2026 error z', 'x\n  2026 error y2026 error z'],
  ['what a terminal acts on', '\u001b[2Jx\u0007\u009b', '[2Jx'],
  ['a whole page', 'x'.repeat(20_000), 'x'.repeat(10_000)],
])('%s', (_, text, entry) => {
  expect(asOneEntry(text)).toBe(entry);
});
