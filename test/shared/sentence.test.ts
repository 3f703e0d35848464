import { expect, test } from 'vitest';
import { english } from '../../shared/sentence.ts';

test.each([
  [0, '0 notes'],
  [1, '1 note'],
  [2, '2 notes'],
])('the plural of %s', (count, text) => {
  expect(english('{count, plural, one {# note} other {# notes}}', { count })).toBe(text);
});

test('values are filled in, unknown ones stay visible, and doubled apostrophes become one', () => {
  expect(english("{name} can''t reach {place}", { name: 'Ada' })).toBe("Ada can't reach {place}");
});
