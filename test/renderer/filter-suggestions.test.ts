/** What typed text in the filter of reports can mean. */
import { expect, test } from 'vitest';
import { filterSuggestions } from '../../renderer/features/reports/filter-suggestions.ts';
import type { EventReportItem } from '../../shared/api/reports.ts';

const report = (
  room_id: string,
  user_id: string,
  sender: string | null,
  names: Partial<Pick<EventReportItem, 'name' | 'canonical_alias'>> = {},
) => ({ room_id, user_id, sender, name: null, canonical_alias: null, ...names }) as EventReportItem;

const reports = [
  report('!cats', '@ada:x', '@eve:x', { name: 'Cats', canonical_alias: '#felines:x' }),
  report('!cats', '@bob:x', '@eve:x', { name: 'Cats', canonical_alias: '#felines:x' }),
  report('!dogs', '@ada:x', '@eve:x', { canonical_alias: '#dogs:x' }),
  report('!none', '@eve:x', null),
];
const found = (typed: string, aliased?: { alias: string; roomId: string }) =>
  filterSuggestions(reports, typed, aliased).map(({ filter, id, count }) => `${filter} ${id} ${count}`);

test.each([
  ['EVE', ['sender @eve:x 3', 'reporter @eve:x 1']],
  [' ada ', ['reporter @ada:x 2']],
  ['cat', ['room !cats 2']],
  ['felines', ['room !cats 2']],
  ['!dog', ['room !dogs 1', 'room !dog 0']],
  ['nothing', []],
])('%j, most frequent first', (typed, expected) => {
  expect(found(typed)).toEqual(expected);
});

test('without text, the five most frequent of each filter are suggested', () => {
  const many = Array.from({ length: 9 }, (_, index) =>
    Array.from({ length: index + 1 }, () => report(`!${index}`, '@ada:x', null)),
  ).flat();
  const suggestions = filterSuggestions(many, '');
  expect(suggestions.map(({ id }) => id)).toEqual(['@ada:x', '!8', '!7', '!6', '!5', '!4']);
});

test('complete IDs and aliases are suggested without a report, once', () => {
  expect(found('@new:y')).toEqual(['reporter @new:y 0', 'sender @new:y 0']);
  expect(found('@ada:x')).toEqual(['reporter @ada:x 2', 'sender @ada:x 0']);
  expect(found('!new')).toEqual(['room !new 0']);
  expect(found('!cats')).toEqual(['room !cats 2']);
  expect(found('#new:y', { alias: '#new:y', roomId: '!new' })).toEqual(['room !new 0']);
  expect(found('#new:y', { alias: '#other:y', roomId: '!other' })).toEqual([]);
  expect([found('@new'), found('@new one:y'), found('! new')]).toEqual([[], [], []]);
});

test('a room has its name, else its alias', () => {
  const rooms = filterSuggestions(reports, '!').filter(({ count }) => count > 0);
  expect(rooms.map(({ id, name, alias }) => [id, name, alias])).toEqual([
    ['!cats', 'Cats', '#felines:x'],
    ['!dogs', '#dogs:x', '#dogs:x'],
    ['!none', undefined, undefined],
  ]);
});
