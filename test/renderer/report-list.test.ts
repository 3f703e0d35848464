/** Rules of the report list: paging, content, keyboard navigation and queue counts. */
import { expect, test } from 'vitest';
import { pendingMarksIn } from '../../renderer/actions/undo-marks.ts';
import type { AskReports, ReportOrder } from '../../renderer/api/reports/report-source.ts';
import { gatherReports } from '../../renderer/api/reports/report-walk.ts';
import { persistently } from '../../renderer/api/scan-pace.ts';
import { filterReports } from '../../renderer/features/reports/list/filter.ts';
import { byTotals, grouper, groupsOf, keepOrder } from '../../renderer/features/reports/list/groups.ts';
import { stageOf } from '../../renderer/features/reports/list/list-state.ts';
import { type QueueCounts, queueCounts } from '../../renderer/features/reports/list/queue-counts.ts';
import { firstFitting, placeIn, type ReportRows } from '../../renderer/features/reports/list/report-rows.ts';
import { scanRows } from '../../renderer/features/reports/list/scan-rows.ts';
import { readsOn } from '../../renderer/features/reports/list/scan-source.ts';
import { type Strategy, strategyOf } from '../../renderer/features/reports/list/strategy.ts';
import { rowsInOrder } from '../../renderer/features/reports/list/use-groups.ts';
import { windowRows } from '../../renderer/features/reports/list/window-rows.ts';
import type { ListSearch } from '../../renderer/features/reports/report-search.ts';
import { refusalOf } from '../../renderer/transport/refusal.ts';
import type { Mark } from '../../shared/team/entries.ts';
import { sampleReport, sampleReports } from './sample-reports.ts';

const marksOf = (marks: Partial<Record<Mark['state'], number[]>>) =>
  new Map(
    Object.entries(marks).flatMap(([state, ids]) =>
      ids.map((reportId) => [reportId, { reportId, state, by: '@mod:x', at: 1 } as Mark] as const),
    ),
  );
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const newest = (count: number) => sampleReports(count).reverse();
const unread = () => undefined;
const none = new Map<number, never>();

const frame = (size: number) => ({ size, latestId: size });
const window = (hidesMarked: boolean): Strategy => ({ kind: 'window', hidesMarked });
const scan = (reach: 'screenful' | 'batch'): Strategy => ({ kind: 'scan', reach });
const groups = (isLong: boolean): Strategy => ({ kind: 'groups', reach: 'end', isLong });

test.each<[string, ListSearch, Parameters<typeof marksOf>[0], number | undefined, Strategy | undefined]>([
  ['all', {}, {}, undefined, window(false)],
  ['the oldest first', { order: 'oldest' }, {}, 9, window(false)],
  ['words', { text: 'rude' }, {}, undefined, scan('screenful')],
  ['a reason', { reason: '' }, {}, 9, scan('screenful')],
  ['days', { since: '2026-01-01' }, {}, 9, scan('screenful')],
  ['by severity', { order: 'severity' }, {}, 9, scan('batch')],
  ['open, mostly', { queue: 'unreviewed' }, { reviewed: range(1, 50) }, 100, window(true)],
  ['open, hardly any', { queue: 'unreviewed' }, { reviewed: range(1, 51) }, 100, scan('screenful')],
  ['open, before the total is known', { queue: 'unreviewed' }, {}, undefined, undefined],
  ['open, by severity', { queue: 'unreviewed', order: 'severity' }, {}, 100, scan('batch')],
  [
    'escalated',
    { queue: 'escalated' },
    { escalated: [7, 3] },
    9,
    { kind: 'ids', ids: [7, 3], reach: 'screenful' },
  ],
  [
    'escalated, all of many',
    { queue: 'escalated' },
    { escalated: range(1, 300) },
    300,
    { kind: 'ids', ids: range(1, 300), reach: 'screenful' },
  ],
  [
    'escalated ids that no report has yet',
    { queue: 'escalated' },
    { escalated: [3, 10] },
    9,
    { kind: 'ids', ids: [3], reach: 'screenful' },
  ],
  ['escalated, before the newest is known', { queue: 'escalated' }, { escalated: [3] }, undefined, undefined],
  [
    'a few resolved of many',
    { queue: 'resolved' },
    { reviewed: [17, 2_500] },
    5_000,
    { kind: 'ids', ids: [17, 2_500], reach: 'screenful' },
  ],
  ['a few resolved of few', { queue: 'resolved' }, { reviewed: [1, 2] }, 9, scan('screenful')],
  ['many resolved', { queue: 'resolved' }, { reviewed: range(1, 201) }, 200_000, scan('screenful')],
  ['groups', { group: 'sender' }, {}, 5_000, groups(false)],
  ['groups of many', { group: 'sender' }, {}, 5_001, groups(true)],
  ['groups of many with words', { group: 'sender', text: 'rude' }, {}, 5_001, groups(false)],
  ['groups before the total is known', { group: 'sender' }, {}, undefined, undefined],
  [
    'escalated groups',
    { queue: 'escalated', group: 'room' },
    { escalated: [3] },
    9,
    { kind: 'groups', ids: [3], reach: 'batch', isLong: false },
  ],
])('%s', (_case, search, marks, size, expected) => {
  const facts = {
    frame: size === undefined ? undefined : frame(size),
    marks: marksOf(marks),
    areMarksLoading: false,
  };
  expect(strategyOf(search, facts, undefined)).toEqual(expected);
});

