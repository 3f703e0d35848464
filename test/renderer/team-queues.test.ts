import { expect, test } from 'vitest';
import type { CaseReport, CaseRow, Marks } from '../../renderer/features/reports/cases/cases.ts';
import {
  isOverdue,
  queueFigures,
  queueOf,
  teamQueues,
} from '../../renderer/features/reports/cases/team-queues.ts';
import type { EventReportItem } from '../../shared/api/reports.ts';
import type { TeamDocument } from '../../shared/team/documents.ts';

const view = (name: string, position: number, search: object, target?: number) => ({
  by: '@a:h',
  at: 1,
  content: { list: 'cases', name, search, queue: { position, people: [], ...(target && { target }) } },
});
const queues = teamQueues(
  new Map<string, TeamDocument>([
    ['rest', view('Rest', 9, {})],
    ['lobby', view('Lobby', 2, { rooms: ['!lobby:h'] }, 60)],
    ['urgent', view('Urgent', 1, { severity: 'high' }, 10)],
    ['view', { by: '@a:h', at: 1, content: { list: 'cases', name: 'Only a view', search: {} } }],
  ]),
);
const minute = 60_000;

function row(id: number, atMinute: number, more: Partial<CaseRow> & { roomId?: string } = {}): CaseRow {
  const report: CaseReport = {
    of: 'report',
    id,
    at: atMinute * minute,
    by: '@ada:h',
    reason: 'Spam',
    event: { room_id: more.roomId ?? '!other:h' } as EventReportItem,
  };
  const found = {
    key: `user @${id}:h`,
    subject: { kind: 'user', userId: `@${id}:h` } as const,
    reports: [report] as const,
    state: 'open' as const,
    decisions: {},
    lead: report,
    unresolved: [report],
    reporters: 1,
    isRepeated: false,
    ruled: undefined,
    decidedAt: 0,
    level: 1,
    weight: 1,
    ...more,
  };
  return { ...found, teamQueue: queueOf(found, queues) };
}

test('a case is in the first queue that it matches, by position', () => {
  const nameOf = (found: CaseRow) => found.teamQueue?.name;
  expect(nameOf(row(1, 0, { roomId: '!lobby:h' }))).toBe('Lobby');
  expect(nameOf(row(1, 0, { roomId: '!lobby:h', level: 3 }))).toBe('Urgent');
  expect(nameOf(row(1, 0))).toBe('Rest');
});

test('a pending case is overdue after the target time since its oldest report', () => {
  const pending = row(1, 0, { roomId: '!lobby:h' });
  expect([isOverdue(pending, 60 * minute), isOverdue(pending, 61 * minute)]).toEqual([false, true]);
  expect(isOverdue({ ...pending, state: 'waiting' }, 61 * minute)).toBe(false);
  expect(isOverdue(row(1, 0), 61 * minute)).toBe(false);
});

test('figures of a queue count pending and decided cases', () => {
  const mark = { reportId: 3, by: '@ben:h', at: 50 * minute, state: 'reviewed' as const };
  const marks: Marks = { report: new Map([[3, mark]]), user_report: new Map(), room_report: new Map() };
  const rows = [
    row(1, 5, { level: 4 }),
    row(2, 55, { level: 4 }),
    row(3, 20, { state: 'resolved', unresolved: [], decidedAt: 50 * minute, level: 4 }),
    row(4, 20, { state: 'waiting', level: 4 }),
  ];
  expect(queueFigures(rows, marks, 60 * minute)).toEqual({
    open: 2,
    overdue: 1,
    oldestAt: 5 * minute,
    decided: 1,
    medianMs: 30 * minute,
  });
});
