/** JSON as a tree: rows, search, paths and text. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  initiallyOpen,
  jsonMatches,
  jsonRows,
  jsonText,
  jsonTree,
  openAncestors,
  pathText,
} from '../../renderer/components/json/json-rows.ts';

const event = {
  type: 'm.room.message',
  content: { body: 'Hello', 'm.relates_to': { event_id: '$1', members: ['@a:x', '@b:x'] } },
  empty: {},
  long: Array.from({ length: 13 }, (_, index) => index),
};

test('rows are in the order of the document, those of closed nodes left out', () => {
  const tree = jsonTree(event);
  const names = (open: ReturnType<typeof initiallyOpen>) =>
    jsonRows(tree, open).map(({ name, depth }) => `${' '.repeat(depth)}${name}`);
  expect(names(new Set())).toEqual(['undefined']);
  // Two levels are open at first, but no lists of more than twelve.
  expect(names(initiallyOpen(tree))).toEqual([
    'undefined',
    ' type',
    ' content',
    '  body',
    '  m.relates_to',
    ' empty',
    ' long',
  ]);
});

test('the search finds names and values in any case, and shows them', () => {
  const tree = jsonTree(event);
  const found = (text: string) => jsonMatches(tree, text).map(pathText);
  expect(found('HELLO')).toEqual(['content.body']);
  expect(found('@b')).toEqual(['content["m.relates_to"].members[1]']);
  expect(found('event_id')).toEqual(['content["m.relates_to"].event_id']);
  expect(found('12')).toEqual(['long[12]']);
  expect(found('nowhere')).toEqual([]);
  const [deep] = jsonMatches(tree, '@b');
  expect(deep && jsonRows(tree, openAncestors(deep, new Set())).includes(deep)).toBe(true);
});

test('a search ends after a thousand matches', () => {
  expect(jsonMatches(jsonTree(Array(2_000).fill('x')), 'x')).toHaveLength(1_000);
});

test('the text is that of JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      expect(jsonText(value)).toBe(JSON.stringify(value, null, 2));
    }),
  );
});

test('values deeper than the call stack can be shown, and are indented only so far', () => {
  let value: unknown = 'end';
  for (let depth = 0; depth < 50_000; depth++) value = [value];
  const tree = jsonTree(value);
  const [match] = jsonMatches(tree, 'end');
  expect(match?.depth).toBe(50_000);
  const lines = jsonText(value).split('\n');
  expect(lines).toHaveLength(100_001);
  expect(Math.max(...lines.map((line) => line.length))).toBe(205);
});