test('a list keeps its strategy while in use and loads IDs that get the status', () => {
  const facts = (marks: Parameters<typeof marksOf>[0]) => ({
    frame: frame(100),
    marks: marksOf(marks),
    areMarksLoading: false,
  });
  const open = { queue: 'unreviewed' } as const;
  expect(strategyOf(open, facts({ reviewed: range(1, 90) }), window(true))).toEqual(window(true));
  expect(strategyOf(open, { ...facts({}), areMarksLoading: true }, undefined)).toBeUndefined();
  const escalated = { queue: 'escalated' } as const;
  const before = strategyOf(escalated, facts({ escalated: [7, 3] }), undefined);
  expect(strategyOf(escalated, facts({ escalated: [3] }), before)).toBe(before);
  expect(strategyOf(escalated, facts({ escalated: [3, 9] }), before)).toMatchObject({ ids: [7, 3, 9] });
  const many = facts({ reviewed: range(1, 60) });
  expect(strategyOf({ queue: 'resolved' }, many, { kind: 'ids', ids: [1], reach: 'screenful' })).toEqual(
    scan('screenful'),
  );
  expect(strategyOf({ queue: 'resolved' }, facts({ reviewed: [1] }), scan('screenful'))).toEqual(
    scan('screenful'),
  );
});

const progress = { looked: 100, found: 10, shownTo: 0, goal: 0, isSeeking: false };

test.each<[string, Parameters<typeof readsOn>[0], Partial<typeof progress>, boolean]>([
  ['until the screen is full', 'screenful', {}, true],
  ['no further than that', 'screenful', { found: 30 }, false],
  ['below the last row on screen', 'screenful', { found: 59, shownTo: 30 }, true],
  ['up to the requested number', 'screenful', { found: 30, goal: 101 }, true],
  ['to a report whose row is searched for', 'screenful', { found: 30, isSeeking: true }, true],
  ['not for ever to that', 'screenful', { found: 30, looked: 20_000, isSeeking: true }, false],
  ['through a batch to sort it', 'batch', { found: 90, looked: 4_999 }, true],
  ['no further, wherever one scrolls', 'batch', { found: 90, looked: 5_000, shownTo: 80 }, false],
  ['further if asked', 'batch', { found: 90, looked: 5_000, goal: 10_000 }, true],
  ['to the end for groups', 'end', { found: 9_000, looked: 90_000 }, true],
])('a scan continues on %s', (_case, reach, changes, expected) => {
  expect(readsOn(reach, { ...progress, ...changes })).toBe(expected);
});

const facts = { rows: 0, total: 9, goesOn: false, isComplete: true, isFiltered: false, queue: undefined };

test.each<[string, Strategy | undefined, Partial<Parameters<typeof stageOf>[1]>, ReturnType<typeof stageOf>]>(
  [
    ['there are rows', window(false), { rows: 1 }, 'found'],
    ['the strategy is open', undefined, {}, 'looking'],
    ['the scan continues', scan('screenful'), { goesOn: true, isComplete: false }, 'looking'],
    ['filters leave none', scan('screenful'), { isFiltered: true, queue: 'unreviewed' }, 'filtered out'],
    ['the queue has none', window(true), { queue: 'unreviewed', isComplete: false }, 'queue empty'],
    ['the scanned queue has none', scan('screenful'), { queue: 'unreviewed' }, 'queue empty'],
    ['none was scanned yet', scan('screenful'), { queue: 'unreviewed', isComplete: false }, 'none found yet'],
    ['there are no reports', window(true), { queue: 'unreviewed', total: 0 }, 'no reports'],
  ],
)('where %s', (_case, strategy, changes, expected) => {
  expect(stageOf(strategy, { ...facts, ...changes })).toBe(expected);
});

