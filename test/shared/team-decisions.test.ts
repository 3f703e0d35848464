import { expect, test } from 'vitest';
import { conflictsBefore, doubleDecisions } from '../../shared/team/decisions.ts';
import type { Body, LogEntry, Mark, ReportState, Subject } from '../../shared/team/entries.ts';
import {
  type Decision,
  eventOf,
  readDecision,
  readEntry,
  readViewing,
  viewingEvent,
} from '../../shared/team/room-events.ts';
import type { RoomEvent } from '../../shared/team/room-replies.ts';

const report = (id: number): Subject => ({ kind: 'report', id });
const user = (userId: string): Subject => ({ kind: 'user', userId });
const resolve = (...ids: number[]): Decision => ({ action: 'reviewed', subjects: ids.map(report) });

/** A room whose events are a second apart. */
function room() {
  const events: RoomEvent[] = [];
  const add = (by: string, event: { type: string; content: unknown }, after = 1_000) => {
    const at = (events.at(-1)?.origin_server_ts ?? 0) + after;
    const event_id = `$${events.length}`;
    events.push({ ...event, sender: `@${by}:h`, event_id, origin_server_ts: at });
    return event_id;
  };
  return {
    announce: (by: string, decision: Decision, after?: number) =>
      add(by, viewingEvent('report 1', decision), after),
    log: (by: string, body: Body) => add(by, eventOf({ id: `${events.length}`, at: 0, body }, 0)),
    /** The conflicts of the last announcement, as `name: action`. */
    conflicts(decision: Decision, known: readonly string[] = []) {
      const last = events.at(-1);
      const found = conflictsBefore(events, last?.event_id ?? '', decision, {
        me: last?.sender ?? '',
        moderators: new Set(['@ada:h', '@ben:h', '@cleo:h']),
        isKnown: (eventId) => known.includes(eventId),
      });
      return found?.map(({ by, action, subjects }) => `${by.slice(1, -2)}: ${action} of ${subjects.length}`);
    },
    events,
  };
}

test('of two decisions about a report, the first one in the room counts', () => {
  const { announce, conflicts } = room();
  announce('ada', { action: 'suspend-user', subjects: [user('@mallory:h'), report(1)] });
  expect(conflicts(resolve(1))).toEqual([]);
  announce('ben', resolve(1, 2));
  expect(conflicts(resolve(1, 2))).toEqual(['ada: suspend-user of 1']);
});

test('the same action on a user conflicts for any reports, another action only for the same reports', () => {
  const { announce, conflicts } = room();
  const on = (action: string, id: number) => ({ action, subjects: [user('@mallory:h'), report(id)] });
  announce('ada', on('suspend-user', 1));
  announce('ben', on('suspend-user', 2));
  expect(conflicts(on('suspend-user', 2))).toEqual(['ada: suspend-user of 1']);
  announce('ben', on('warn-user', 3));
  expect(conflicts(on('warn-user', 3))).toEqual([]);
});

test("own announcements and those by non-moderators don't count", () => {
  const { announce, conflicts } = room();
  announce('ada', resolve(1));
  announce('mallory', resolve(1));
  announce('ada', resolve(1));
  expect(conflicts(resolve(1))).toEqual([]);
});

test('an announcement that lost to another is void: a third one only conflicts with the first', () => {
  const { announce, conflicts } = room();
  announce('ada', resolve(1));
  announce('ben', resolve(1));
  announce('cleo', resolve(1));
  expect(conflicts(resolve(1))).toEqual(['ada: reviewed of 1']);
});

test('an announcement counts until its outcome is known, at most half a minute', () => {
  const { announce, log, conflicts } = room();
  announce('ada', resolve(1));
  const outcome = log('ada', { type: 'mark', reports: [1], state: 'reviewed', verdict: 'upheld' });
  announce('ben', resolve(1));
  expect(conflicts(resolve(1))).toEqual(['ada: reviewed of 1']);
  expect(conflicts(resolve(1), [outcome])).toEqual([]);

  const other = room();
  other.announce('ada', resolve(1));
  other.announce('ben', resolve(1), 30_000);
  expect(other.conflicts(resolve(1))).toEqual([]);
});

