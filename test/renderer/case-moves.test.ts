/** Steps from one case to another. */
import { expect, test } from 'vitest';
import { caseFurther } from '../../renderer/features/reports/cases/use-case-moves.ts';

const rowsOf = (keys: string) => [...keys].map((key) => ({ key }));

test.each([
  ['b', 1, 'c'],
  ['b', -1, 'a'],
  ['a', -1, 'a'],
  ['e', 1, 'e'],
  ['b', 2, 'd'],
  ['c', Number.POSITIVE_INFINITY, 'e'],
  ['c', Number.NEGATIVE_INFINITY, 'a'],
  // Nothing is open.
  [undefined, 1, 'a'],
  [undefined, -1, 'a'],
  // Not from this list.
  ['z', 1, 'a'],
])('from %s by %d to %s', (key, by, expected) => {
  expect(caseFurther({ rows: rowsOf('abcde'), places: [...'abcde'] }, key, by)).toBe(expected);
});

test.each([
  ['c', 1, 'd'],
  ['c', -1, 'b'],
  ['c', 2, 'e'],
  ['c', -2, 'a'],
  ['c', Number.POSITIVE_INFINITY, 'e'],
])('from %s, which left the list, by %d to %s', (key, by, expected) => {
  expect(caseFurther({ rows: rowsOf('abde'), places: [...'abcde'] }, key, by)).toBe(expected);
});

test('from the first or last case after it left the list', () => {
  const places = [...'abc'];
  expect([1, -1].map((by) => caseFurther({ rows: rowsOf('bc'), places }, 'a', by))).toEqual(['b', 'b']);
  expect([1, -1].map((by) => caseFurther({ rows: rowsOf('ab'), places }, 'c', by))).toEqual(['b', 'b']);
  expect(caseFurther({ rows: [], places }, 'a', 1)).toBeUndefined();
});
