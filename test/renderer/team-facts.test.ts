/** What screens show of reports and of the team's log. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../shared/api/common.ts';
import type { Body } from '../../shared/team/entries.ts';
import { sampleReport } from './sample-reports.ts';
import { changing, shownScreens } from './shown-screens.tsx';
import type { Interfere } from './team-consoles.ts';

const screens = shownScreens();
/** What the admin did before, on this device. */
const logged = (log: readonly Body[]) => ({
  stored: {
    'gatehouse.team.admin@home': log.map((body, index) => ({ id: `${index}`, at: Date.now(), body })),
  },
  given: () => {},
});
const hour = 3_600_000;
const alice = { kind: 'user', userId: '@alice:localhost' } as const;

const document = (kind: string, key: string, content: JsonObject): Body => ({
  type: 'document',
  kind,
  key,
  content,
});
const policy = () =>
  document('policy', 'spam-1', {
    name: 'Spam',
    text: 'No ads.',
    severity: 'high',
    weight: 1,
    expires_days: 90,
    ladder: [{ strikes: 2, action: 'suspend-user', days: 7 }],
    templates: {},
  });
const suspension = (changes: Partial<Extract<Body, { type: 'action' }>> = {}): Body => ({
  type: 'action',
  action: 'suspend-user',
  subject: alice,
  reports: [],
  outcome: 'done',
  ...changes,
});

describe('statistics', () => {
  const shown = (log: Body[], count = 3) =>
    screens.open('/reports/statistics', {
      ...logged(log),
      interfere: changing(/\/event_reports$/, () => ({
        event_reports: Array.from({ length: count }, (_, index) =>
          sampleReport(count - index, {
            room_id: `!room${index >> 1}:localhost`,
            reason: index === 0 ? '' : 'Rude',
            received_ts: Date.now() - 3.5 * hour,
          }),
        ),
        total: count,
      })),
    });

  test.each<[string, Body[], string]>([
    ['without a log', [], 'Actions taken From the team log on this device No actions yet'],
    [
      'of some resolved reports',
      [{ type: 'mark', reports: [1], state: 'reviewed' }],
      '1 report resolved, 2 not Time Count Within an hour 0 Within 4 hours 1 Within a day 0',
    ],
    [
      'by moderator: resolved, upheld, not upheld, duplicate, escalated, actions, undone',
      [
        { type: 'mark', reports: [1, 2], state: 'reviewed', verdict: 'upheld', policy: 'spam-1' },
        { type: 'mark', reports: [3], state: 'escalated' },
        ...['a', 'b', 'c'].map((name) =>
          suspension({ subject: { kind: 'user', userId: `@${name}:localhost` } }),
        ),
      ],
      '@admin:localhost 2 2 0 0 1 3 0',
    ],
    [
      'by policy, with its name',
      [policy(), { type: 'mark', reports: [1], state: 'reviewed', verdict: 'upheld', policy: 'spam-1' }],
      'Policy Resolved Upheld Not upheld Duplicate Actions Spam 1 1 0 0 0',
    ],
    [
      'by queue: open, overdue, oldest, decided, median and target time',
      [
        document('view', 'urgent', {
          list: 'cases',
          name: 'All cases',
          search: {},
          queue: { position: 0, people: [], target: 60 },
        }),
      ],
      'Median time Target time All cases 1 1 3h ago 0 None 1 hr',
    ],
    ['of reports without a reason', [], 'Reason Count Rude 2 No reason given 1'],
  ])('%s', async (_, log, expected) => {
    expect(await shown(log)).toContain(expected);
  });

  test('names the rooms with the most reports, and counts the others', async () => {
    expect(await shown([], 28)).toContain('By room 2 more (4 reports)');
  });
});