const ids = (reports: readonly { id: number }[]) => reports.map(({ id }) => id);

test('the most reported users come first, and of each the most reported messages', () => {
  const by = (sender: string, ...reports: [number, string][]) =>
    reports.map(([id, event_id]) => sampleReport(id, { sender, event_id }));
  const reports = [
    ...by('@twice:b', [9, '$one'], [8, '$one']),
    ...by('@thrice:b', [7, '$a'], [6, '$b'], [5, '$b']),
  ];
  const inOrder = (order: 'count' | 'sender') => ids(filterReports(reports, { order }, none, unread));
  expect(inOrder('sender')).toEqual([6, 5, 7, 9, 8]);
  expect(inOrder('count')).toEqual([6, 5, 9, 8, 7]);
});

test('reports without a score come after the least offensive ones, newest first', () => {
  const reports = [5, 4, 3, 2, 1].map((id) =>
    sampleReport(id, { score: [-100, null, 0, null, -1][id - 1] ?? null }),
  );
  expect(ids(filterReports(reports, { order: 'severity' }, none, unread))).toEqual([1, 5, 3, 4, 2]);
});

test('a loaded message is searched for every report on it', () => {
  const reports = [1, 2, 3].map((id) => sampleReport(id, { event_id: id < 3 ? '$one' : '$other' }));
  const read = (eventId: string) => (eventId === '$one' ? 'Cheap watches' : undefined);
  expect(ids(filterReports(reports, { text: 'watches' }, none, read))).toEqual([1, 2]);
});

test.each<[string, Parameters<typeof filterReports>[1], number[]]>([
  ['a queue', { queue: 'unreviewed' }, [4, 1]],
  ['another', { queue: 'escalated' }, [3]],
  ['words in any order and case', { text: 'four REASON' }, [4]],
  ['the first line of a reason', { reason: 'reason four' }, [4]],
  ['no reason', { reason: '' }, [1]],
  ['from a day on', { since: '2026-01-03' }, [4, 3]],
  ['up to the end of a day', { until: '2026-01-02' }, [2, 1]],
])('reports are filtered by %s', (_case, criteria, expected) => {
  const at = (day: number) => new Date(2026, 0, day, 12).getTime();
  const reports = [
    sampleReport(4, { reason: 'Reason Four\nmore', received_ts: at(4) }),
    sampleReport(3, { received_ts: at(3) }),
    sampleReport(2, { received_ts: at(2) }),
    sampleReport(1, { reason: null, received_ts: at(1) }),
  ];
  const marks = marksOf({ escalated: [3], reviewed: [2] });
  expect(ids(filterReports(reports, criteria, marks, unread))).toEqual(expected);
});

test('the rows of a window exclude deleted and resolved ones and map to offsets', () => {
  const reports = newest(10);
  const page = { event_reports: reports, total: 10, ofFrame: true };
  const rows = windowRows(
    frame(10),
    new Map([[0, page]]),
    new Map([[9, 'gone']]),
    marksOf({ reviewed: [7, 6] }),
  );
  expect(ids(rows.loaded)).toEqual([10, 8, 5, 4, 3, 2, 1]);
  expect([rows.count, rows.total]).toEqual([7, 9]);
  expect([0, 1, 2, 6].map(rows.offsetOf)).toEqual([0, 2, 5, 9]);
  expect([0, 2, 5, 9].map(rows.rowOfOffset)).toEqual([0, 1, 2, 6]);
  expect([rows.rowOf(5), rows.rowOf(7), rows.at(2)?.id]).toEqual([2, undefined, 5]);
  // A page of an earlier list isn't shown.
  expect(windowRows(frame(10), new Map([[0, { ...page, ofFrame: false }]]), new Map(), none).loaded).toEqual(
    [],
  );
});

type Place = {
  dir?: ReportOrder;
  order?: 'severity';
  found: (id: number) => boolean;
  scanned: readonly ReturnType<typeof sampleReport>[];
  of: number;
  isLeftOut?: boolean;
  isReading?: boolean;
  isUnknown?: boolean;
};
const scored = (id: number) => sampleReport(id, { score: id === 40 ? -90 : -50 });
const hundred = range(1, 100).map(scored);
const tens = (id: number) => id % 10 === 0;

