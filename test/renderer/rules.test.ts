/** Rules of the console that need no page. */
import { i18n } from '@lingui/core';
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { ActionContext, Form, Work } from '../../renderer/actions/action.ts';
import { accounts } from '../../renderer/actions/catalogue/accounts.ts';
import { catalogue } from '../../renderer/actions/catalogue/catalogue.ts';
import { isRepeatedByOther } from '../../renderer/actions/catalogue/changes.ts';
import { endJob } from '../../renderer/actions/jobs/end-job.ts';
import type { Job, JobItem } from '../../renderer/actions/jobs/job.ts';
import type { JobStore } from '../../renderer/actions/jobs/job-store.ts';
import { shownFields } from '../../renderer/actions/panel/answers.ts';
import { allowedAddress } from '../../renderer/components/event/sanitize-html.ts';
import { conditionTexts } from '../../renderer/features/reports/rules/rule-words.ts';
import { stateOf } from '../../renderer/features/tokens/token-columns.tsx';
import { describe } from '../../renderer/team/Timeline.tsx';
import { failureSentence, refusalOf } from '../../renderer/transport/refusal.ts';
import type { TeamEntry } from '../../shared/team/entries.ts';
import type { KeyedWordList, WordList } from '../../shared/team/word-lists.ts';

i18n.loadAndActivate({ locale: 'en', messages: {} });

const userId = '@admin:a.example';
const connection = {
  id: 'a',
  baseUrl: 'https://a.example',
  dialect: 'matrix',
  userId,
  local: false,
} as const;

test.each([
  ['You are not a server admin', 'not_administrator'],
  ['Administrators only', 'not_administrator'],
  ['@admin:a.example is not in the room', 'refused'],
  ['#admins:a.example is taken', 'refused'],
  ['You have no power to ban @administrator:b.example from !admin:b.example', 'refused'],
  ["You don't have permission to ban", 'refused'],
])('of a 403, "%s" is %s', (error, code) => {
  const reply = { status: 403, body: { errcode: 'M_FORBIDDEN', error } };
  expect(refusalOf(reply, connection)).toMatchObject({ code });
});

test.each([
  [5 * 60_000, 'Rate limited. Retry in 5 minutes.'],
  [7_200_000, 'Rate limited. Retry in 2 hours.'],
  [50 * 3_600_000, 'Rate limited. Retry in 3 days.'],
  [1e16, 'Rate limited. Retry in 7 days.'],
])("a server's request to wait %d ms is shown in a readable unit", (waits, said) => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  const reply = {
    status: 429,
    body: { errcode: 'M_LIMIT_EXCEEDED', error: 'Too fast', retry_after_ms: waits },
  };
  expect(failureSentence(refusalOf(reply, connection))).toBe(said);
});

test.each([
  [{ uses_allowed: null, completed: 5, pending: 5 }, 'valid'],
  [{ uses_allowed: 3, completed: 1, pending: 1 }, 'valid'],
  [{ uses_allowed: 3, completed: 1, pending: 2 }, 'used'],
  [{ uses_allowed: 3, completed: 0, pending: 3 }, 'used'],
  [{ uses_allowed: 3, completed: 3 }, 'used'],
  [{ expiry_time: 1001 }, 'valid'],
  [{ expiry_time: 1000, uses_allowed: 0 }, 'expired'],
  [{ expiry_time: 1000, mas: { id: '1', revoked: true } }, 'revoked'],
] as const)('the token %o is %s', (fields, state) => {
  const token = { token: 't', uses_allowed: null, pending: 0, completed: 0, expiry_time: null };
  expect(stateOf({ ...token, ...fields }, 1000)).toBe(state);
});

test.each([
  ['report', 'escalated report 3'],
  ['user_report', 'escalated user report 3'],
  ['room_report', 'escalated room report 3'],
] as const)('an entry on another %s is shown as: %s', (kind, said) => {
  const mark = { type: 'mark', reportId: 3, state: 'escalated', by: userId, at: 0 } as const;
  expect(describe(mark, undefined, { kind, id: 3 }).what).toBe(said);
});

const listOf = (key: string, has: Partial<WordList>): KeyedWordList => ({
  ...{ key, name: key, words: [], domains: [], isBuiltIn: false, replacesBuiltIn: false },
  ...has,
});
const lists = [
  listOf('insults', { words: ['fool'], files: [] }),
  listOf('scams', { domains: ['scam.example'] }),
  listOf('pictures', { files: ['a'.repeat(64)] }),
];

test.each([
  [['insults', 'scams'], 'Words: insults and scams'],
  [['pictures'], 'Files: pictures'],
  [['insults', 'pictures'], 'Lists: insults and pictures'],
  [['other'], 'Lists: deleted list'],
])('a rule with the lists %j is described as: %s', (words, said) => {
  expect(conditionTexts({ when: { words } }, lists)).toEqual(['Each report', said]);
});