test('undone and failed decisions are open to others, and so are conflicts that they have seen', () => {
  const { announce, log, conflicts } = room();
  const announced = announce('ada', resolve(1));
  announce('ben', resolve(1));
  expect(conflicts(resolve(1), [announced])).toEqual([]);
  log('ada', { type: 'mark', reports: [1], state: 'open' });
  announce('ben', resolve(1));
  expect(conflicts(resolve(1))).toEqual([]);
  log('ada', {
    type: 'action',
    action: 'suspend-user',
    subject: user('@m:h'),
    reports: [1],
    outcome: 'failed',
  });
  announce('ben', resolve(1));
  expect(conflicts(resolve(1))).toEqual([]);
});

test("an unannounced entry counts if it wasn't seen, like those of earlier consoles", () => {
  const { announce, log, conflicts } = room();
  const seen = log('ada', { type: 'mark', reports: [1], state: 'reviewed' });
  announce('ben', resolve(1, 2));
  expect(conflicts(resolve(1, 2))).toEqual(['ada: reviewed of 1']);
  expect(conflicts(resolve(1, 2), [seen])).toEqual([]);
});

test('the result is undefined while the room lacks the own announcement', () => {
  const { announce, events } = room();
  announce('ada', resolve(1));
  const options = { me: '@ben:h', moderators: new Set(['@ada:h']), isKnown: () => false };
  expect(conflictsBefore(events, '$none', resolve(1), options)).toBeUndefined();
});

test("an announcement is read back, has the viewed report for earlier consoles, and isn't an entry", () => {
  const decision: Decision = { action: 'suspend-user', subjects: [user('@mallory:h'), report(3)] };
  const event = {
    ...viewingEvent('user_report 3', decision),
    sender: '@a:h',
    event_id: '$1',
    origin_server_ts: 1,
  };
  expect(readDecision(event)).toEqual(decision);
  expect(readViewing(event)).toBe('user_report 3');
  expect(readEntry(event)).toBeUndefined();
  expect(
    readDecision({ ...event, content: { report: 3, decision: { action: 'x', subjects: [] } } }),
  ).toBeUndefined();
  const many = {
    action: 'reviewed',
    subjects: Array.from({ length: 2_000 }, (_, id) => user(`@${'m'.repeat(200)}${id}:h`)),
  };
  expect(JSON.stringify(viewingEvent(null, many)).length).toBeLessThan(30_000);
});

/** Marks of reports 1 to 3 by Ada, of report 4 by Ben. */
const own = (state: ReportState) => {
  const mark = (reportId: number, by: string): [number, Mark] => [reportId, { reportId, by, state, at: 0 }];
  const report = new Map([mark(1, '@ada:h'), mark(2, '@ada:h'), mark(3, '@ada:h'), mark(4, '@ben:h')]);
  return { report, user_report: new Map(), room_report: new Map() };
};
const mark = (at: number, reports: number[], state: ReportState, seen?: ReportState): LogEntry => ({
  id: `$${at}`,
  by: '@ben:h',
  at,
  body: { type: 'mark', reports, state, ...(seen && { seen }) },
});
const doubles = (entries: LogEntry[], marks = own('reviewed')) =>
  doubleDecisions(entries, marks, '@ada:h').map(({ by, reports }) => `${by}: ${reports.join()}`);

test("a decision whose sender hadn't seen the own one counts as simultaneous", () => {
  expect(doubles([mark(1, [1, 2, 4, 9], 'reviewed', 'open')])).toEqual(['@ben:h: 1,2']);
  expect(doubles([mark(1, [1], 'escalated', 'open')])).toEqual(['@ben:h: 1']);
  expect(doubles([mark(1, [1], 'reviewed', 'reviewed')])).toEqual([]);
  expect(doubles([mark(1, [1], 'reviewed')])).toEqual([]);
  expect(
    doubles([
      {
        ...mark(1, [1], 'reviewed', 'open'),
        body: { ...mark(1, [1], 'reviewed', 'open').body, of: 'user_report' } as Body,
      },
    ]),
  ).toEqual([]);
});

test("reopening and deciding again isn't a simultaneous decision", () => {
  const reopened = mark(1, [1], 'open', 'reviewed');
  expect(doubles([mark(2, [1, 2], 'reviewed', 'open'), reopened])).toEqual(['@ben:h: 2']);
});