test.each<[string, Place, number | undefined]>([
  ['a match', { found: tens, scanned: hundred.toReversed(), of: 50 }, 50],
  [
    'the last match, while more can come',
    { found: tens, scanned: hundred.toReversed(), of: 10, isReading: true },
    undefined,
  ],
  ['a report that is left out', { found: tens, scanned: hundred.toReversed(), of: 55, isLeftOut: true }, 50],
  [
    'one that is left out, with none after it',
    { found: tens, scanned: hundred.toReversed(), of: 5, isLeftOut: true },
    100,
  ],
  [
    'one that is left out, from the oldest on',
    { dir: 'f', found: tens, scanned: hundred, of: 95, isLeftOut: true },
    100,
  ],
  [
    'one that is left out, from the oldest on, at the end',
    { dir: 'f', found: (id) => tens(id) && id < 95, scanned: hundred, of: 95, isLeftOut: true },
    10,
  ],
  [
    'one that is left out, by severity',
    { order: 'severity', found: tens, scanned: hundred.toReversed(), of: 95, isLeftOut: true },
    90,
  ],
  [
    'one that is left out and the least severe',
    { order: 'severity', found: (id) => id === 40, scanned: hundred.toReversed(), of: 95, isLeftOut: true },
    40,
  ],
  [
    'one that is looked for',
    { found: tens, scanned: hundred.slice(50).toReversed(), of: 5, isReading: true },
    undefined,
  ],
  [
    'one that is no longer searched for',
    { found: tens, scanned: hundred.slice(50).toReversed(), of: 5 },
    100,
  ],
  ['anything before the first reply', { found: () => false, scanned: [], of: 5, isUnknown: true }, undefined],
])('keys continue from %s', (_case, { of, scanned, dir = 'b', order, found, ...place }, expected) => {
  const matches = filterReports(
    scanned.filter(({ id }) => found(id)),
    { ...(order && { order }) },
    none,
    unread,
  );
  const leftOut = place.isLeftOut ? { id: of, report: scored(of), by: 'filters' as const } : undefined;
  const { isReading = false, isUnknown = false } = place;
  const rows = scanRows({ found: matches, scanned, dir, order, leftOut, isReading, isUnknown });
  const row = rows.placeOf(of);
  expect(row === undefined ? undefined : rows.at(row)?.id).toBe(expected);
});

test.each<
  [string, { loaded: number[]; count: number; at?: number; isLeftOut?: boolean }, number, number | undefined]
>([
  ['the next one took its place', { loaded: [9, 7, 5], count: 3 }, 6, 2],
  ['the list begins with the oldest', { loaded: [5, 7, 9], count: 3 }, 6, 1],
  ['the last one was deleted', { loaded: [9, 7, 5], count: 3 }, 3, 3],
  ['it is after the loaded ones', { loaded: [9, 7, 5], count: 90 }, 3, undefined],
  ['it is before the loaded ones', { loaded: [9, 7, 5], count: 90, at: 30 }, 11, undefined],
  ['filters leave it out, far from the loaded ones', { loaded: [9, 7, 5], count: 90, isLeftOut: true }, 3, 0],
  ['filters leave it out, in the middle', { loaded: [9, 7, 5], count: 3, isLeftOut: true }, 6, 2],
])('in a window where %s', (_case, { loaded, count, at = 0, isLeftOut = false }, id, expected) => {
  const reports = loaded.map((each) => sampleReport(each));
  const rows: ReportRows = {
    count,
    at: (row) => reports[row - at],
    rowOf: (reportId) => (loaded.includes(reportId) ? loaded.indexOf(reportId) + at : undefined),
    loaded: reports,
    isLeftOut: () => isLeftOut,
    look: () => {},
  };
  expect(placeIn(rows, id)).toBe(expected);
});

test.each([
  ['the first that fits', 2, 4, [3, 2], { row: 2, isKnown: true }],
  ['past one that does not', 2, 4, [2], { row: 3, isKnown: true }],
  ['none before the end', 2, 3, [2], undefined],
  ['one that is not loaded', 0, 4, [3], { row: 1, isKnown: false }],
])('the next open report: %s', (_case, start, end, open, expected) => {
  const rows = { at: (row: number) => [{ id: 5 }, undefined, { id: 3 }, { id: 2 }][row] };
  expect(firstFitting(rows, start, end, ({ id }) => open.includes(id))).toEqual(expected);
});

