import { i18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { filterLog, logRow, logRows } from '../../renderer/features/reports/log/log-rows.ts';
import { readLogSearch } from '../../renderer/features/reports/log/log-search.ts';
import type { LogEntry } from '../../shared/team/entries.ts';

i18n.loadAndActivate({ locale: 'en', messages: {} });

const day = (date: string, time = '12:00') => new Date(`${date}T${time}`).getTime();

const entries: LogEntry[] = [
  {
    id: 'd',
    by: '@ben:s',
    at: day('2026-03-03'),
    body: {
      type: 'action',
      action: 'suspend-user',
      subject: { kind: 'user', userId: '@mallory:s' },
      others: [{ kind: 'user', userId: '@trudy:s' }],
      reports: [12],
      reason: 'Spam in four rooms',
      outcome: 'failed',
      count: 5,
    },
  },
  {
    id: 'c',
    by: '@ada:s',
    at: day('2026-03-02', '23:59'),
    body: { type: 'mark', reports: [12, 15], state: 'reviewed' },
  },
  {
    id: 'b',
    by: '@ben:s',
    at: day('2026-03-02', '00:00'),
    body: { type: 'note', subject: { kind: 'room', roomId: '!lobby:s' }, text: 'Second time this week' },
  },
  {
    id: 'a',
    by: '@ada:s',
    at: day('2026-03-01'),
    body: { type: 'mark', of: 'user_report', reports: [3], state: 'escalated' },
  },
];
const assigned: LogEntry = {
  id: 'f',
  by: '@ben:s',
  at: day('2026-03-03'),
  body: { type: 'case', subject: { kind: 'user', userId: '@mallory:s' }, assignee: '@ada:s' },
};
const unchanged: LogEntry = {
  id: 'e',
  by: '@ben:s',
  at: day('2026-03-03'),
  body: {
    type: 'action',
    action: 'suspend-user',
    subject: { kind: 'user', userId: '@mallory:s' },
    reports: [],
    outcome: 'done',
    unchanged: true,
  },
};
const rows = entries.flatMap((entry) => logRow(entry) ?? []);
const found = (search: Parameters<typeof filterLog>[1]) => filterLog(rows, search).map(({ id }) => id);

test('the log has a row per entry with all of its subjects', () => {
  expect(rows.map(({ label, outcome, count, text }) => [label, outcome, count, text])).toEqual([
    ['Suspend user', 'failed', 5, 'Spam in four rooms'],
    ['Resolve', 'done', 2, ''],
    ['Add note', 'done', 1, 'Second time this week'],
    ['Escalate', 'done', 1, ''],
  ]);
  expect(logRow(unchanged)?.outcome).toBe('unchanged');
  expect(logRow(assigned)?.text).toBe('assigned this to @ada');
  expect(rows[1]?.subjects).toEqual([
    { kind: 'report', id: 12 },
    { kind: 'report', id: 15 },
  ]);
});

test('rows stay the same objects while more of the log loads', () => {
  const rowsOf = logRows(new Map());
  const [first] = rowsOf(entries);
  expect(rowsOf([...entries, unchanged])[0]).toBe(first);
  expect(first?.label).toBe('Suspend user');
});

test.each([
  [{}, ['d', 'c', 'b', 'a']],
  [{ dir: 'f' }, ['a', 'b', 'c', 'd']],
  [{ by: '@ben:s' }, ['d', 'b']],
  [{ by: '@ben:s', action: 'note' }, ['b']],
  [{ action: 'reviewed' }, ['c']],
  [{ text: 'SPAM' }, ['d']],
  [{ text: '@trudy' }, ['d']],
  [{ text: 'report 15' }, ['c']],
  [{ text: 'user report 3' }, ['a']],
  [{ from: '2026-03-02', until: '2026-03-02' }, ['c', 'b']],
  [{ from: 'never' }, ['d', 'c', 'b', 'a']],
] as const)('%o leaves %o', (search, ids) => {
  expect(found(search)).toEqual(ids);
});

test('an invalid address shows the whole log', () => {
  expect(readLogSearch({ dir: 'up', by: '', text: { x: 1 } })).toEqual({
    dir: undefined,
    by: undefined,
    text: undefined,
  });
});

test.each([
  ['hold-evidence', 'messages: 1, files: 12', '1 message, 12 files'],
  ['deactivate-user', 'erased', 'erased'],
  ['quarantine-user-media', '3 media, 1 identical files', '3 files, 1 identical copy'],
  ['unsuspend-user', 'dropped: changed by @ben:s', 'dropped: changed by @ben:s'],
  ['warn-user', '3 media', '3 media'],
  ['ban-member', '!lobby:s', '!lobby:s'],
])('the detail of %s is in the language of the console', (action, detail, shown) => {
  const entry = structuredClone(unchanged);
  Object.assign(entry.body, { action, detail });
  expect(logRow(entry)?.text).toBe(shown);
});
