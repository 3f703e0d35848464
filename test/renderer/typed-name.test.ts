import { expect, test } from 'vitest';
import type { Action } from '../../renderer/actions/action.ts';
import type { Choice } from '../../renderer/actions/bar/choices.ts';
import type { Item } from '../../renderer/actions/items.ts';
import type { Cautions } from '../../renderer/actions/panel/cautions.ts';
import { isTyped, typedFor } from '../../renderer/actions/panel/cautions.ts';
import { stubPage } from './page-stub.ts';

stubPage();

const ofOne = (userId: string, chosen: Pick<Action, 'typed'>[]) => {
  const choice = { action: { typed: 'many' }, known: {} } as unknown as Choice;
  return typedFor(choice, { items: [{ kind: 'user', userId }], own: false, protection: undefined }, chosen);
};

const ofProtected = (chosen: Pick<Action, 'typed'>[]) => {
  const choice = { action: {}, known: {} } as unknown as Choice;
  const items: Item[] = [{ kind: 'user', userId: '@eve:x' }];
  return typedFor(choice, { items, own: false, protection: { by: 'admin' } }, chosen);
};

const wanted = (count: number, typed?: Action['typed'], isProduction = false) => {
  const items = Array.from({ length: count }, (_, at): Item => ({ kind: 'user', userId: `@u${at}:x` }));
  const choice = { action: typed ? { typed, destructive: true } : {}, items, known: {} } as unknown as Choice;
  return typedFor(choice, { items, own: false } as unknown as Cautions, undefined, isProduction)?.text;
};

test.each([
  ['one, reversible', wanted(1), undefined],
  ['fifty, reversible', wanted(50), undefined],
  ['more, reversible', wanted(51), '51'],
  ['two, irreversible', wanted(2, true), '2'],
  ['one, irreversible', wanted(1, true), 'u0'],
  ['one, irreversible for many', wanted(1, 'many'), undefined],
  ['a step that is irreversible', ofOne('@eve:x', [{}, { typed: true }])?.text, 'eve'],
  ['one, protected', ofProtected([])?.text, '@eve:x'],
  ['two, irreversible for many', wanted(2, 'many'), '2'],
  ['two of few', wanted(2, 'over 20'), undefined],
  ['two of few, in production', wanted(2, 'over 20', true), '2'],
  ['one of few, in production', wanted(1, 'over 20', true), undefined],
  ['two, reversible, in production', wanted(2, undefined, true), undefined],
])('%s: the text to type', (_case, text, expected) => {
  expect(text).toBe(expected);
});

test('a user is named by localpart or full ID', () => {
  const eve = ofOne('@eve:x', [{ typed: true }]);
  expect(['eve', ' @eve:x ', 'ev', 'eve:x'].map((typed) => eve && isTyped(typed, eve))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("a room is named by its address if its name can't be typed, or by its ID", () => {
  const items: Item[] = [{ kind: 'room', roomId: '!AbCdEfGh:x', name: 'endless '.repeat(40).trim() }];
  const of = (room: object) =>
    typedFor({ action: { typed: true }, known: { room } } as unknown as Choice, {
      items,
      own: false,
      protection: undefined,
    });
  expect(of({ canonical_alias: '#endless:x' })).toEqual({ text: '#endless:x', is: 'name' });
  expect(of({})).toEqual({ text: 'AbCdEf', is: 'beginning', whole: '!AbCdEfGh:x' });
});

test('an ID is confirmed by its beginning, with or without its sigil, in any case', () => {
  const room = { text: 'AbCdEf', is: 'beginning', whole: '!AbCdEfGh:x' } as const;
  const typed = ['AbCdEf', ' !abcdef ', '@ABCDEF', 'AbCdE', 'AbCdEfG', '#AbCdEf'];
  expect(typed.map((text) => isTyped(text, room))).toEqual([true, true, true, false, false, false]);
});
