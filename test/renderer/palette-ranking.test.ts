import { i18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { actionLabel } from '../../renderer/actions/action-words.ts';
import { catalogue } from '../../renderer/actions/catalogue/catalogue.ts';
import { keywordsOf, rank } from '../../renderer/features/frame/CommandPalette.tsx';

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
  { label: 'Token statistics' },
  { label: 'Tokens' },
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
  ['token', ['Tokens', 'Token statistics']],
  ['nothing like it', []],
])('%j finds %j, in this order', (query, found) => {
  expect(rank(query, entries).map(({ label }) => label)).toEqual(found);
});

test('all entries keep their order without input', () => {
  expect(rank(' ', entries)).toEqual(entries);
});

i18n.loadAndActivate({ locale: 'en', locales: ['en'], messages: {} });

const actions = catalogue.map(({ id }) => ({
  id,
  label: actionLabel({ action: id }),
  keywords: keywordsOf(`act ${id}`),
}));

test.each([
  ['reset', 'reset-password'],
  ['password', 'reset-password'],
  ['ban', 'ban-member'],
  ['kick', 'kick-member'],
  ['lock out', 'lock-user'],
])('%j finds the action %s first', (query, first) => {
  expect(rank(query, actions)[0]?.id).toBe(first);
});

test.each([
  ['ban', ['unban-member', 'lock-user', 'suspend-user']],
  ['delete', ['delete-report', 'deactivate-user', 'redact-event', 'shut-down-room']],
  ['remove', ['redact-event', 'delete-media', 'shut-down-room', 'deactivate-user']],
  ['purge', ['purge-room', 'purge-history', 'purge-media-copies', 'delete-media']],
  ['disable', ['deactivate-user', 'lock-user', 'suspend-user']],
])('%j finds the actions %j', (query, found) => {
  expect(rank(query, actions).map(({ id }) => id)).toEqual(expect.arrayContaining(found));
});

test.each([
  ['backup', '/local-server'],
  ['password', '/users'],
])('%j finds the screen %s', (query, id) => {
  expect(rank(query, [{ id, keywords: keywordsOf(id) }])).toHaveLength(1);
});
