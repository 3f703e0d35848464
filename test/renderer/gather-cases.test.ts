import { expect, test } from 'vitest';
import type { FiledReport } from '../../renderer/api/reports/filed-reports.ts';
import {
  accuracies,
  caseRow,
  decidable,
  gatherCases,
  hasWords,
  isInQueue,
  type Marks,
  reportsInOrder,
  severitiesByRules,
  severityLevels,
  sortCases,
} from '../../renderer/features/reports/cases/cases.ts';
import { nextCase } from '../../renderer/features/reports/cases/use-case-moves.ts';
import type { EventReportItem } from '../../shared/api/reports.ts';
import type { CaseDecisions } from '../../shared/team/cases.ts';
import type { Mark } from '../../shared/team/entries.ts';
import { isAccurate, rulesIn } from '../../shared/team/rules.ts';
import { matchersOf, wordListsIn } from '../../shared/team/word-lists.ts';

const onEvent = (id: number, more: Partial<EventReportItem> = {}): EventReportItem => ({
  id,
  received_ts: id * 100,
  room_id: '!lobby:h',
  name: 'Lobby',
  event_id: `$${id}`,
  user_id: '@ada:h',
  reason: 'Spam',
  score: null,
  sender: '@mallory:h',
  canonical_alias: null,
  ...more,
});
const onUser = (id: number, about: string): FiledReport => ({
  id,
  received_ts: id * 100 + 50,
  by: '@ben:h',
  about,
  reason: 'Rude',
});
const marksOf = (...marks: Partial<Mark>[]): Marks => ({
  report: new Map(
    marks.map((mark) => [mark.reportId ?? 0, { by: '@ann:h', at: 1, state: 'reviewed', ...mark } as Mark]),
  ),
  user_report: new Map(),
  room_report: new Map(),
});
const noMarks = marksOf();
const mallory = 'user @mallory:h';

type Given = { marks?: Marks; decisions?: CaseDecisions; now?: number };
function rowsOf(
  cases: ReturnType<typeof gatherCases>,
  { marks = noMarks, decisions, now = 1_000 }: Given = {},
) {
  const known = new Map(decisions ? [[mallory, decisions]] : []);
  const accuracy = accuracies(cases, marks);
  const ruled = severitiesByRules(cases, marks, rulesIn(new Map()), {
    matchers: matchersOf(wordListsIn(new Map())),
    isAccurate: (by) => isAccurate(accuracy.get(by)),
    createdAt: () => undefined,
    messages: () => undefined,
    files: () => [],
    isMuted: () => false,
  });
  return cases.map((each) => caseRow(each, { marks, decisions: known, accuracy, now, ruled }));
}
const stateOf = (events: EventReportItem[], given: Given) =>
  rowsOf(gatherCases(events, [], []), given)[0]?.state;

test('reports on a user, a room, or an event with unknown sender are one case each', () => {
  const cases = gatherCases(
    [onEvent(1), onEvent(3), onEvent(2, { sender: null })],
    [onUser(1, '@mallory:h')],
    [{ ...onUser(1, '!lobby:h') }],
  );
  expect(cases.map(({ key, reports }) => [key, reports.map(({ of, id }) => `${of} ${id}`)])).toEqual([
    [mallory, ['report 3', 'user_report 1', 'report 1']],
    ['room !lobby:h', ['report 2', 'room_report 1']],
  ]);
  expect(cases.map((each) => hasWords(each, ['rude', 'mallory']))).toEqual([true, false]);
});

test('the state of a case follows from its reports, a snooze and a quiet period', () => {
  const reports = [onEvent(1), onEvent(2)];
  expect(stateOf(reports, {})).toBe('open');
  expect(stateOf(reports, { marks: marksOf({ reportId: 1, state: 'escalated' }) })).toBe('escalated');
  const decided = marksOf({ reportId: 1 });
  expect(stateOf([onEvent(1)], { marks: decided })).toBe('resolved');
  expect(stateOf(reports, { marks: decided })).toBe('open');
  // A snooze ends at its time, or with a new report.
  expect(stateOf(reports, { decisions: { snoozedUntil: 2_000, snoozedAt: 300 } })).toBe('waiting');
  expect(stateOf(reports, { decisions: { snoozedUntil: 900, snoozedAt: 300 } })).toBe('open');
  expect(stateOf(reports, { decisions: { snoozedUntil: 2_000, snoozedAt: 150 } })).toBe('open');
  // Muting applies to new reports, not to earlier ones.
  expect(stateOf(reports, { marks: decided, decisions: { quietAt: 150, quietUntil: 2_000 } })).toBe(
    'resolved',
  );
  expect(stateOf(reports, { marks: decided, decisions: { quietAt: 250, quietUntil: 2_000 } })).toBe('open');
});

test('a case whose claim expired is unassigned again', () => {
  const cases = gatherCases([onEvent(1)], [], []);
  const at = (now: number) => rowsOf(cases, { now, decisions: { assignee: '@me:h', claimedAt: 10 } })[0];
  const [claimed, expired] = [at(1_000), at(10 + 8 * 3_600_000)];
  expect(claimed && isInQueue(claimed, 'mine', '@me:h')).toBe(true);
  expect(expired && isInQueue(expired, 'unassigned', '@me:h')).toBe(true);
  expect(expired?.formerAssignee).toBe('@me:h');
});