test.each<[string, Body[], string]>([
  ['built in', [], 'Minors Test Edit Each report Words: Minors Severity: Urgent'],
  [
    'that replaces a built-in one, off',
    [document('rule', 'minors', { name: 'Minors', on: false, when: {}, effects: { severity: 'low' } })],
    'Minors Off Test Edit Reset Each report Severity: Low',
  ],
  [
    "of the team's",
    [
      document('rule', 'own', {
        name: 'Crowd',
        on: true,
        when: { reports: 3 },
        effects: { quarantine: true },
      }),
    ],
    'Crowd Test Edit Log Delete 3 reports',
  ],
])('a rule %s', async (_, log, expected) => {
  expect(await screens.open('/reports/rules', logged(log))).toContain(expected);
});

describe('the page of a user', () => {
  const until = Date.UTC(2099, 0, 15, 12);
  const today = new Intl.DateTimeFormat('en', { dateStyle: 'medium' }).format(Date.now());
  const strike = suspension({ strike: { id: 's1', weight: 1, until }, policy: 'spam-1' });

  test.each<[string, Body[], string]>([
    [
      'with a strike',
      [policy(), strike],
      `Strikes 1 strike, expires Jan 15, 2099 Spam · added ${today} by @admin Remove strike`,
    ],
    ['with a case', [{ type: 'case', subject: alice, severity: 'high' }], 'Case Open case High Watch'],
    [
      'with a snoozed case that is assigned',
      [{ type: 'case', subject: alice, assignee: '@bob:localhost', snoozedUntil: until }],
      'Case Open case @bob Snoozed until Jan 15, 2099',
    ],
    [
      'whose snooze is over',
      [{ type: 'case', subject: alice, assignee: '@bob:localhost', snoozedUntil: 1 }],
      'Case Open case @bob Watch',
    ],
  ])('%s', async (_, log, expected) => {
    expect(await screens.open('/users/@alice:localhost', logged(log))).toContain(expected);
  });
});

type Answers = readonly (readonly [path: string, body: object, status?: number])[];

/** Answers requests whose path contains one of these. */
const answering =
  (answers: Answers): Interfere =>
  async ({ path }, forward) => {
    const reply = await forward();
    const [, body, status = reply.status] =
      answers.find(([part]) => decodeURIComponent(path).includes(part)) ?? [];
    return body ? { ...reply, status, body } : reply;
  };
const unknown = [{ errcode: 'M_UNRECOGNIZED', error: 'Unrecognized request' }, 404] as const;

test.each<[string, string, Answers, string]>([
  [
    'a user: reports against and by the user',
    '/users/@alice:localhost',
    [
      ['event_reports?event_sender_user_id=@alice:localhost', { event_reports: [], total: 11 }],
      ['event_reports?user_id=@alice:localhost', { event_reports: [], total: 12 }],
      ['&target_user_id=@alice:localhost', { user_reports: [], total: 13 }],
      ['&user_id=@alice:localhost', { user_reports: [], total: 14 }],
    ],
    'Event reports 11 against user 12 by user User reports 13 against user 14 by user',
  ],
  [
    "a user of a server that doesn't list user reports",
    '/users/@alice:localhost',
    [
      ['/v1/endpoints', ...unknown],
      ['/user_reports', ...unknown],
    ],
    'Event reports 0 against user 0 by user Case Open case',
  ],
  [
    "user reports of a server that doesn't list them",
    '/reports/users',
    [['/user_reports', ...unknown]],
    "Newest first This server doesn't support user reports This server may be an older version or different software. Back",
  ],
  [
    "room reports of a server that doesn't list them",
    '/reports/rooms',
    [['/room_reports', ...unknown]],
    "Newest first This server accepts room reports but doesn't list them Synapse stores them in its database, in the table room_reports. Back to list",
  ],
  [
    "one room report of a server that doesn't list them",
    '/reports/rooms/7',
    [['/room_reports', ...unknown]],
    "Back to list Couldn't load report Unknown request. This server may be an older version or different software.",
  ],
])('numbers and support: %s', async (_, path, answers, expected) => {
  const shown = await screens.open(path, { interfere: answering(answers) });
  expect(shown).toContain(expected);
  // Retrying wouldn't help, and there's no report to choose.
  expect(shown).not.toMatch(/Retry|No report open/);
});