test.each<[JobItem['state'][], Job['state'], Job['state']]>([
  [['done', 'failed'], 'running', 'ended'],
  [['done', 'task'], 'running', 'ended'],
  [['done', 'waiting'], 'running', 'stopped'],
  [['done', 'running'], 'running', 'stopped'],
  [['done', 'running'], 'stopped', 'stopped'],
  [['done', 'waiting'], 'ended', 'ended'],
  [['done'], 'stopped', 'ended'],
])('a job with items that are %s, %s so far, is %s after its run', (states, before, after) => {
  const items = states.map((state, index) => ({
    item: { kind: 'user', userId: `@u${index}:a.example` },
    state,
    transaction: `${index}`,
  }));
  const job = { action: 'suspend-user', state: before, items } as unknown as Job;
  const context = { server: { id: 'a' }, queryClient: new QueryClient() } as unknown as ActionContext;
  endJob(context, job, { changed() {} } as unknown as JobStore);
  expect(job.state).toBe(after);
});

test.each([
  ['own', ['me suspend-user done'], false],
  ["own after a colleague's", ['me suspend-user done', 'bob suspend-user done'], false],
  ["a colleague's after the own one", ['bob suspend-user done', 'me suspend-user done'], true],
  ["a colleague's that failed", ['bob suspend-user failed', 'me suspend-user done'], false],
  ["a colleague's other action", ['bob lock-user done', 'me suspend-user done'], false],
  ["only a colleague's", ['bob suspend-user done'], false],
])('of %s, %j, a colleague repeated the action: %s', (_, entries, expected) => {
  const timeline = entries.map((entry) => {
    const [by, action, outcome] = entry.split(' ');
    return { type: 'action', by, action, outcome } as TeamEntry;
  });
  expect(isRepeatedByOther(timeline, 'suspend-user', 'me')).toBe(expected);
});

const [deactivate] = accounts;

test.each([
  [{}, ['@b:a.example'], ['erase', 'revoke']],
  [{}, [], ['erase']],
  [{ own: true }, [userId], ['erase']],
])('with %o and the admins %o, deactivation asks for %o', (known, administrators, expected) => {
  const form = { known, administrators } as unknown as Form;
  expect(shownFields(deactivate?.fields, form).map(({ name }) => name)).toEqual(expected);
});

test.each([
  [true, true, ['/v1/deactivate/', '/v1/users/']],
  [true, false, ['/v1/deactivate/']],
  [false, true, ['/v1/deactivate/']],
])('of an admin (%s), deactivation removes admin rights as chosen (%s)', async (admin, revoke, expected) => {
  const sent: string[] = [];
  const server = {
    get: async () => ({ name: '@b:a.example', admin }),
    send: async (_method: string, _schema: unknown, path: string) =>
      void sent.push(path.replace(/%40.*/, '')),
  };
  const work = { server, first: (read: () => unknown) => read() } as unknown as Work;
  const item = { kind: 'user', userId: '@b:a.example' } as const;
  await deactivate?.run(work, item, { reason: '', fields: { erase: false, revoke } });
  expect(sent).toEqual(expected);
});

test.each([
  ['https://x.example/', true],
  ['HTTP://x.example', true],
  ['mailto:a@x.example', true],
  ['mxc://x.example/id', true],
  ['data:text/html,x', false],
  ['data:image/png;base64,AAAA', false],
  ['javascript:alert(1)', false],
  ['blob:https://x.example/id', false],
  ['file:///etc/passwd', false],
  ['x data:,https://x.example', false],
  ['//x.example/', false],
  ['/path', false],
])('a message may name the address %s: %s', (address, isAllowed) => {
  expect(allowedAddress.test(address)).toBe(isAllowed);
});

const idsOf = (isMeant: (action: (typeof catalogue)[number]) => unknown) =>
  catalogue
    .filter(isMeant)
    .map(({ id }) => id)
    .sort();

test('the actions that need a confirmation for oneself and admins', () => {
  expect(idsOf(({ harms }) => harms)).toEqual([
    ...['ban-member', 'deactivate-user', 'delete-user-media', 'end-device', 'end-sessions', 'erase-user'],
    ...['kick-member', 'lock-user', 'mute-member', 'quarantine-user-media', 'redact-user', 'reset-password'],
    ...['revoke-administrator', 'shadow-ban-user', 'suspend-user', 'take-down-user'],
  ]);
});

test('the actions that need a typed name', () => {
  expect(idsOf(({ typed }) => typed)).toEqual([
    ...['deactivate-user', 'delete-media', 'delete-report', 'delete-unused-media', 'delete-user-media'],
    ...['erase-user', 'purge-history', 'purge-media-copies', 'purge-room', 'redact-user', 'shut-down-room'],
    'take-down-user',
  ]);
});
