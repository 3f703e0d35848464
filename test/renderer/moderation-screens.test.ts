/** What the moderators' screens show of reports and of the team's entries. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Team } from '../../renderer/team/team.ts';
import type { ActionEntry } from '../../shared/team/entries.ts';
import { actingScene, type Scene } from './acting-scene.ts';
import { changing, shownScreens } from './shown-screens.tsx';

const screens = shownScreens();
const hour = 3_600_000;

let scene: Scene;
beforeAll(async () => {
  scene = await actingScene(screens.homeserver, { messages: 2, localpart: 'mallory', name: 'Lobby' });
  await screens.homeserver
    .as('bob')
    .post(`/_chat/client/v3/users/${encodeURIComponent(scene.userId)}/report`, { reason: 'Bad person' });
});

const subject = () => ({ kind: 'user' as const, userId: scene.userId });
const done = (changes: Partial<ActionEntry> = {}) => ({
  action: 'suspend-user',
  subject: subject(),
  outcome: 'done' as const,
  reason: 'Spam',
  reports: [],
  ...changes,
});
const policy = (changes: object = {}) => ({
  name: 'No spam',
  text: 'Do not advertise.',
  severity: 'high',
  weight: 1,
  expires_days: 90,
  ladder: [],
  templates: {},
  ...changes,
});
describe('the log', () => {
  const log = (given: (team: Team) => unknown, query = '') => screens.open(`/reports/log${query}`, { given });

  test.each<[string, (team: Team) => unknown, string]>([
    ['an action', (team) => team.record(done()), 'admin Suspend user @mallory just now'],
    ['a failed action', (team) => team.record(done({ outcome: 'failed' })), 'Suspend user Failed @mallory'],
    ['an undone action', (team) => team.record(done({ outcome: 'undone' })), 'Suspend user Undone @mallory'],
    [
      'a resolution',
      (team) => team.mark([1], 'reviewed', 'report', { verdict: 'upheld' }),
      'Resolve Report 1',
    ],
    ['that of several reports', (team) => team.mark([1, 2, 3], 'reviewed'), 'Report 1 and 2 others'],
    ['a note', (team) => team.note(subject(), 'Known spammer'), 'Add note @mallory'],
    [
      'an assigned case',
      (team) => team.setCase(subject(), { assignee: '@bob:localhost' }),
      'assigned this to @bob',
    ],
  ])('shows %s', async (_, given, expected) => {
    expect(await log(given)).toContain(expected);
  });

  test('has a column for policies and rules only if an entry has one', async () => {
    expect(await log((team) => team.record(done()))).not.toMatch(/ Policy | Rule /);
    const text = await log((team) => {
      team.putDocument('policy', 'spam', policy());
      team.record(done({ policy: 'spam' }));
    });
    expect(text).toMatch(/Reason or note Policy admin .*Spam No spam/);
  });

  test('is filtered by text, moderator, action and day', async () => {
    const given = (team: Team) => {
      team.record(done(), done({ action: 'lock-user', reason: 'Stolen account' }));
      team.note(subject(), 'Known spammer');
    };
    expect(await log(given)).toContain('3 entries');
    expect(await log(given, '?text=STOLEN')).toMatch(/1 entry .*Lock user @mallory/);
    expect(await log(given, '?action=lock-user')).toContain('1 entry');
    expect(await log(given, '?by=@bob:localhost')).toContain('No matching entries');
    expect(await log(given, '?until=2026-01-01')).toContain('No matching entries');
  });
});

describe('a case', () => {
  const shown = (given: (team: Team) => unknown = () => {}) =>
    screens.open(`/reports/cases?case=${encodeURIComponent(`user ${scene.userId}`)}`, { given });

  test('has its kinds of reports, newest first', async () => {
    expect(await shown()).toMatch(
      /mallory @mallory :localhost Open 3 reports by 1 user Severity v Assign to me a/,
    );
    expect(await shown()).toMatch(/Open 1 Mine Unassigned Escalated Waiting Resolved 1 case/);
  });

  test.each<[string, (team: Team) => unknown, string]>([
    [
      'assigned',
      (team) => team.setCase(subject(), { assignee: '@admin:localhost' }),
      'Mine 1 Unassigned Escalated',
    ],
    [
      'with a severity',
      (team) => team.setCase(subject(), { severity: 'urgent' }),
      'by 1 user Urgent v Assign',
    ],
    [
      'escalated',
      (team) => team.mark(scene.reportIds, 'escalated'),
      '@mallory :localhost Escalated 3 reports',
    ],
    ['snoozed', (team) => team.setCase(subject(), { snoozedUntil: Date.now() + hour }), 'Waiting until'],
    ['quiet', (team) => team.setCase(subject(), { quietUntil: Date.now() + hour }), 'Open · quiet until'],
    [
      'no longer snoozed',
      (team) => team.setCase(subject(), { snoozedUntil: Date.now() - hour }),
      ':localhost Open 3',
    ],
    [
      'resolved',
      (team) => {
        team.mark(scene.reportIds, 'reviewed');
        team.mark([1], 'reviewed', 'user_report');
      },
      ':localhost Resolved 3 reports',
    ],
  ])('is %s', async (_, given, expected) => {
    expect(await shown(given)).toContain(expected);
  });
});

test.each([
  ['by name', 'Bobby', 'Bobby'],
  ['by ID if the name is empty', '', '@bob'],
])("a case's assignee is shown %s", async (_, displayname, expected) => {
  const text = await screens.open(`/reports/cases?case=${encodeURIComponent(`user ${scene.userId}`)}`, {
    given: (team) => team.setCase(subject(), { assignee: '@bob:localhost' }),
    interfere: changing(/\/v2\/users\/%40bob%3Alocalhost$/, (user) => ({ ...user, displayname })),
  });
  expect(text).toContain(`Severity v ${expected} A Snooze`);
});

describe('a report', () => {
  const shown = (given: (team: Team) => unknown = () => {}, changes: object = {}) =>
    screens.open(`/reports?report=${scene.reportIds[0]}`, {
      given,
      stored: { 'gatehouse.reports.details': true },
      interfere: changing(/\/event_reports\/\d+$/, (report) => ({ ...report, ...changes })),
    });
  const first = () => scene.reportIds[0] ?? 0;

  test.each<[string, object, string]>([
    ['without a reason', { reason: '' }, 'Reason No reason given'],
    ['not scored', { score: null }, 'Score Not scored'],
    ['scored', { score: -80 }, 'Score -80 (-100: most offensive, 0: inoffensive)'],
    ['whose sender is unknown', { sender: null }, 'Unknown sender'],
    ['from a room without a name', { name: null, canonical_alias: null }, 'Room Room : !'],
  ])('%s', async (_, changes, expected) => {
    expect(await shown(undefined, changes)).toContain(expected);
  });

  test.each<[string, (team: Team) => unknown, string]>([
    [
      'resolved',
      (team) => team.mark([first()], 'reviewed', 'report', { verdict: 'not_upheld' }),
      'Not upheld',
    ],
    [
      'escalated, with the reason',
      (team) => {
        team.mark([first()], 'escalated');
        team.note({ kind: 'report', id: first() }, 'Needs a lead', { escalation: true });
      },
      'Escalated by @admin , just now Needs a lead',
    ],
    [
      'on a user with other reports and earlier actions',
      (team) => team.record(done(), done({ action: 'hold-evidence' })),
      '1 other report 1 earlier action',
    ],
  ])('%s, by the team', async (_, given, expected) => {
    expect(await shown(given)).toContain(expected);
  });

  test('whose event was purged is shown as in the list', async () => {
    const text = await screens.open(`/reports?report=${first()}`, {
      given: () => {},
      interfere: async (request, forward) =>
        /\/event_reports\/\d+$/.test(request.path)
          ? { status: 404, body: { errcode: 'M_NOT_FOUND', error: 'Event not found' } }
          : forward(),
    });
    expect(text).toContain('The reported event is unavailable, possibly purged.');
    expect(text).toContain('Reason Rude');
  });
});

describe('policies', () => {
  const shown = (...documents: object[]) =>
    screens.open('/reports/policies', {
      given: (team) => {
        for (const [index, content] of documents.entries()) team.putDocument('policy', `p${index}`, content);
      },
    });

  test.each<[string, object, string]>([
    [
      'with a severity and strikes',
      {},
      'No spam Edit Delete Do not advertise. High 1 strike, expires after 90 days',
    ],
    ['that is a draft', { draft: true }, 'No spam Draft Edit'],
    ['without strikes', { weight: 0 }, 'High No strikes'],
    ['whose strikes last', { weight: 2, expires_days: null }, 'High 2 strikes'],
    ['with messages', { templates: { de: 'Hallo' } }, 'Messages: de'],
    [
      'with recommended actions',
      { ladder: [{ strikes: 3, action: 'suspend-user', days: 7 }] },
      '3 strikes: Suspend for 7 days',
    ],
  ])('%s', async (_, changes, expected) => {
    expect(await shown(policy(changes))).toContain(expected);
  });

  test('by name', async () => {
    expect(await shown(policy({ name: 'B' }), policy({ name: 'A' }))).toMatch(/ A Edit .* B Edit/);
  });
});

test.each([
  ['/reports/policies', 'Only leads can change this.', /Create policy|Import|Edit|Delete/],
  ['/reports/rules', 'Only leads can change this.', /Create rule|Create word list|Edit/],
  ['/reports/lists', 'Only moderators and leads can change this.', /Watch list|Create list/],
  ['/reports/evidence', 'Only leads can change this.', undefined],
  ['/tokens', 'Only leads can change this.', /Create token/],
])('%s can only be read by those who triage', async (path, why, left) => {
  const given = (team: Team) => team.putDocument('policy', 'p', policy());
  const all = await screens.open(path, { given });
  expect(all).not.toContain(why);
  const text = await screens.open(path, {
    given(team) {
      given(team);
      team.putDocument('roles', 'team', { members: { '@bob:localhost': 'lead' }, others: 'triage' });
    },
  });
  expect(text).toContain(why);
  if (left) expect([all, text].map((each) => left.test(each))).toEqual([true, false]);
});

test('statistics count what was resolved, how fast, by whom, on which policy, and actions once', async () => {
  const [first = 0, second = 0] = scene.reportIds;
  const days: Record<number, number> = { [first]: 2, [second]: 5 };
  const deletion = (reports: number[]) =>
    done({ action: 'delete-report', subject: { kind: 'report', id: 7 }, reports, count: reports.length });
  const text = await screens.open('/reports/statistics', {
    interfere: changing(/\/event_reports$/, ({ event_reports: reports, ...rest }) => ({
      ...rest,
      event_reports: (reports as { id: number }[]).map((report) => ({
        ...report,
        received_ts: Date.now() - (days[report.id] ?? 0) * 24 * hour,
      })),
    })),
    given(team) {
      team.putDocument('policy', 'spam', policy());
      team.mark([first], 'reviewed', 'report', { verdict: 'upheld', policy: 'spam' });
      team.record(
        done({ outcome: 'failed' }),
        ...[done({ action: 'lock-user' }), done({ action: 'lock-user', count: 17 })],
        ...[deletion([7, 8]), deletion([7, 8, 9])],
      );
    },
  });
  expect(text).toContain('All 2 reports');
  expect(text).toMatch(/1 report resolved, 1 not .*Within a day 0 Within 3 days 1 Within a week 0/);
  expect(text).toMatch(/@admin:localhost 1 1 0 0 0 23 0/);
  expect(text).toContain('No spam 1 1 0 0 0');
  expect(text).toContain('Lock user, by @admin:localhost 18');
  expect(text).toContain('Delete report, by @admin:localhost 3');
  expect(text).not.toContain('Suspend user, by');
});

test('a report on a user names the user', async () => {
  expect(await screens.open('/reports/users', { given: () => {} })).toMatch(
    /Open 1 1 Escalated 0 0 Resolved 0 0 1 report .* @mallory .* Bad person Report 1, reported by @bob/,
  );
});