test("reports being resolved by a job aren't open", () => {
  const item = {
    kind: 'user',
    userId: '@eve:x',
    reports: [1, 2],
    further: [
      { of: 'report', reports: [3] },
      { of: 'user_report', reports: [4] },
    ],
  } as const;
  const items = [{ item: structuredClone(item), state: 'waiting', transaction: 't' }] as never;
  const job = (markReviewed: boolean, state: 'running' | 'ended' = 'running') =>
    ({ state, direction: 'do', answers: { reason: '', fields: { markReviewed } }, items }) as const;
  expect([...pendingMarksIn([job(true)], 'report')]).toEqual([1, 2, 3]);
  expect([...pendingMarksIn([job(true)], 'user_report')]).toEqual([4]);
  expect([...pendingMarksIn([job(false)], 'report')]).toEqual([3]);
  expect([...pendingMarksIn([job(true, 'ended')], 'report')]).toEqual([]);
});

test('all matches are collected, even after many others', async () => {
  const reports = newest(3_000);
  const ask: AskReports<(typeof reports)[number]> = async ({ from, limit }) => ({
    event_reports: reports.slice(from, from + limit),
    total: reports.length,
    ...(from + limit < reports.length && { next_token: from + limit }),
  });
  const open = (some: typeof reports) => some.filter(({ id }) => id <= 800);
  expect(await gatherReports(ask, open, 1_000)).toHaveLength(800);
  expect(ids(await gatherReports(ask, open, 3))).toEqual([800, 799, 798]);
});

test("keys step through a group and into the next by the server's numbers", () => {
  const reports = [7, 6, 5, 4, 3, 2, 1].map((id) => sampleReport(id, { sender: id > 4 ? '@a:x' : '@b:x' }));
  const found = groupsOf(reports, 'sender', {}, 'count');
  expect(found.map(({ key }) => key)).toEqual(['@b:x', '@a:x']);
  const { at, rowOf, count } = rowsInOrder(found);
  expect(range(0, count - 1).map((row) => at(row)?.id)).toEqual([4, 3, 2, 1, 7, 6, 5]);
  expect([rowOf(7), rowOf(9)]).toEqual([4, undefined]);
  const counted = byTotals(found, new Map([['@a:x', 90]]));
  expect(counted.map(({ key }) => key)).toEqual(['@a:x', '@b:x']);
  expect(keepOrder(counted, ['@b:x']).map(({ key }) => key)).toEqual(['@b:x', '@a:x']);
  expect(groupsOf(reports, 'sender', {}, 'newest').map(({ key }) => key)).toEqual(['@a:x', '@b:x']);
});

test('in another order, keys step through each group in that order', () => {
  const reports = [1, 2, 3, 4, 5].map((id) =>
    sampleReport(id, { sender: id % 2 ? '@thrice:x' : '@twice:x' }),
  );
  const { at } = rowsInOrder(groupsOf(reports, 'sender', {}, 'oldest'));
  expect(range(0, 4).map((row) => at(row)?.id)).toEqual([1, 3, 5, 2, 4]);
});

test('a scan waits longer after each failure, and at least as long as the server asks', () => {
  const connection = {
    id: 'x',
    baseUrl: 'https://x',
    dialect: 'matrix',
    userId: '@a:x',
    local: false,
  } as const;
  const busy = refusalOf({ status: 503, body: { errcode: 'M_UNKNOWN', error: 'Busy' } }, connection);
  const limit = { errcode: 'M_LIMIT_EXCEEDED', error: 'Too fast', retry_after_ms: 5_000 };
  const limited = refusalOf({ status: 429, body: limit }, connection);
  expect([0, 1, 2, 9].map((failures) => persistently.retryDelay(failures, busy))).toEqual([
    1_000, 2_000, 4_000, 60_000,
  ]);
  expect([0, 3].map((failures) => persistently.retryDelay(failures, limited))).toEqual([5_000, 8_000]);
  expect([9, 10].map((failures) => persistently.retry(failures, busy))).toEqual([true, false]);
  const refusing = (retry_after_ms: number) =>
    refusalOf({ status: 429, body: { ...limit, retry_after_ms } }, connection);
  expect([120_000, 121_000].map((wait) => persistently.retry(0, refusing(wait)))).toEqual([true, false]);
});

