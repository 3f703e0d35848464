import { expect, test } from 'vitest';
import { stateRows } from '../../renderer/features/rooms/state/StateTree.tsx';

const state = [
  { type: 'm.room.name', state_key: '', sender: '@ada:x' },
  { type: 'm.room.member', state_key: '@bob:x', sender: '@bob:x' },
  { type: 'm.room.member', state_key: '@ada:x', sender: '@ada:x' },
];
const idsOf = (...asked: Parameters<typeof stateRows>) => stateRows(...asked).map(({ id }) => id);

test('types are sorted, and expanded ones show their state keys', () => {
  expect(idsOf(state, new Set(), undefined)).toEqual(['type m.room.member', 'type m.room.name']);
  expect(idsOf(state, new Set(['m.room.member']), undefined)).toEqual([
    'type m.room.member',
    'event m.room.member @ada:x',
    'event m.room.member @bob:x',
    'type m.room.name',
  ]);
});

test('a search expands its matches in types, keys and senders', () => {
  expect(idsOf(state, new Set(), 'BOB')).toEqual(['type m.room.member', 'event m.room.member @bob:x']);
  expect(idsOf(state, new Set(), 'nothing')).toEqual([]);
});
