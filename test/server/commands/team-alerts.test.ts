/** Alerts about the team's entries. */
import { expect, test } from 'vitest';
import { reportAlert } from '../../../server/app/watch/alerts.ts';
import { escalationAlert, mayLackReason, withNews } from '../../../server/app/watch/team-alerts.ts';
import type { LogEntry } from '../../../shared/team/entries.ts';
import { teamLog } from '../../../shared/team/log.ts';

const minute = 60_000;
const nothing = { reopened: [], failed: [], late: [] };
type Body = LogEntry['body'];

/** Returns a log, and its entries, of which the last one is the news. */
function logged(...entries: [by: string, at: number, body: Body][]) {
  const log = teamLog(new Set(['@ada:h', '@ben:h']));
  const all = entries.map(([by, at, body], index): LogEntry => {
    const id = `$${index}`;
    log.add({ id, key: id, by, at, body });
    return { id, by, at, body };
  });
  return { log, news: all.slice(-1), all };
}

const mark = (state: 'open' | 'reviewed' | 'escalated', ...reports: number[]): Body => ({
  type: 'mark',
  reports,
  state,
});
const reason = (text: string, id = 1): Body => ({
  type: 'note',
  subject: { kind: 'report', id },
  text,
  escalation: true,
});

test.each<[string, [string, number, Body][], string]>([
  ['the reason', [['@ada:h', 1, reason('Threat')]], 'Threat'],
  [
    'the first of two',
    [
      ['@ada:h', 2, reason('Later')],
      ['@ada:h', 1, reason('Sooner')],
    ],
    'Sooner',
  ],
  ["a colleague's reason", [['@ben:h', 1, reason('Threat')]], 'no reason given'],
  ['an earlier one', [['@ada:h', 0, reason('Old')]], 'no reason given'],
  ['one for another report', [['@ada:h', 1, reason('Other', 2)]], 'no reason given'],
])('of an escalation and %s', (_, notes, expected) => {
  const { log, all } = logged(['@ada:h', 1, mark('escalated', 1)], ...notes);
  expect(escalationAlert(all, log)?.lines).toEqual([`@ada:h escalated report 1: ${expected}`]);
  expect(mayLackReason(all, log)).toBe(expected === 'no reason given');
});

test('an escalation that has ended gives no alert', () => {
  const { log, all } = logged(['@ada:h', 1, mark('escalated', 1)], ['@ben:h', 2, mark('reviewed', 1)]);
  expect(escalationAlert(all, log)).toBeUndefined();
});

test.each<[string, string, number, number[]]>([
  ['soon, by the same moderator', '@ada:h', 10 * minute - 1, []],
  ['by another', '@ben:h', 1, [1]],
  ['after ten minutes', '@ada:h', 10 * minute, [1]],
])('a report reopened %s', (_, by, after, reopened) => {
  const { log, news } = logged(['@ada:h', 5, mark('reviewed', 1)], [by, 5 + after, mark('open', 1)]);
  expect(withNews(nothing, news, log).reopened.map(({ id }) => id)).toEqual(reopened);
});

test.each<[string, Partial<Extract<Body, { type: 'action' }>>, string[]]>([
  ['that failed', {}, ['suspend-user on @eve:h: no right']],
  ['without a cause', { detail: undefined }, ['suspend-user on @eve:h: not done by @ada:h']],
  ['that was dropped', { detail: 'dropped: lifted' }, []],
  ['that succeeded', { outcome: 'done' }, []],
  ['that nobody scheduled', { reason: 'Spam' }, []],
])('a scheduled action %s', (_, changes, lines) => {
  const { log, news } = logged([
    '@ada:h',
    1,
    {
      type: 'action',
      action: 'suspend-user',
      subject: { kind: 'user', userId: '@eve:h' },
      reports: [],
      outcome: 'failed',
      reason: 'Scheduled by @ben:h',
      detail: 'no right',
      ...changes,
    } as Body,
  ]);
  expect(withNews(nothing, news, log).failed.map(({ line }) => line)).toEqual(lines);
});

test.each([
  [false, '1 new user report'],
  [true, 'More than 1 new user report'],
])('new reports, if there are more: %s', (isMore, title) => {
  const others = [{ id: 7, reason: null, target_user_id: '@eve:h' }];
  expect(reportAlert({ kind: 'user', urgent: [], others, newestId: 7, isMore } as never)).toMatchObject({
    title,
    lines: ['Report 7 on @eve:h: no reason given'],
  });
});
