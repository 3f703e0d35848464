import { expect, test } from 'vitest';
import { areSameColumns, areSameSearch, viewsOf } from '../../renderer/team/saved-views.ts';

const at = { by: '@a:x', at: 1 };

test("a list's views are those with fitting content, sorted by name", () => {
  const documents = new Map([
    ['1', { ...at, content: { list: 'users', name: 'Suspended', search: { is: ['suspended'] } } }],
    ['2', { ...at, content: { list: 'rooms', name: 'Empty', search: {} } }],
    ['3', { ...at, content: { list: 'users', name: 'Bots', search: {} } }],
    ['4', { ...at, content: { list: 'users', name: 4 } }],
  ]);
  expect(viewsOf(documents, 'users').map(({ name }) => name)).toEqual(['Bots', 'Suspended']);
});

test('a view is open if its filters are on, in any order', () => {
  expect(areSameSearch({ a: 1, b: ['x'] }, { b: ['x'], a: 1, c: undefined })).toBe(true);
  expect(areSameSearch({ a: 1 }, { a: 2 })).toBe(false);
});

test('the columns of a view are equal in any order, and any if it has none', () => {
  expect(areSameColumns({ toggled: ['a', 'b'] }, { toggled: ['b', 'a'], wanted: [] })).toBe(true);
  expect(areSameColumns({ toggled: ['a'] }, { toggled: ['a'], unwanted: ['c'] })).toBe(false);
  expect(areSameColumns(undefined, { toggled: ['a'] })).toBe(true);
});
