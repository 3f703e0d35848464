import { expect, test } from 'vitest';
import { rank } from '../../renderer/features/frame/palette-ranking.ts';

const entries = [
  { label: 'Allow cross-signing reset' },
  { label: 'Reset password', keywords: ['forgot'] },
  { label: 'Block room', keywords: ['lock'] },
  { label: 'Lock user', keywords: ['disable', ' ban'] },
  { label: 'Shadow-ban user' },
  { label: 'Unban from room' },
  { label: 'Ban from room' },
  { label: 'Users', keywords: ['reset password'] },
  { label: 'Carla', description: '@resettler:example.org' },
  { label: 'Urban life' },
];

test.each([
  ['reset', ['Reset password', 'Allow cross-signing reset', 'Users', 'Carla']],
  ['Reset  ', ['Reset password', 'Allow cross-signing reset', 'Users', 'Carla']],
  ['ban', ['Ban from room', 'Shadow-ban user', 'Lock user', 'Unban from room', 'Urban life']],
  ['lock', ['Lock user', 'Block room']],
  ['user', ['Users', 'Lock user', 'Shadow-ban user']],
  ['disable', ['Lock user']],
  ['room ban', ['Ban from room']],
  ['users', ['Users']],
  ['nothing like it', []],
])('%j finds %j, in this order', (query, found) => {
  expect(rank(query, entries).map(({ label }) => label)).toEqual(found);
});

test('all entries are kept in order while nothing is typed', () => {
  expect(rank(' ', entries)).toEqual(entries);
});
