import { expect, test } from 'vitest';
import type { DocumentsOfKind } from '../../shared/team/documents.ts';
import { allows, hasLead, roleOf, rolesIn } from '../../shared/team/roles.ts';

const team = (content: object) =>
  rolesIn(new Map([['team', { content, by: '@ada:h', at: 0 }]]) as DocumentsOfKind);

test('without a valid document, everyone is a lead', () => {
  expect(roleOf('@ada:h', rolesIn(new Map()))).toBe('lead');
  expect(roleOf('@ada:h', team({ members: { '@ada:h': 'triage' } }))).toBe('lead');
});

test('unlisted moderators have the default role, and unknown roles are the lowest one', () => {
  const given = team({ members: { '@ada:h': 'lead', '@cleo:h': 'owner' }, others: 'moderator', later: true });
  expect(['@ada:h', '@ben:h', '@cleo:h', 'toString'].map((userId) => roleOf(userId, given))).toEqual([
    'lead',
    'moderator',
    'triage',
    'moderator',
  ]);
});

test('if no lead is left, everyone is a lead', () => {
  const given = team({ members: { '@ada:h': 'lead' }, others: 'triage' });
  expect(roleOf('@ben:h', given, ['@ada:h', '@ben:h'])).toBe('triage');
  expect(hasLead(given, ['@ben:h'])).toBe(false);
  expect(roleOf('@ben:h', given, ['@ben:h', '@cleo:h'])).toBe('lead');
});

test('each role includes those before it', () => {
  expect(allows('lead', 'triage')).toBe(true);
  expect(allows('moderator', 'moderator')).toBe(true);
  expect(allows('triage', 'moderator')).toBe(false);
});
