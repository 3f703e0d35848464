import { expect, test } from 'vitest';
import { ellipsize, truncate } from '../../renderer/words/clip.ts';

test.each([
  ['a short text', 'abc', 3, 'abc'],
  ['letters', 'abcd', 3, 'abc'],
  ['an emoji', 'aa👍b', 3, 'aa'],
  ['an emoji with its skin', 'aa👍🏽b', 5, 'aa'],
  ['an emoji that has room', 'aa👍🏽b', 6, 'aa👍🏽'],
  ['a family', 'a👨\u200D👩\u200D👧b', 4, 'a'],
  ['one flag of two', '🇩🇪🇫🇷', 6, '🇩🇪'],
  ['a letter with its accent', 'e\u0301e\u0301', 3, 'e\u0301'],
  ['accents without end', `a${'\u0301'.repeat(500)}`, 100, `a${'\u0301'.repeat(99)}`],
  ['half a character among accents without end', `👍${'\u0301'.repeat(500)}`, 1, ''],
])('%s is cut at whole characters', (_, text, most, shown) => {
  expect(truncate(text, most)).toBe(shown);
});

test('a cut text ends with an ellipsis', () => {
  expect(ellipsize('aa👍', 3)).toBe('aa…');
  expect(ellipsize('aa👍', 4)).toBe('aa👍');
});