test('groups of a list that grew are those of the whole list', () => {
  const reports = range(1, 9).map((id) => sampleReport(id, { room_id: `!${id % 2}` }));
  const grow = grouper('room', {}, 'count');
  grow(reports.slice(0, 4));
  const grown = grow(reports);
  expect(grown).toEqual(groupsOf(reports, 'room', {}, 'count'));
  expect(grow(reports.slice(3))).toEqual(groupsOf(reports.slice(3), 'room', {}, 'count'));
});

test.each([
  ['one in the middle', [5]],
  ['the last one', [9]],
  ['one in the middle, and has grown', [5], 1],
  ['as many as it has grown by', [5, 6], 2],
  ['the first one', [1]],
  ['all', range(1, 9)],
])('a list that has lost %s is grouped again', (_, lost, more = 0) => {
  const reports = (last: number) => range(1, last).map((id) => sampleReport(id, { room_id: `!${id % 2}` }));
  const all = reports(9 + more);
  const group = grouper('room', {}, 'count');
  group(all.slice(0, 9));
  const left = all.filter(({ id }) => !lost.includes(id));
  expect(group(left)).toEqual(groupsOf(left, 'room', {}, 'count'));
});

type Counted = Partial<Parameters<typeof queueCounts>[0]>;
const counting = {
  search: {},
  isFiltered: false,
  frame: { all: 100, size: 100, latestId: 100 },
  marks: marksOf({ reviewed: [1, 2, 300], escalated: [3] }),
  tombstones: new Map(),
  unreviewed: 97,
  scan: { reports: [], isComplete: false, isById: false },
  counted: undefined,
  messages: unread,
};
const filtered = { isFiltered: true };
const words = { isFiltered: true, search: { text: 'reason' } };
const few = newest(4);
const scannedFew = (isComplete: boolean, isById = false) => ({ reports: few, isComplete, isById });

test.each<[string, Counted, QueueCounts]>([
  ['all reports: the marks', {}, { all: 100, unreviewed: 97, escalated: 1, resolved: 2 }],
  [
    'a deleted one among them',
    { tombstones: new Map([[1, 'gone']]) },
    { all: 100, unreviewed: 97, escalated: 1, resolved: 1 },
  ],
  ['before the marks are known', { marks: undefined }, { all: 100 }],
  ['before the server has replied', { frame: undefined }, {}],
  ['matches that are being loaded', filtered, { all: 100 }],
  [
    'matches that were loaded',
    { ...filtered, frame: { all: 4, size: 4, latestId: 4 }, counted: few },
    { all: 4, unreviewed: 1, escalated: 1, resolved: 2 },
  ],
  [
    'no matches',
    { ...filtered, frame: { all: 0, size: 0, latestId: undefined } },
    { all: 0, unreviewed: 0, escalated: 0, resolved: 0 },
  ],
  [
    'very many matches',
    {
      ...filtered,
      frame: { all: 12_000, size: 12_000, latestId: 13_000 },
      marks: marksOf({ escalated: [12_500], reviewed: [12_999, 1_500, 10] }),
      counted: [sampleReport(12_999), sampleReport(12_500)],
    },
    { all: 12_000, unreviewed: { atLeast: 11_996 }, escalated: 1, resolved: { atLeast: 1 } },
  ],
  [
    'a scan that found some',
    { ...words, scan: scannedFew(false) },
    { all: { atLeast: 4 }, unreviewed: { atLeast: 1 }, escalated: 1, resolved: 2 },
  ],
  [
    'a complete scan, some messages unread',
    { ...words, scan: scannedFew(true) },
    { all: { atLeast: 4 }, unreviewed: { atLeast: 1 }, escalated: 1, resolved: 2 },
  ],
  [
    'a complete scan, all messages read',
    { ...words, messages: () => '', scan: scannedFew(true) },
    { all: 4, unreviewed: 1, escalated: 1, resolved: 2 },
  ],
  [
    'a queue by its ids',
    { ...filtered, search: { queue: 'escalated' }, scan: scannedFew(true, true) },
    { all: 100, escalated: 1 },
  ],
  [
    'a queue by its ids, on the way',
    { ...filtered, search: { queue: 'escalated' }, scan: scannedFew(false, true), counted: few },
    { all: 100 },
  ],
])('the queues of %s', (_case, changes, expected) => {
  expect(queueCounts({ ...counting, ...changes } as Parameters<typeof queueCounts>[0])).toEqual(expected);
});
