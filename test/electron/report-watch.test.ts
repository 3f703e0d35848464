/** Polling schedule and notifications of the report watcher. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type News,
  type NotifiedReports,
  type ReportKind,
  type ReportsSeen,
  watchReports,
} from '../../electron/notifications/report-watch.ts';

const minute = 60_000;
let reports: number[];
let answer: (kind: ReportKind) => ReportsSeen;
let asked: number[];
let askedOf: ReportKind[];
let told: News[];
let isTold: boolean;
let mayTell: boolean;
let kept: NotifiedReports;

const watch = () =>
  watchReports({
    notified: {
      read: () => kept,
      write: (content) => {
        kept = content;
      },
    },
    ask: async (_, kind, limit) => {
      asked.push(limit);
      askedOf.push(kind);
      const seen = answer(kind);
      return typeof seen === 'string' ? seen : { ...seen, ids: seen.ids.slice(0, limit) };
    },
    isEnabled: () => isTold,
    mayNotify: () => mayTell,
    notify: (_, news) => void told.push(news),
    onChange: () => {},
  });

const onEvents = (count: number, newestId: number): News => ({
  kind: 'event',
  count,
  isMore: false,
  newestId,
});

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

beforeEach(() => {
  vi.useFakeTimers();
  reports = [3, 2, 1];
  answer = () => ({ ids: reports, total: reports.length });
  asked = [];
  askedOf = [];
  told = [];
  isTold = false;
  mayTell = true;
  kept = { newest: {} };
});
afterEach(() => {
  vi.useRealTimers();
});

test("existing reports aren't announced, and new ones once, across restarts", async () => {
  const first = watch();
  first.follow(['a']);
  await pass(5 * minute);
  expect(told).toEqual([]);
  reports = [6, 5, 4, ...reports];
  await pass(5 * minute);
  expect(told).toEqual([onEvents(3, 6)]);
  first.follow([]);

  reports = [7, ...reports];
  watch().follow(['a']);
  await pass(5 * minute);
  expect(told).toEqual([onEvents(3, 6), onEvents(1, 7)]);
});

test('a check requests one report, twice a minute, and counts only new ones', async () => {
  watch().follow(['a']);
  await pass(minute - 1);
  expect(asked).toEqual([1, 1]);
  reports = [4, ...reports];
  await pass(minute);
  expect(asked).toEqual([1, 1, 1, 51, 1]);
});

test('reports during quiet hours are announced together afterwards', async () => {
  watch().follow(['a']);
  await pass(0);
  mayTell = false;
  reports = [4, ...reports];
  await pass(minute);
  reports = [5, ...reports];
  await pass(minute);
  expect(told).toEqual([]);
  expect(asked).not.toContain(51);
  mayTell = true;
  await pass(minute);
  expect(told).toEqual([onEvents(2, 5)]);
});

test("deleted reports and older ones that become newest aren't announced", async () => {
  watch().follow(['a']);
  await pass(0);
  reports = [2, 1];
  await pass(minute);
  reports = [4, 2, 1];
  await pass(minute);
  expect(told).toEqual([onEvents(1, 4)]);
});

test('an unresponsive server is polled less and less, and normally after it recovers', async () => {
  const followed = watch();
  followed.follow(['a']);
  await pass(0);
  answer = () => 'unreachable';
  await pass(60 * minute);
  expect(followed.stateOf('a')).toBe('unreachable');
  expect(asked.length).toBeLessThan(12);
  answer = () => ({ ids: reports, total: reports.length });
  // Polls at least every 15 minutes.
  await pass(15 * minute);
  expect(followed.stateOf('a')).toBe('reachable');
  const before = asked.length;
  await pass(10 * minute);
  expect(asked.length - before).toBe(20);
});

test('an ended session is left alone until a new one', async () => {
  const followed = watch();
  answer = () => 'signed-out';
  followed.follow(['a']);
  await pass(60 * minute);
  expect(followed.stateOf('a')).toBe('signed-out');
  expect(asked).toHaveLength(1);
  answer = () => ({ ids: reports, total: reports.length });
  followed.follow(['a']);
  await pass(0);
  expect(followed.stateOf('a')).toBe('reachable');
});

test("a disabled server isn't polled, and its last reply is ignored", async () => {
  const followed = watch();
  followed.follow(['a']);
  await pass(0);
  reports = [4, ...reports];
  followed.lookNow();
  followed.follow([]);
  await pass(60 * minute);
  expect(told).toEqual([]);
  expect(asked).toHaveLength(2);
});

test('overlapping checks announce a report once', async () => {
  const followed = watch();
  followed.follow(['a']);
  await pass(0);
  reports = [4, ...reports];
  for (let times = 0; times < 5; times++) followed.lookNow();
  await pass(minute);
  expect(told).toHaveLength(1);
});

test('user and room reports are announced too, with counts of their own', async () => {
  const others: Record<string, number[]> = { user: [9], room: [2] };
  answer = (kind) => {
    const ids = others[kind] ?? reports;
    return { ids, total: ids.length };
  };
  watch().follow(['a']);
  await pass(minute);
  expect(new Set(askedOf)).toEqual(new Set(['event']));
  isTold = true;
  await pass(minute);
  expect(told).toEqual([]);
  others.user = [10, 9];
  others.room = [4, 3, 2];
  await pass(minute);
  expect(told).toEqual([
    { kind: 'user', count: 1, isMore: false, newestId: 10 },
    { kind: 'room', count: 2, isMore: false, newestId: 4 },
  ]);
  expect(kept).toEqual({ newest: { a: 3 }, newestOnUsers: { a: 10 }, newestOnRooms: { a: 4 } });
});

test("a missing endpoint isn't requested again until the server may have changed", async () => {
  isTold = true;
  answer = (kind) => (kind === 'event' ? { ids: reports, total: reports.length } : 'not-offered');
  const followed = watch();
  followed.follow(['a']);
  await pass(5 * minute);
  expect(followed.stateOf('a')).toBe('reachable');
  expect(askedOf.filter((kind) => kind !== 'event')).toEqual(['user', 'room']);
  followed.lookNow();
  await pass(0);
  expect(askedOf.filter((kind) => kind === 'user')).toHaveLength(2);
});

test.each([
  [50, false],
  [51, true],
  [400, true],
])('%i new reports end with a plus: %s', async (count, isMore) => {
  watch().follow(['a']);
  await pass(0);
  reports = Array.from({ length: 3 + count }, (_, index) => 3 + count - index);
  await pass(minute);
  expect(told).toEqual([{ kind: 'event', count: 50, isMore, newestId: 3 + count }]);
});

test('a report that arrives while others are counted is announced with them, once', async () => {
  watch().follow(['a']);
  await pass(0);
  reports = [4, ...reports];
  answer = (kind) => {
    if (kind === 'event' && asked.at(-1) !== 1) reports = [5, 4, 3, 2, 1];
    return { ids: reports, total: reports.length };
  };
  await pass(5 * minute);
  expect(told).toEqual([onEvents(2, 5)]);
});

test("the console's counts replace the polled one, and the first one stays", async () => {
  const watching = watch();
  watching.learn('a', 9);
  expect(watching.totalsOf('a')).toBe(undefined);
  watching.follow(['a']);
  watching.learn('a', 2);
  await pass(0);
  watching.learn('a', 7);
  expect(watching.totalsOf('a')).toEqual({ first: 2, now: 7 });
});
