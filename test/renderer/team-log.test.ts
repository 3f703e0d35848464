import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { logLimiter } from '../../renderer/team/log-limit.ts';
import { type OutboxEntry, trimOutbox } from '../../renderer/team/outbox.ts';
import { createPresence, initialsOf } from '../../renderer/team/presence.ts';
import { accuracyOf } from '../../renderer/team/verdicts.ts';
import { createWakeup, type Wakeup } from '../../renderer/team/wakeup.ts';
import { fits } from '../../shared/fits.ts';
import { type DocumentsOfKind, documentsOf, stableDocuments, storable } from '../../shared/team/documents.ts';
import { Body, type LogEntry } from '../../shared/team/entries.ts';
import {
  findNamedReport,
  isAbout,
  isOnRelatedReport,
  newestFirst,
  wholeEntryOf,
} from '../../shared/team/fold.ts';
import { ownMarks, shownMarks, teamLog } from '../../shared/team/log.ts';
import { eventOf, type RoomEntry, readEntry, redactedBy } from '../../shared/team/room-events.ts';
import { catchUp, follow, type ReadRange, readOlder } from '../../shared/team/room-reader.ts';
import type { RoomEvent } from '../../shared/team/room-replies.ts';
import { teamRoomOf } from '../../shared/team/room-trust.ts';

const people = ['@ada:h', '@bob:h', '@mallory:h'];
const administrators = new Set(['@ada:h', '@bob:h']);

const event = (fields: Partial<RoomEvent>): RoomEvent => ({
  type: 'io.gatehouse.team.mark',
  sender: '@ada:h',
  event_id: '$1',
  origin_server_ts: 1000,
  content: { reports: [1], state: 'reviewed' },
  ...fields,
});

const deletionOf = (reports: number[]) => ({
  action: 'delete-report',
  subject: { kind: 'user', user_id: '@c:h' },
  reports,
  outcome: 'done',
});

/** Generated room events: few reports and timestamps, duplicate entries and some redactions. */
const rooms = fc
  .array(
    fc.record({
      sender: fc.constantFrom(...people),
      at: fc.integer({ min: 0, max: 5 }),
      delay: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
      name: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
      reports: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 }),
      state: fc.constantFrom('open', 'reviewed', 'escalated'),
      seen: fc.option(fc.constantFrom('open', 'reviewed', 'escalated'), { nil: undefined }),
      isDeletion: fc.boolean(),
      redacted: fc.boolean(),
    }),
    { maxLength: 12 },
  )
  .map((drafts) =>
    drafts.flatMap(({ sender, at, delay, name, reports, state, seen, isDeletion, redacted }, index) => {
      const envelope = { ...(name && { id: name }), ...(delay !== undefined && { delay }) };
      const content = isDeletion
        ? { ...deletionOf(reports), ...envelope }
        : { reports, state, ...(seen && { seen }), ...envelope };
      const type = `io.gatehouse.team.${isDeletion ? 'action' : 'mark'}`;
      const sent = event({ type, sender, event_id: `$${index}`, origin_server_ts: at, content });
      const gone = event({
        type: 'm.room.redaction',
        event_id: `$r${index}`,
        content: { redacts: sent.event_id },
      });
      return redacted ? [sent, gone] : [sent];
    }),
  );

function read(events: readonly RoomEvent[], counted: ReadonlySet<string> = administrators, asking = false) {
  const log = teamLog(counted);
  for (const each of events) {
    const entry = readEntry(each);
    if (entry) log.add(entry);
    const redacted = redactedBy(each);
    if (redacted !== undefined) log.redact(redacted);
    if (asking) log.marks();
  }
  return {
    marks: [...log.marks().values()].sort((a, b) => a.reportId - b.reportId),
    entries: newestFirst(log.entries()),
  };
}

