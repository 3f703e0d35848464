import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldCases, isClaimExpired, isMutedReporter, isWatched, watchList } from '../../shared/team/cases.ts';
import type { CaseChange, LogEntry } from '../../shared/team/entries.ts';
import { teamLog } from '../../shared/team/log.ts';
import { eventOf, readEntry } from '../../shared/team/room-events.ts';

const mallory = { kind: 'user', userId: '@mallory:h' } as const;
const lobby = { kind: 'room', roomId: '!lobby:h' } as const;

let ids = 0;
const decision = (
  at: number,
  change: CaseChange,
  subject: typeof mallory | typeof lobby = mallory,
): LogEntry => ({
  id: `$${ids++}`,
  by: '@ada:h',
  at,
  body: { type: 'case', subject, ...change },
});
const ofMallory = (entries: LogEntry[], own: LogEntry[] = []) =>
  foldCases(entries, own).get('user @mallory:h');

test('the later entry counts for each field of a case, and null clears it', () => {
  const entries = [
    decision(3, { severity: null }),
    decision(1, { assignee: '@ben:h', severity: 'high' }),
    decision(2, { assignee: '@ada:h', snoozedUntil: 90 }),
    decision(9, { assignee: '@ben:h' }, lobby),
  ];
  expect(ofMallory(entries)).toEqual({ assignee: '@ada:h', claimedAt: 2, snoozedUntil: 90, snoozedAt: 2 });
  expect(ofMallory([...entries, decision(4, { snoozedUntil: null })])).toEqual({
    assignee: '@ada:h',
    claimedAt: 2,
  });
});

test("a claimed case counts as unassigned after eight hours, an assigned one doesn't", () => {
  const hour = 3_600_000;
  const isExpired = (assignee: string, hours: number) =>
    isClaimExpired(ofMallory([decision(5, { assignee })]) ?? {}, 5 + hours * hour);
  expect(isExpired('@ada:h', 7.9)).toBe(false);
  expect(isExpired('@ada:h', 8)).toBe(true);
  expect(isExpired('@ben:h', 100)).toBe(false);
  const handedOver = [decision(5, { assignee: '@ada:h' }), decision(6, { assignee: '@ben:h' })];
  expect(ofMallory(handedOver)).toEqual({ assignee: '@ben:h' });
});

test('a quiet time begins with its decision, and null ends it', () => {
  const quiet = decision(2, { quietUntil: 90 });
  expect(ofMallory([quiet])).toEqual({ quietUntil: 90, quietAt: 2 });
  expect(ofMallory([quiet, decision(3, { quietUntil: null })])).toEqual({});
});

test('muted reporters and watched users and rooms are so until the time', () => {
  const cases = foldCases(
    [
      decision(1, { reporterMutedUntil: 50, watchedUntil: 70 }),
      decision(1, { watchedUntil: 60 }, lobby),
      decision(1, { severity: 'high' }, { kind: 'user', userId: '@ben:h' } as never),
    ],
    [],
  );
  expect([49, 50].map((now) => isMutedReporter(cases, '@mallory:h', now))).toEqual([true, false]);
  expect([69, 70].map((now) => isWatched(cases.get('user @mallory:h'), now))).toEqual([true, false]);
  expect(watchList(cases, 59)).toEqual([
    { subject: lobby, until: 60 },
    { subject: mallory, until: 70 },
  ]);
  expect(watchList(cases, 60)).toEqual([{ subject: mallory, until: 70 }]);
});

test('unsent entries count as the last ones, in order of adding', () => {
  const own = [decision(8, { assignee: '@ada:h' }), decision(7, { assignee: '@ben:h' })];
  expect(ofMallory([decision(99, { assignee: '@cleo:h' })], own)?.assignee).toBe('@ben:h');
});

test('decisions about cases fold to the same in any order', () => {
  const change = fc.record(
    {
      assignee: fc.constantFrom('@ada:h', '@ben:h', null),
      severity: fc.constantFrom('low', 'urgent', null),
      snoozedUntil: fc.constantFrom(50, null),
    },
    { requiredKeys: [] },
  );
  const entries = fc
    .array(fc.tuple(fc.nat({ max: 3 }), change, fc.constantFrom(mallory, lobby)), { maxLength: 8 })
    .map((all) => all.map((each) => decision(...each)));
  const shuffled = entries.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
  );
  fc.assert(
    fc.property(shuffled, ([all, other]) => {
      const sorted = (some: LogEntry[]) => [...foldCases(some, [])].sort(([a], [b]) => a.localeCompare(b));
      expect(sorted(other)).toEqual(sorted(all));
    }),
  );
});

test("a decision is read back from the room, and only an admin's counts", () => {
  const change = {
    assignee: null,
    severity: 'high',
    snoozedUntil: 1_000,
    quietUntil: null,
    reporterMutedUntil: 2_000,
    watchedUntil: 3_000,
  } as const;
  const { type, content } = eventOf(decision(5, change), 5);
  expect(content).toMatchObject({
    subject: { kind: 'user', user_id: '@mallory:h' },
    snoozed_until: 1_000,
    reporter_muted_until: 2_000,
    watched_until: 3_000,
  });
  const log = teamLog(new Set(['@ada:h']));
  for (const sender of ['@ada:h', '@eve:h']) {
    const received = readEntry({ type, sender, event_id: `$${sender}`, origin_server_ts: 5, content });
    if (received) log.add(received);
  }
  expect(log.caseEntries().map(({ by, body }) => ({ by, ...body }))).toEqual([
    { by: '@ada:h', type: 'case', subject: mallory, ...change },
  ]);
  // A time that no date has would break each page that shows it.
  for (const wrong of [{ severity: 'dire' }, { watched_until: 8_640_000_000_000_001 }])
    expect(
      readEntry({
        type,
        sender: '@ada:h',
        event_id: '$w',
        origin_server_ts: 5,
        content: { ...content, ...wrong },
      }),
    ).toBeUndefined();
});
