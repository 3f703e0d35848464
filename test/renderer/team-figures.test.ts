import { expect, test } from 'vitest';
import {
  byModerator,
  byPolicy,
  transparencyRows,
} from '../../renderer/features/reports/statistics/team-figures.ts';
import type { Mark, TeamEntry } from '../../shared/team/entries.ts';
import { sampleReport } from './sample-reports.ts';

const hour = 3_600_000;
const mark = (reportId: number, by: string, more: Partial<Mark> = {}): Mark => ({
  reportId,
  by,
  at: sampleReport(reportId).received_ts + 2 * hour,
  state: 'reviewed',
  ...more,
});
const action = (by: string, outcome: 'done' | 'failed' | 'undone', more: object = {}): TeamEntry => ({
  type: 'action',
  action: 'suspend-user',
  subject: { kind: 'user', userId: '@mallory:s' },
  reports: [],
  by,
  at: 1,
  outcome,
  ...more,
});

const marks = [
  mark(1, '@ada:s', { verdict: 'upheld', policy: 'spam' }),
  mark(2, '@ada:s', { verdict: 'not_upheld' }),
  mark(3, '@ben:s', { verdict: 'upheld', policy: 'spam' }),
  mark(4, '@ben:s', { state: 'escalated' }),
];
const entries: TeamEntry[] = [
  action('@ada:s', 'undone'),
  action('@ada:s', 'failed'),
  action('@ben:s', 'done', { count: 3, policy: 'spam' }),
  action('@ada:s', 'done'),
  { type: 'mark', reportId: 4, by: '@ben:s', at: 1, state: 'escalated' },
];

test('decisions count for the moderator whose status a report has', () => {
  expect(byModerator(marks, entries)).toEqual([
    {
      by: '@ada:s',
      resolved: 2,
      upheld: 1,
      not_upheld: 1,
      duplicate: 0,
      escalated: 0,
      actions: 1,
      undone: 1,
    },
    {
      by: '@ben:s',
      resolved: 1,
      upheld: 1,
      not_upheld: 0,
      duplicate: 0,
      escalated: 1,
      actions: 3,
      undone: 0,
    },
  ]);
});

test('decisions and actions count for their policy, undone ones not at all', () => {
  expect(byPolicy(marks, entries)).toEqual([
    { policy: 'spam', resolved: 2, upheld: 2, not_upheld: 0, duplicate: 0, actions: 3 },
    { policy: undefined, resolved: 1, upheld: 0, not_upheld: 1, duplicate: 0, actions: 0 },
  ]);
});

test('the transparency report has no names of users', () => {
  const rows = transparencyRows({
    reports: [1, 2, 3, 4, 5].map((id) => sampleReport(id)),
    marks,
    marksOfEvents: new Map(marks.map((each) => [each.reportId, each])),
    entries,
    policyName: (key) => key.toUpperCase(),
  });
  expect(rows).toContainEqual({ figure: 'event_reports_received', name: '', count: 5 });
  expect(rows).toContainEqual({ figure: 'event_reports_resolved', name: '', count: 3 });
  expect(rows).toContainEqual({ figure: 'median_hours_to_resolution', name: '', count: 2 });
  expect(rows).toContainEqual({ figure: 'reports_upheld_by_policy', name: 'SPAM', count: 2 });
  expect(rows).toContainEqual({ figure: 'actions_by_kind', name: 'suspend-user', count: 3 });
  expect(JSON.stringify(rows)).not.toContain('@');
});