describe('the log', () => {
  test('has the same result in any order of events, and with repetitions', () => {
    const shuffled = rooms.chain((events) =>
      fc.record({
        events: fc.constant(events),
        other: fc
          .array(fc.nat({ max: Math.max(0, events.length - 1) }))
          .map((again) => [...events, ...again.flatMap((index) => events[index] ?? [])])
          .chain((all) => fc.shuffledSubarray(all, { minLength: all.length })),
        asking: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(shuffled, ({ events, other, asking }) => {
        expect(read(other, administrators, asking)).toEqual(read(events));
      }),
      { numRuns: 500 },
    );
  });

  test('announces each status change, but no note', () => {
    fc.assert(
      fc.property(rooms, fc.array(fc.boolean()), (events, asked) => {
        const log = teamLog(administrators);
        const now = () => ({ revision: log.marksRevision, marks: JSON.stringify([...log.marks()]) });
        let last = now();
        for (const [index, each] of events.entries()) {
          const entry = readEntry(each);
          if (entry) log.add(entry);
          const redacted = redactedBy(each);
          if (redacted !== undefined) log.redact(redacted);
          if (asked[index]) continue;
          const next = now();
          if (next.revision === last.revision) expect(next.marks).toBe(last.marks);
          last = next;
        }
        const content = { subject: { kind: 'report', id: 1 }, text: 'A note' };
        const note = readEntry(event({ type: 'io.gatehouse.team.note', event_id: '$note', content }));
        const before = now();
        if (note) log.add(note);
        expect(now()).toEqual(before);
        log.setTrusted(new Set(['@mallory:h']));
        expect(log.marksRevision).not.toBe(before.revision);
      }),
    );
  });

  test("ignores senders who aren't admins", () => {
    fc.assert(
      fc.property(rooms, (events) => {
        const redactions = events.filter(({ type }) => type === 'm.room.redaction');
        const trusted = events.filter(
          ({ sender, type }) => administrators.has(sender) && type !== 'm.room.redaction',
        );
        expect(read(events)).toEqual(read([...trusted, ...redactions]));
      }),
    );
  });

  test('is the same whether admins are known before or after their entries', () => {
    fc.assert(
      fc.property(rooms, (events) => {
        const log = teamLog();
        for (const each of events) {
          const entry = readEntry(each);
          if (entry) log.add(entry);
          const redacted = redactedBy(each);
          if (redacted !== undefined) log.redact(redacted);
          log.marks();
        }
        log.setTrusted(administrators);
        expect([...log.marks().values()].sort((a, b) => a.reportId - b.reportId)).toEqual(read(events).marks);
      }),
    );
  });

  test('applies the later status, and at equal times the greater ID', () => {
    const marks = (...events: RoomEvent[]) => read(events).marks;
    const reviewed = event({ event_id: '$a', origin_server_ts: 5000 });
    const escalated = { reports: [1], state: 'escalated' };
    expect(
      marks(reviewed, event({ event_id: '$b', origin_server_ts: 4000, content: escalated })),
    ).toMatchObject([{ state: 'reviewed', at: 5000 }]);
    expect(
      marks(reviewed, event({ event_id: '$b', origin_server_ts: 5000, content: escalated })),
    ).toMatchObject([{ state: 'escalated' }]);
    // Kept while offline: the time it was set counts, not the time it arrived.
    const late = event({ event_id: '$b', origin_server_ts: 9000, content: { ...escalated, delay: 6000 } });
    expect(marks(reviewed, late)).toMatchObject([{ state: 'reviewed', by: '@ada:h' }]);
  });

  const escalation = { state: 'escalated', seen: 'open' };
  test.each([
    ['a resolve that had not seen it', [escalation, { state: 'reviewed', seen: 'open' }], 'escalated'],
    [
      'taking back a mark without having seen it',
      [escalation, { state: 'open', seen: 'reviewed' }],
      'escalated',
    ],
    ['a resolve that had seen it', [escalation, { state: 'reviewed', seen: 'escalated' }], 'reviewed'],
    ['a resolve by an older console', [escalation, { state: 'reviewed' }], 'reviewed'],
    [
      'a mark that follows one that had seen it',
      [escalation, { state: 'reviewed', seen: 'escalated' }, { state: 'open', seen: 'reviewed' }],
      'open',
    ],
    [
      'a second escalation',
      [{ state: 'reviewed', seen: 'escalated' }, escalation, { state: 'reviewed', seen: 'open' }],
      'escalated',
    ],
  ])('an escalation is only ended by someone who has seen it: %s', (_, marks, state) => {
    const events = marks.map((mark, index) =>
      event({
        event_id: `$${index}`,
        origin_server_ts: 1000 + index,
        sender: index % 2 === 0 ? '@bob:h' : '@ada:h',
        content: { reports: [1], ...mark },
      }),
    );
    for (const order of [events, events.toReversed()]) expect(read(order).marks).toMatchObject([{ state }]);
    // Not in the room yet, so shown last.
    const [first, ...own] = events.map((each) => ({ ...readEntry(each) }) as LogEntry);
    const logged = read(first ? [events[0] as RoomEvent] : []).marks;
    const shown = shownMarks(new Map(logged.map((mark) => [mark.reportId, mark])), ownMarks(own).report);
    expect(shown.get(1)?.state ?? 'open').toBe(state);
  });

  test('counts visible statuses in one pass', () => {
    const logged = new Map(
      [1, 2, 3].map((id) => [id, { reportId: id, state: 'reviewed', by: '@a:h', at: 0 } as const]),
    );
    let walks = 0;
    const values = logged.values.bind(logged);
    logged.values = () => {
      walks += 1;
      return values();
    };
    const own = ownMarks([{ ...readEntry(event({ content: { reports: [3], state: 'open' } })) } as LogEntry]);
    const shown = shownMarks(logged, own.report);
    expect([shown.size, shown.size, walks]).toEqual([2, 2, 1]);
  });

  test('drops the status of a deleted report', () => {
    const escalated = event({ content: { reports: [1, 2], ...escalation } });
    const deleted = event({
      type: 'io.gatehouse.team.action',
      event_id: '$2',
      origin_server_ts: 2000,
      content: deletionOf([1]),
    });
    expect(read([escalated, deleted]).marks).toMatchObject([
      { reportId: 1, state: 'open' },
      { reportId: 2, state: 'escalated' },
    ]);
  });
});

test.each([
  ['@ada.lovelace:h', [], 'AL'],
  ['@bob:h', [], 'BO'],
  ['@modanna:h', ['@modben:h', '@ada:h'], 'MA'],
  ['@modben:h', ['@modben:h', '@modanna:h'], 'MB'],
  ['@al:h', ['@ada.lovelace:h'], 'AL'],
  ['@ada.lovelace:h', ['@al:h'], 'AD'],
  ['@bo:h', ['@bob:h'], 'BO'],
  ['@bob:h', ['@bo:h'], 'BB'],
  ['@:h', ['@_:h'], '?'],
])('the initials of %s among %j are %s', (userId, colleagues, initials) => {
  expect(initialsOf(userId, colleagues)).toBe(initials);
});

describe('an event in the team room', () => {
  const bodies: Body[] = [
    { type: 'mark', reports: [1, 2], state: 'escalated' },
    { type: 'mark', reports: [1], state: 'reviewed', seen: 'escalated' },
    { type: 'mark', of: 'user_report', reports: [1], state: 'reviewed' },
    { type: 'mark', reports: [1, 2], state: 'reviewed', verdict: 'not_upheld' },
    { type: 'mark', reports: [1], state: 'reviewed', verdict: 'upheld', policy: 'spam' },
    { type: 'mark', of: 'room_report', reports: [1], state: 'escalated' },
    { type: 'note', subject: { kind: 'user_report', id: 7 }, text: 'Hm' },
    { type: 'note', subject: { kind: 'event', roomId: '!r:h', eventId: '$e' }, text: 'Hm' },
    { type: 'note', subject: { kind: 'report', id: 7 }, text: 'Hm' },
    {
      type: 'mark',
      reports: [7],
      state: 'escalated',
      about: [{ kind: 'user', userId: '@c:h' }],
    },
    {
      type: 'note',
      subject: { kind: 'report', id: 7 },
      others: [{ kind: 'report', id: 8 }],
      text: 'Hm',
      about: [
        { kind: 'event', roomId: '!r:h', eventId: '$e' },
        { kind: 'user', userId: '@c:h' },
      ],
      escalation: true,
    },
    {
      type: 'action',
      action: 'suspend',
      subject: { kind: 'user', userId: '@c:h' },
      reports: [7],
      reason: 'Spam',
      outcome: 'done',
      policy: 'spam',
      strike: { id: 's1', weight: 2, until: null },
    },
    {
      type: 'action',
      action: 'delete-report',
      subject: { kind: 'user', userId: '@c:h' },
      reports: [7, 8],
      deleted: [
        { id: 7, by: '@d:h', at: 5, reason: 'Spam', userId: '@c:h', roomId: '!r:h', eventId: '$e' },
        { id: 8, by: '@e:h', at: 6 },
      ],
      outcome: 'done',
      count: 2,
    },
    {
      type: 'action',
      action: 'suspend',
      subject: { kind: 'user', userId: '@c:h' },
      reports: [],
      outcome: 'done',
      unchanged: true,
    },
    { type: 'document', kind: 'policy', key: 'spam', content: { name: 'Spam', strikes: 1 } },
    { type: 'document', kind: 'policy', key: 'spam', content: null },
    {
      type: 'action',
      action: 'block',
      subject: { kind: 'room', roomId: '!r:h' },
      reports: [],
      outcome: 'failed',
    },
    {
      type: 'action',
      action: 'suspend',
      subject: { kind: 'user', userId: '@c:h' },
      of: 'user_report',
      reports: [3],
      outcome: 'done',
    },
    {
      type: 'action',
      action: 'suspend',
      subject: { kind: 'user', userId: '@c:h' },
      others: [
        { kind: 'user', userId: '@d:h' },
        { kind: 'event', roomId: '!r:h', eventId: '$e' },
      ],
      reports: [],
      outcome: 'done',
      count: 3,
    },
  ];
  test.each(bodies)('comes back as it was added: $type', (body) => {
    const { type, content } = eventOf({ id: 'name', at: 500, body }, 3000);
    const entry = readEntry(event({ type, content, origin_server_ts: 10_000 }));
    expect(entry).toEqual({ id: '$1', key: '@ada:h name', by: '@ada:h', at: 7500, body });
  });

  test.each([
    ['@bob, look', ['@bob:h']],
    ['for @bob:h.', ['@bob:h']],
    ['(@BOB/@ada.lovelace)', ['@bob:h', '@ada.lovelace:h']],
    ['@bob:elsewhere, bob@h, x@bob, @bobby, @', []],
  ])('that is the note “%s” mentions %j', (text, mentions) => {
    const body: Body = { type: 'note', subject: { kind: 'report', id: 7 }, text };
    const members = ['@bob:h', '@ada.lovelace:h'];
    const { type, content } = eventOf({ id: 'name', at: 0, body }, 0, members);
    expect((content as Record<string, unknown>)['m.mentions']).toEqual(
      mentions.length > 0 ? { user_ids: mentions } : undefined,
    );
    expect(readEntry(event({ type, content }))?.body).toEqual({
      ...body,
      ...(mentions.length > 0 && { mentions }),
    });
  });

  test.each([
    ['reviewed', 'upheld', 'upheld'],
    ['reviewed', 'a verdict of a later version', undefined],
    ['reviewed', 7, undefined],
    ['open', 'upheld', undefined],
  ])('that resolves a report %s with the verdict %s has the verdict %s', (state, verdict, read) => {
    const body = readEntry(event({ content: { reports: [1], state, verdict } }))?.body;
    expect(body).toEqual({ type: 'mark', reports: [1], state, ...(read && { verdict: read }) });
  });

  test('that is a note counts even if its mentions have the wrong shape', () => {
    const note = { subject: { kind: 'report', id: 7 }, text: 'Hm' };
    const content = { ...note, 'm.mentions': { user_ids: 'everybody' } };
    expect(readEntry(event({ type: 'io.gatehouse.team.note', content }))?.body).toEqual({
      type: 'note',
      ...note,
    });
  });

  test("that is a note or status belongs to the history of its report's subjects", () => {
    const about = [{ kind: 'user', userId: '@c:h' } as const];
    const user = (id: string) => ({ kind: 'user' as const, userId: id });
    const note: Body = { type: 'note', subject: { kind: 'report', id: 7 }, text: 'Hm', about };
    const mark: Body = { type: 'mark', reports: [7, 8], state: 'reviewed', about };
    expect([note, mark].map((body) => isOnRelatedReport(user('@c:h'), body))).toEqual([true, true]);
    expect(wholeEntryOf({ id: '$m', by: '@ada:h', at: 1, body: mark })).toMatchObject([
      { type: 'mark', reportId: 7, count: 2, state: 'reviewed' },
    ]);
    expect(isOnRelatedReport(user('@d:h'), note)).toBe(false);
    const older: Body = { type: 'note', subject: { kind: 'report', id: 7 }, text: 'Hm' };
    expect(findNamedReport(new Set([7, 8]), older)).toBe(7);
    expect(findNamedReport(new Set([8]), older)).toBeUndefined();
    expect(
      findNamedReport(new Set([7]), { ...older, subject: { kind: 'user_report', id: 7 } }),
    ).toBeUndefined();
    expect(findNamedReport(new Set([8]), { type: 'mark', reports: [7, 8], state: 'escalated' })).toBe(8);
    expect(
      findNamedReport(new Set([8]), { type: 'mark', reports: [7, 8], state: 'reviewed' }),
    ).toBeUndefined();
  });

  test("that sets the status of a user report doesn't apply to the event report with its number", () => {
    const body: Body = { type: 'mark', of: 'user_report', reports: [1], state: 'reviewed' };
    const { type, content } = eventOf({ id: 'name', at: 0, body }, 0);
    expect(content).not.toHaveProperty('reports');
    expect(read([event({ type, content })]).marks).toEqual([]);
  });

  test('that is an action on a user report names no event report', () => {
    const subject = { kind: 'user', userId: '@c:h' } as const;
    const body = { type: 'action', action: 'suspend', subject, of: 'user_report', reports: [3] } as const;
    const { content } = eventOf({ id: 'name', at: 0, body: { ...body, reports: [3], outcome: 'done' } }, 0);
    expect(content).toMatchObject({ reports: [], user_reports: [3] });
    expect(content).not.toHaveProperty('of');
  });

  test.each([
    [1_000_000_000, [], undefined],
    [10_000, [], 10_000],
    [17, [1, 2], undefined],
    [2, [1, 2], 2],
  ])(
    'that claims an action on %i subjects because of reports %j counts as far as plausible',
    (count, reports, believed) => {
      const content = { action: 'ban', subject: { kind: 'user', user_id: '@c:h' }, outcome: 'done' };
      const sent = event({ type: 'io.gatehouse.team.action', content: { ...content, reports, count } });
      const body = readEntry(sent)?.body;
      expect(body).toMatchObject({ type: 'action', action: 'ban' });
      expect(body && 'count' in body ? body.count : undefined).toBe(believed);
    },
  );

  test.each([
    ['done', 'of a later version'],
    ['failed', true],
  ])('that is an action %s counts without its `unchanged` %j', (outcome, unchanged) => {
    const action = { action: 'ban', outcome, reports: [] };
    const subject = { kind: 'user', user_id: '@c:h' };
    const content = { ...action, subject, unchanged };
    expect(readEntry(event({ type: 'io.gatehouse.team.action', content }))?.body).toEqual({
      type: 'action',
      ...action,
      subject: { kind: 'user', userId: '@c:h' },
    });
  });

  test('that is an action on several subjects belongs to each history and counts those it names', () => {
    const user = (id: string) => ({ kind: 'user' as const, userId: id });
    const content = {
      action: 'suspend',
      subject: { kind: 'user', user_id: '@c:h' },
      others: [{ kind: 'user', user_id: '@d:h' }],
      reports: [7],
      outcome: 'done',
      count: 2,
    };
    const body = readEntry(event({ type: 'io.gatehouse.team.action', content }))?.body as Body;
    expect(body).toMatchObject({ count: 2 });
    const histories = ['@c:h', '@d:h', '@e:h'].map((id) => isAbout(user(id), body));
    expect(histories).toEqual([true, true, false]);
  });

  test('with several statuses has the time of each', () => {
    const body: Body = { type: 'mark', reports: [1, 2], state: 'reviewed' };
    const { type, content } = eventOf({ id: 'name', at: 500, times: [500, 2900], body }, 3000);
    expect(content).toMatchObject({ delay: 2500, delays: [2500, 100] });
    const entry = readEntry(event({ type, content, origin_server_ts: 10_000 }));
    expect(entry).toMatchObject({ at: 7500, times: [7500, 9900], body });
    const escalated = { reports: [1, 2], state: 'escalated' };
    const between = event({
      event_id: '$b',
      sender: '@bob:h',
      origin_server_ts: 8000,
      content: escalated,
    });
    expect(read([event({ type, content, origin_server_ts: 10_000 }), between]).marks).toMatchObject([
      { reportId: 1, state: 'escalated', at: 8000 },
      { reportId: 2, state: 'reviewed', at: 9900 },
    ]);
  });

  const note = { type: 'io.gatehouse.team.note' };
  const document = { type: 'io.gatehouse.team.document' };
  const subject = { kind: 'report', id: 1 };
  test.each<[string, Partial<RoomEvent>]>([
    ['redacted', { content: {} }],
    ['no object', { content: null }],
    ['a list', { content: [] }],
    ['without reports', { content: { reports: [], state: 'reviewed' } }],
    ['too many reports', { content: { reports: Array.from({ length: 501 }, (_, id) => id), state: 'open' } }],
    ['no number', { content: { reports: ['1'], state: 'open' } }],
    ['beyond whole numbers', { content: { reports: [1e300], state: 'open' } }],
    ['another state', { content: { reports: [1], state: 'deleted' } }],
    ['a delay before all time', { content: { reports: [1], state: 'open', delay: -1 } }],
    ['a time for another number of reports', { content: { reports: [1], state: 'open', delays: [1, 2] } }],
    ['a time still to come', { content: { reports: [1], state: 'open', delays: [-1] } }],
    ['a state event', { state_key: '' }],
    ['no time', { origin_server_ts: Number.NaN }],
    ['an oversized note', { ...note, content: { subject, text: 'x'.repeat(8001) } }],
    ['an empty note', { ...note, content: { subject, text: '' } }],
    ['a note on nothing', { ...note, content: { subject: { kind: 'moon' }, text: 'x' } }],
    ['a document without content', { ...document, content: { kind: 'policy', key: 'a' } }],
    [
      'an oversized document',
      { ...document, content: { kind: 'policy', key: 'a', content: { text: 'x'.repeat(30_000) } } },
    ],
    ['another type', { type: 'm.room.message', content: { body: 'hello', msgtype: 'm.text' } }],
  ])('that is malformed adds nothing: %s', (_, fields) => {
    expect(readEntry(event(fields))).toBeUndefined();
  });

  test('with any content throws nothing', () => {
    const types = ['mark', 'note', 'action', 'document', 'looking'].map(
      (type) => `io.gatehouse.team.${type}`,
    );
    fc.assert(
      fc.property(fc.constantFrom(...types, 'm.room.redaction'), fc.jsonValue(), (type, content) => {
        readEntry(event({ type, content }));
        redactedBy(event({ type, content }));
      }),
    );
  });
});

describe('a room is the team room', () => {
  const state = (changes: Record<string, unknown> = {}, extra: RoomEvent[] = []): RoomEvent[] => {
    const contents: Record<string, unknown> = {
      'm.room.create': { type: 'io.gatehouse.team', room_version: '11' },
      'm.room.join_rules': { join_rule: 'invite' },
      'm.room.power_levels': { users: { '@ada:h': 100 }, users_default: 0, kick: 100 },
      'm.room.history_visibility': { history_visibility: 'shared' },
      ...changes,
    };
    return [
      ...Object.entries(contents).map(([type, content]) => event({ type, content, state_key: '' })),
      event({ type: 'm.room.member', state_key: '@ada:h', content: { membership: 'join' } }),
      ...extra,
    ];
  };
  const member = (userId: string, membership: string) =>
    event({ type: 'm.room.member', state_key: userId, content: { membership } });
  const among = async (userIds: Iterable<string>) =>
    new Set([...userIds].filter((userId) => administrators.has(userId)));
  const room = async (...of: Parameters<typeof state>) =>
    (await teamRoomOf('!r:h', state(...of), among)).room;

  test('if only admins can change it', async () => {
    const found = await room({}, [
      member('@bob:h', 'invite'),
      member('@mallory:h', 'join'),
      member('@eve:h', 'leave'),
    ]);
    expect(found).toMatchObject({ creator: '@ada:h', nonAdmins: ['@mallory:h'] });
    expect(found?.mayRemove('@ada:h')).toBe(true);
    expect(found?.mayRemove('@bob:h')).toBe(false);
  });

  test.each<[string, Record<string, unknown>]>([
    ['everyone may join', { 'm.room.join_rules': { join_rule: 'public' } }],
    ['people can knock', { 'm.room.join_rules': { join_rule: 'knock' } }],
    ['there is no join rule', { 'm.room.join_rules': undefined }],
    ['another user has power', { 'm.room.power_levels': { users: { '@ada:h': 100, '@mallory:h': 1 } } }],
    ['everyone has power', { 'm.room.power_levels': { users: {}, users_default: 50 } }],
    ['there are no power levels', { 'm.room.power_levels': undefined }],
    ["power isn't a number", { 'm.room.power_levels': { users: { '@mallory:h': '100' } } }],
    [
      'another user also created it',
      { 'm.room.create': { type: 'io.gatehouse.team', additional_creators: ['@mallory:h'] } },
    ],
    ['it is of another kind', { 'm.room.create': {} }],
    ['everyone can read it', { 'm.room.history_visibility': { history_visibility: 'world_readable' } }],
  ])('unless %s', async (_, changes) => {
    expect(await room(changes)).toBeUndefined();
  });

  test('unless someone else created it', async () => {
    const made = state().map((each) =>
      each.type === 'm.room.create' ? { ...each, sender: '@mallory:h' } : each,
    );
    expect((await teamRoomOf('!r:h', made, among)).room).toBeUndefined();
  });
});

describe('a server with a circular or endless history is given up', () => {
  const mostAsked = 1_000;
  /** A server that returns one page after another. The pages differ only in their end token. */
  function leading(events: readonly RoomEvent[], endOf: (asked: number) => string) {
    const done = new AbortController();
    let asked = 0;
    const messages = async () => {
      asked++;
      if (asked > mostAsked) done.abort();
      done.signal.throwIfAborted();
      return { events: [...events], start: 's0', end: endOf(asked) };
    };
    const range: ReadRange = { events: new Set(['$range']), tail: 'tail' };
    return {
      reading: { messages, signal: done.signal, range, receive: () => {} },
      stop: () => done.abort(),
      asked: () => asked,
    };
  }
  const ends: [string, (asked: number) => string][] = [
    ['the same', () => 'here'],
    ['one of two', (asked) => `${asked % 2}`],
    ['always another', (asked) => `${asked}`],
  ];

  test.each(ends)('where its pages are empty and end at %s', async (_, endOf) => {
    const before = leading([], endOf);
    await catchUp(before.reading);
    expect(before.asked()).toBeLessThan(mostAsked);
    const older = leading([], endOf);
    await readOlder(older.reading);
    expect(older.asked()).toBeLessThan(mostAsked);
  });

  test('if it repeats the same news', async () => {
    const { reading, stop, asked } = leading([event({ event_id: '$again' })], (times) => `${times}`);
    const news: Wakeup = {
      ...createWakeup(),
      sleep: async () => {
        stop();
        return true;
      },
    };
    await follow(reading, 'head', news, () => 1).catch(() => {});
    expect(asked()).toBeLessThan(10);
  });
});

test("a member who floods the log doesn't displace others' entries", () => {
  const log = teamLog(administrators);
  const bound = logLimiter(log);
  const add = (fields: Partial<RoomEvent>) => {
    const entry = readEntry(event(fields));
    if (!entry) throw new Error('no entry');
    log.add(entry);
    bound.added([entry], administrators);
  };
  add({ event_id: '$first', content: { reports: [7], state: 'reviewed' } });
  // Uses report numbers that don't exist yet.
  for (let index = 0; index < 500; index++) {
    const reports = Array.from({ length: 500 }, (_, place) => 1_000_000 + index * 500 + place);
    add({
      sender: '@bob:h',
      event_id: `$many${index}`,
      origin_server_ts: 2000 + index,
      content: { reports, state: 'escalated' },
    });
  }
  expect(log.marks().get(7)?.state).toBe('reviewed');
  expect(log.marks().size).toBeLessThanOrEqual(250_000);

  const note = { type: 'io.gatehouse.team.note', sender: '@bob:h' };
  const content = { subject: { kind: 'report', id: 7 }, text: 'x'.repeat(8000) };
  for (let index = 0; index < 15_000; index++) {
    add({ ...note, event_id: `$note${index}`, origin_server_ts: 3000 + index, content });
  }
  expect(log.size).toBeLessThan(11_000);
  expect(log.has('$first')).toBe(true);
  expect(log.has('$note14999')).toBe(true);
});

test('of countless statuses the newest are kept', () => {
  const log = teamLog(administrators);
  const bound = logLimiter(log);
  const events = Array.from({ length: 1_000 }, (_, index) =>
    event({
      event_id: `$${index}`,
      origin_server_ts: index,
      content: {
        reports: Array.from({ length: 500 }, (_, place) => 1 + index * 500 + place),
        state: 'reviewed',
      },
    }),
  );
  const add = (some: readonly RoomEvent[]) => {
    for (const each of some) {
      const entry = readEntry(each);
      if (entry) log.add(entry);
      if (entry) bound.added([entry], administrators);
    }
  };
  add(events.slice(0, 900));
  expect(log.marks().size).toBeLessThan(250_000);
  expect(log.marks().has(900 * 500)).toBe(true);
  add(events.slice(900));
  expect(log.marks().size).toBeLessThan(500_000);
  expect(log.marks().has(1_000 * 500)).toBe(true);
  log.redact('$0');
  expect(log.marks().size).toBeLessThan(250_000);
  expect(log.marks().has(1_000 * 500)).toBe(true);
});

test('the viewers of a report are the same list until it changes', () => {
  const looking = createPresence(() => {});
  looking.receive('@bob:h', 0, 'report 1');
  const viewers = looking.viewersOf('report 1');
  const none = looking.viewersOf('report 2');
  looking.receive('@eve:h', 0, 'user_report 1');
  looking.receive('@bob:h', 0);
  expect(viewers).toEqual(['@bob:h']);
  expect(looking.viewersOf('report 1')).toBe(viewers);
  expect(looking.viewersOf('report 2')).toBe(none);
  looking.receive('@ada:h', 0, 'report 1');
  expect(looking.viewersOf('report 1')).toEqual(['@ada:h', '@bob:h']);
});

test('the last status has the verdict, and accuracy counts decided ones', () => {
  const log = teamLog(administrators);
  const decide = (id: number, content: object) =>
    log.add(readEntry(event({ event_id: `$${id}`, origin_server_ts: id, content })) as never);
  decide(1, { reports: [1, 2, 3], state: 'reviewed', verdict: 'upheld' });
  decide(2, { reports: [2, 5], state: 'reviewed', verdict: 'not_upheld', seen: 'reviewed' });
  decide(3, { reports: [4], state: 'reviewed', verdict: 'duplicate' });
  decide(4, { reports: [3], state: 'open', seen: 'reviewed' });
  decide(5, { reports: [6], state: 'reviewed' });
  expect(log.marks().get(2)?.verdict).toBe('not_upheld');
  expect(accuracyOf([1, 2, 3, 4, 6, 99], log.marks())).toEqual({ decided: 2, upheld: 1 });
});

describe('documents', () => {
  const version = (at: number, key: string, content: object | null, fields: Partial<RoomEvent> = {}) =>
    readEntry(
      event({
        type: 'io.gatehouse.team.document',
        event_id: `$${at}`,
        origin_server_ts: at,
        content: { kind: 'policy', key, content },
        ...fields,
      }),
    ) as RoomEntry;
  const own = (at: number, key: string, content: object | null) =>
    ({ ...version(at, key, content), id: `own${at}`, by: '@ada:h' }) as never;
  const contents = (documents: DocumentsOfKind) =>
    Object.fromEntries([...documents].map(([key, { content }]) => [key, content]));

  test('are those of the last version, in any order of arrival', () => {
    const versions = [
      version(1, 'a', { name: 'A' }),
      version(2, 'a', { name: 'B' }),
      version(3, 'b', { name: 'C' }),
      version(4, 'b', null),
      version(5, 'a', { name: 'M' }, { sender: '@mallory:h' }),
      version(6, 'a', { name: 'V' }, { content: { kind: 'view', key: 'a', content: { name: 'V' } } }),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(versions, { minLength: versions.length }), (shuffled) => {
        const log = teamLog(administrators);
        for (const each of shuffled) log.add(each);
        expect(contents(documentsOf('policy', log.documents(), []))).toEqual({ a: { name: 'B' } });
        log.redact('$2');
        expect(contents(documentsOf('policy', log.documents(), []))).toEqual({ a: { name: 'A' } });
      }),
    );
  });

  test("are the user's own until sent, and the same object until one of the kind changes", () => {
    const log = teamLog(administrators);
    const documents = stableDocuments();
    log.add(version(5, 'a', { name: 'A' }));
    const unsent = [own(3, 'a', null), own(4, 'b', { name: 'B' })];
    const before = documents('policy', log.documents(), unsent);
    expect(contents(before)).toEqual({ b: { name: 'B' } });
    log.add(version(6, 'v', {}, { content: { kind: 'view', key: 'v', content: {} } }));
    expect(documents('policy', log.documents(), [...unsent])).toBe(before);
    expect(contents(documents('policy', log.documents(), []))).toEqual({ a: { name: 'A' } });
  });

  test("are stored without values that JSON and canonical JSON don't know", () => {
    expect(storable({ a: undefined, b: 'x\ud800', c: [{ d: 1 }] })).toEqual({ b: 'x\ufffd', c: [{ d: 1 }] });
    expect(fits(Body, { type: 'document', kind: 'policy', key: 'a', content: { weight: 0.5 } })).toBe(false);
    expect(
      fits(Body, { type: 'document', kind: 'policy', key: 'a', content: { text: '字'.repeat(20_000) } }),
    ).toBe(false);
  });
});

describe('statuses waiting to be sent', () => {
  const kept = (from: number, to: number, state: 'reviewed' | 'open', atOnce = 500): OutboxEntry[] =>
    Array.from({ length: Math.ceil((to - from + 1) / atOnce) }, (_, entry) => {
      const first = from + entry * atOnce;
      const reports = Array.from({ length: Math.min(atOnce, to - first + 1) }, (_, index) => first + index);
      return { id: `${state}-${first}`, at: first * 1000, body: { type: 'mark', reports, state } };
    });
  const marksIn = (waiting: readonly OutboxEntry[]) =>
    new Map(
      waiting.flatMap(({ at, times, body }) =>
        body.type === 'mark'
          ? body.reports.map((id, index) => [id, { state: body.state, at: times?.[index] ?? at }] as const)
          : [],
      ),
    );
  const bound = (waiting: OutboxEntry[], stays = (_: OutboxEntry) => false) => trimOutbox(waiting, stays);

  test('stay unchanged while there is room', () => {
    const few = kept(1, 20_000, 'reviewed');
    expect(bound(few)).toEqual(few);
  });

  test('are combined into few entries with their times, and later ones replace earlier ones', () => {
    const all = [
      ...kept(1, 24_000, 'reviewed', 1),
      ...kept(24_001, 100_000, 'reviewed'),
      ...kept(101, 20_000, 'open', 1),
    ];
    const left = bound(all);
    expect(left.length).toBeLessThan(400);
    const marks = marksIn(left);
    expect(marks.size).toBe(100_000);
    expect(marks.get(7)).toEqual({ state: 'reviewed', at: 7_000 });
    expect(marks.get(500)).toEqual({ state: 'open', at: 500_000 });
    expect(marks.get(24_000)).toEqual({ state: 'reviewed', at: 24_000_000 });
  });

  test("aren't combined with those of another verdict", () => {
    const [first, second] = [kept(1, 20_000, 'reviewed', 1), kept(20_001, 40_000, 'reviewed', 1)];
    for (const { body } of second) Object.assign(body, { verdict: 'upheld' });
    const withVerdict = bound([...first, ...second]).flatMap(({ body }) =>
      body.type === 'mark' && body.verdict ? body.reports : [],
    );
    expect(withVerdict).toHaveLength(20_000);
    expect(Math.min(...withVerdict)).toBe(20_001);
  });

  test('are limited: the oldest are dropped', () => {
    const marks = marksIn(bound(kept(1, 500_000, 'reviewed')));
    expect([marks.has(1), marks.has(500_000)]).toEqual([false, true]);
    expect(marks.size).toBeGreaterThan(300_000);
  });

  test("aren't combined with those another tab may drop, or with attempted ones", () => {
    const [tried, ...rest] = kept(1, 40_000, 'reviewed', 1) as [OutboxEntry, ...OutboxEntry[]];
    const left = bound([{ ...tried, tried: true }, ...rest], ({ id }) => id === 'reviewed-9');
    expect(left[0]).toEqual({ ...tried, tried: true });
    expect(left.filter(({ id }) => id === 'reviewed-9')).toHaveLength(1);
    expect(marksIn(left).size).toBe(40_000);
  });
});