test('urgent cases come first, then those of more and more accurate reporters', () => {
  const by = (...people: string[]) => people.map((user_id) => ({ user_id }));
  const reports = [
    onEvent(9, { sender: '@false:h', user_id: '@eve:h' }),
    ...by('@a:h', '@b:h').map((more, index) => onEvent(5 + index, { sender: '@two:h', ...more })),
    onEvent(1, { sender: '@threat:h', reason: 'says: KILL YOURSELF' }),
    onEvent(7, { sender: '@one:h' }),
    ...[20, 21].map((id) => onEvent(id, { sender: '@old:h', user_id: '@eve:h' })),
  ];
  const wrong = [20, 21].map((reportId) => ({ reportId, verdict: 'not_upheld' as const }));
  const rows = rowsOf(gatherCases(reports, [], []), { marks: marksOf(...wrong) });
  const open = rows.filter((row) => isInQueue(row, 'open', '@me:h'));
  expect(sortCases(open, 'urgent', 'open').map(({ key }) => key)).toEqual([
    'user @threat:h',
    'user @two:h',
    'user @one:h',
    'user @false:h',
  ]);
});

test('rules count the unresolved reports of a case; the severity that the team sets comes first', () => {
  const reports = [onEvent(1, { reason: 'death threat' }), onEvent(2)];
  const ruleOf = (given: Given) => rowsOf(gatherCases(reports, [], []), given)[0]?.ruled?.rule.key;
  expect(ruleOf({})).toBe('threats');
  expect(ruleOf({ marks: marksOf({ reportId: 1 }) })).toBeUndefined();
  const [row] = rowsOf(gatherCases(reports, [], []), { decisions: { severity: 'low' } });
  expect(row?.level).toBe(0);
});

test('a decision applies to the open reports, or else to those of the last decision', () => {
  const marks = marksOf({ reportId: 1, at: 1 }, { reportId: 2, at: 900_000 }, { reportId: 3, at: 900_010 });
  const [row] = rowsOf(gatherCases([onEvent(1), onEvent(2), onEvent(3)], [], []), { marks });
  expect(row && decidable(row, marks).map(({ id }) => id)).toEqual([3, 2]);
  const some = marksOf({ reportId: 3 });
  const events = [onEvent(1), onEvent(2), onEvent(3), onEvent(4, { event_id: '$1' })];
  const [again] = rowsOf(gatherCases(events, [], []), { marks: some });
  expect(again && decidable(again, some).map(({ id }) => id)).toEqual([4, 2, 1]);
  expect(again?.isRepeated).toBe(true);
  // The most reported message first, resolved reports last.
  expect(again && reportsInOrder(again).map(({ id }) => id)).toEqual([4, 1, 2, 3]);
});

test('a case is reported again by reports that are newer than its last decision', () => {
  const decided = (at: number) => ({ marks: marksOf({ reportId: 1, at }) });
  const isRepeated = (at: number) =>
    rowsOf(gatherCases([onEvent(1), onEvent(2)], [], []), decided(at))[0]?.isRepeated;
  expect([150, 250].map(isRepeated)).toEqual([true, false]);
});

test('the next case is one that no colleague has taken, if there is one', () => {
  const rows = ['a', 'b', 'c', 'd'].map((key) => ({ key }));
  const nextAfter = (row: number, taken: string) =>
    nextCase(rows, row + 1, rows[row]?.key, ({ key }) => taken.includes(key));
  expect(nextAfter(0, '')).toBe('b');
  expect(nextAfter(0, 'bc')).toBe('d');
  expect(nextAfter(2, 'd')).toBe('a');
  expect(nextAfter(1, 'acd')).toBe('c');
  expect(nextCase([{ key: 'a' }], 1, 'a', () => false)).toBeUndefined();
});

test("reports by a muted reporter don't raise priorities or reopen decided cases", () => {
  const reports = [onEvent(1), onEvent(2, { user_id: '@eve:h' })];
  const given = (reporterMutedUntil: number, marks = noMarks) => {
    const cases = gatherCases(reports, [], []);
    const decisions = new Map([['user @eve:h', { reporterMutedUntil }]]);
    const context = { marks, decisions, accuracy: new Map(), now: 1_000, ruled: new Map() };
    return cases.map((each) => caseRow(each, context))[0];
  };
  expect(given(900)?.weight).toBe(2);
  expect(given(2_000)).toMatchObject({ weight: 1, state: 'open' });
  const decided = marksOf({ reportId: 1 });
  expect(given(900, decided)).toMatchObject({ state: 'open', isRepeated: true });
  expect(given(2_000, decided)).toMatchObject({ state: 'resolved', isRepeated: false });
  const escalated = marksOf({ reportId: 1 }, { reportId: 2, state: 'escalated' });
  expect(given(2_000, escalated)?.state).toBe('escalated');
});

test('cases of watched users have a high priority, unless a moderator set another severity', () => {
  const levelWith = (decisions: CaseDecisions, ruled = new Map()) => {
    const context = { marks: noMarks, accuracy: new Map(), now: 1_000, ruled };
    const [found] = gatherCases([onEvent(1)], [], []);
    if (!found) throw new Error('no case');
    return caseRow(found, { ...context, decisions: new Map([[found.key, decisions]]) }).level;
  };
  const { high, urgent, low } = severityLevels;
  expect(levelWith({ watchedUntil: 2_000 })).toBe(high);
  expect(levelWith({ watchedUntil: 900 })).toBeLessThan(high);
  expect(levelWith({ watchedUntil: 2_000, severity: 'low' })).toBe(low);
  const key = gatherCases([onEvent(1)], [], [])[0]?.key;
  expect(levelWith({ watchedUntil: 2_000 }, new Map([[key, { severity: 'urgent' }]]))).toBe(urgent);
});
