/** When servers are looked at, and what of it is told. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type News,
  type ReportKind,
  type ReportsSeen,
  type ToldReports,
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
let kept: ToldReports;

const watch = () =>
  watchReports({
    told: {
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
    isTold: () => isTold,
    mayTell: () => mayTell,
    tell: (_, news) => void told.push(news),
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

test('what is there at first is no news; what comes is told once, also over a restart', async () => {
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

test('a look is one report, twice a minute; only news are counted', async () => {
  watch().follow(['a']);
  await pass(minute - 1);
  expect(asked).toEqual([1, 1]);
  reports = [4, ...reports];
  await pass(minute);
  expect(asked).toEqual([1, 1, 1, 51, 1]);
});

test('what comes while it may not be told is told together afterwards', async () => {
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

test('reports that are deleted are no news, and neither is what is then the newest', async () => {
  watch().follow(['a']);
  await pass(0);
  reports = [2, 1];
  await pass(minute);
  reports = [4, 2, 1];
  await pass(minute);
  expect(told).toEqual([onEvents(1, 4)]);
});

test('a server that does not answer is asked less and less, and as before when it does again', async () => {
  const followed = watch();
  followed.follow(['a']);
  await pass(0);
  answer = () => 'unreachable';
  await pass(60 * minute);
  expect(followed.stateOf('a')).toBe('unreachable');
  expect(asked.length).toBeLessThan(12);
  answer = () => ({ ids: reports, total: reports.length });
  // At least every quarter of an hour.
  await pass(15 * minute);
  expect(followed.stateOf('a')).toBe('reachable');
  const before = asked.length;
  await pass(10 * minute);
  expect(asked.length - before).toBe(20);
});

test('a server whose session has ended is left alone until there is another', async () => {
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

test('a server that nobody wants to hear of any more is not asked, and its last answer not told', async () => {
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

test('looking in haste does not tell twice', async () => {
  const followed = watch();
  followed.follow(['a']);
  await pass(0);
  reports = [4, ...reports];
  for (let times = 0; times < 5; times++) followed.lookNow();
  await pass(minute);
  expect(told).toHaveLength(1);
});

test('who is told is told of reports on users and rooms as well, each numbered by itself', async () => {
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

test('what a server does not have it is not asked for again, until it may be another one', async () => {
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

test('more than are counted are said to be more', async () => {
  watch().follow(['a']);
  await pass(0);
  reports = Array.from({ length: 400 }, (_, index) => 400 - index);
  await pass(minute);
  expect(told).toEqual([{ kind: 'event', count: 50, isMore: true, newestId: 400 }]);
});
