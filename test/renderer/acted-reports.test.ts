import { expect, test } from 'vitest';
import type { Item } from '../../renderer/actions/items.ts';
import { type ActedReport, caseScopes, withCaseReports } from '../../renderer/actions/panel/acted-reports.ts';

const onEvent = (id: number, eventId: string, more: Partial<ActedReport> = {}): ActedReport => ({
  of: 'report',
  id,
  by: '@ada:h',
  eventId,
  ...more,
});
const filed: ActedReport = { of: 'user_report', id: 1, by: '@ben:h' };
const sender: Item = { kind: 'user', userId: '@mallory:h', reports: [1] };
const message: Item = { kind: 'event', roomId: '!a:h', eventId: '$a', reports: [1] };

test('an action on a user resolves their case by default, one on a message the reports on it', () => {
  const reports = [onEvent(1, '$a'), onEvent(2, '$a'), onEvent(3, '$b'), filed];
  const acted = { reports, ofCase: reports };
  const chosen = (item: Item) => caseScopes(acted, [item]).map((each) => [each.scope, each.reports.length]);
  expect(chosen(sender)).toEqual([
    ['case', 4],
    ['message', 2],
  ]);
  expect(chosen(message)).toEqual([
    ['message', 2],
    ['case', 4],
  ]);
  expect(chosen({ kind: 'user', userId: '@mallory:h' })).toEqual([]);
  // Without a case, and in a case whose reports are all on the message.
  expect(caseScopes({ reports }, [sender])).toEqual([]);
  const alone = { reports: reports.slice(0, 2), ofCase: reports };
  expect(caseScopes(alone, [message]).map(({ scope }) => scope)).toEqual(['case']);
  const single = { reports: reports.slice(0, 1), ofCase: reports };
  expect(caseScopes(single, [sender])).toEqual([]);
});

test('the other reports of a case are resolved with its first item, escalated ones included', () => {
  const reports = [onEvent(1, '$a'), onEvent(2, '$a', { escalated: true }), onEvent(3, '$b'), filed];
  expect(withCaseReports([sender], reports)).toEqual([
    {
      ...sender,
      further: [
        { of: 'report', reports: [2, 3], escalated: [2] },
        { of: 'user_report', reports: [1] },
      ],
    },
  ]);
  expect(withCaseReports([sender], [onEvent(1, '$a')])).toEqual([sender]);
});
