import { expect, test } from 'vitest';
import { asOneEntry, shortened } from '../../electron/log-entry.ts';

test.each([
  ['a line', 'window: page crashed: oom', 'window: page crashed: oom'],
  ['a stack', 'Error: x\n    at main.js', 'Error: x\n      at main.js'],
  [
    'text that looks like an entry',
    'x\r\n2026-11-22T00:00:00.000Z error y',
    'x\n  2026-11-22T00:00:00.000Z error y',
  ],
  ['lines of other kinds', 'x\u20282026 error y\r2026 error z', 'x\n  2026 error y2026 error z'],
  ['terminal escapes', '\u001b[2Jx\u0007\u009b', '[2Jx'],
])('%s', (_, text, entry) => {
  expect(asOneEntry(text)).toBe(entry);
});

test.each([
  ['a line', 'window: page crashed: oom', 'window: page crashed: oom'],
  ['a whole page of text', 'word '.repeat(4_000), 'word '.repeat(2_000)],
  ['a word that is cut off', `${'word '.repeat(1_999)}syt_b64_secret`, 'word '.repeat(1_999)],
  ['a word as long as a page', 'x'.repeat(20_000), 'x'.repeat(9_700)],
])('%s is truncated to its limit', (_, text, kept) => {
  expect(shortened(text)).toBe(kept);
});
