/** The states of an account, with since when and by whom if the team's log has it. */
import { i18n } from '@lingui/core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { User } from '../../renderer/api/user.ts';
import { suspensionsByTeam, userStates } from '../../renderer/subjects/user-states.ts';
import type { TeamEntry } from '../../shared/team/entries.ts';
import { stubPage } from './page-stub.ts';

stubPage();
const noon = new Date('2026-03-12T12:00').getTime();
beforeAll(() => {
  i18n.loadAndActivate({ locale: 'en', locales: ['en'], messages: {} });
  vi.useFakeTimers({ now: noon, toFake: ['Date'] });
});
afterAll(() => {
  vi.useRealTimers();
});

const words = (user: object, entries: TeamEntry[] = []) =>
  userStates(user as User, { entries, ownServer: 'x' }).map((state) => state.words);

test.each<[object, string[]]>([
  [{}, []],
  [{ deactivated: true }, ['Deactivated']],
  [
    { deactivated: true, erased: true, admin: true },
    ['Deactivated and erased', 'Server admin once reactivated'],
  ],
  [{ erased: true }, []],
  [{ locked: true, suspended: true, shadow_banned: true }, ['Locked', 'Suspended', 'Shadow-banned']],
  [{ admin: true, is_guest: true }, ['Server admin', 'Guest']],
  [{ user_type: 'bot' }, ['Bot']],
  [{ user_type: 'support', appservice_id: 'irc' }, ['Support account', 'Application service']],
  [{ user_type: 'cu\u202Estom' }, ['cu[RLO]stom']],
  [{ user_type: null, appservice_id: null }, []],
])('%j has %j', (user, expected) => {
  expect(words(user)).toEqual(expected);
});

const entry = (action: string, at: number, outcome = 'done', userId = '@eve:x') =>
  ({
    type: 'action',
    action,
    outcome,
    subject: { kind: 'user', userId },
    by: '@ada:x',
    at,
  }) as unknown as TeamEntry;
const day = 86_400_000;

test.each([
  [0, 'Suspended since today, by @ada'],
  [1, 'Suspended since yesterday, by @ada'],
  [2, 'Suspended since Tuesday, by @ada'],
  [6, 'Suspended since Friday, by @ada'],
  [7, 'Suspended since Mar 5, 2026, by @ada'],
])('a suspension of %d days ago', (ago, expected) => {
  expect(words({ suspended: true }, [entry('suspend-user', noon - ago * day)])).toEqual([expected]);
});

test.each<[string, TeamEntry[], boolean]>([
  ['the latest suspension', [entry('suspend-user', noon)], true],
  ['a suspension that was lifted', [entry('unsuspend-user', noon), entry('suspend-user', noon)], false],
  ['a suspension that was undone', [entry('suspend-user', noon, 'undone')], false],
  ['a lifting that was undone', [entry('unsuspend-user', noon, 'undone')], true],
  ['a failed one', [entry('suspend-user', noon, 'failed')], false],
  ['another action', [entry('lock-user', noon)], false],
])('%s in the log', (_, entries, isStart) => {
  const [state] = userStates({ suspended: true } as User, { entries, ownServer: 'x' });
  expect(state?.words).toBe(isStart ? 'Suspended since today, by @ada' : 'Suspended');
  expect(state?.when !== undefined).toBe(isStart);
});

test('an erased account has no time of its deactivation', () => {
  const entries = [entry('deactivate-user', noon)];
  expect(words({ deactivated: true }, entries)).toEqual(['Deactivated since today, by @ada']);
  expect(words({ deactivated: true, erased: true }, entries)).toEqual(['Deactivated and erased']);
});

test("the team's latest action on each user counts", () => {
  const log = [
    entry('unsuspend-user', 4),
    entry('suspend-user', 3),
    entry('suspend-user', 2, 'done', '@bob:x'),
    entry('suspend-user', 1, 'failed', '@carol:x'),
  ];
  expect([...suspensionsByTeam(log)]).toEqual([
    ['@eve:x', false],
    ['@bob:x', true],
  ]);
});
