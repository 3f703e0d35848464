/** Reports are correct even if the server misinterprets a filter, a total or an entry. */
import { expect, test } from 'vitest';
import { askReports, type EventReportFilter } from '../../renderer/api/reports/event-reports.ts';
import { askFiledReports } from '../../renderer/api/reports/filed-reports.ts';
import { countBefore } from '../../renderer/api/reports/report-order.ts';
import { gatherReports, walkReports } from '../../renderer/api/reports/report-walk.ts';
import { windowRows } from '../../renderer/features/reports/list/window-rows.ts';
import type { Server } from '../../renderer/transport/server.ts';

const report = (id: number, user_id: string, sender: string | null) => ({
  ...{ id, received_ts: id, room_id: '!room:x', name: null, event_id: `$${id}`, user_id },
  ...{ reason: null, score: null, sender, canonical_alias: null },
});
type Row = ReturnType<typeof report>;

/** Returns a server with these reports, newest first, that filters with `lets` and counts requests. */
function serving(
  rows: readonly Row[],
  lets: (row: Row, query: URLSearchParams) => boolean,
  { unlisted = 0, sent = (row: Row): unknown => row } = {},
) {
  let requests = 0;
  const get = async (_shape: unknown, path: string) => {
    requests += 1;
    const query = new URLSearchParams(path.slice(path.indexOf('?')));
    const [from, limit] = [Number(query.get('from')), Number(query.get('limit'))];
    const all = rows.filter((row) => lets(row, query)).toSorted((one, other) => other.id - one.id);
    const end = from + limit;
    const page = all.slice(from, end);
    if (path.startsWith('/v1/user_reports')) {
      return {
        user_reports: page
          .map(({ sender, room_id: _, ...row }) => ({ ...row, target_user_id: sender }) as unknown as Row)
          .map(sent),
        total: all.length + unlisted,
      };
    }
    const total = all.length + unlisted;
    return { event_reports: page.map(sent), total, ...(end < total && { next_token: from + page.length }) };
  };
  const server = { id: 'x', get } as unknown as Server;
  return { server, requests: () => requests };
}

/**
 * Synapse's comparison, SQL `LIKE`: `_` matches any character, `%` any sequence. The pattern may match a part of the
 * value.
 */
const like = (value: string | null, pattern: string | null) =>
  pattern === null ||
  (value !== null &&
    new RegExp(
      pattern
        .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
        .replaceAll('_', '.')
        .replaceAll('%', '.*'),
    ).test(value));
const asSynapse = (row: Row, query: URLSearchParams) =>
  like(row.user_id, query.get('user_id')) &&
  like(row.sender, query.get('event_sender_user_id') ?? query.get('target_user_id'));
/** Synapse before 1.122. */
const ignoringSender = (row: Row, query: URLSearchParams) => like(row.user_id, query.get('user_id'));

const mallory = '@mallory:x';
const idsOf = async (server: Server, filter: EventReportFilter) =>
  (await gatherReports(askReports(server, filter))).map(({ id }) => id);
const totalOf = async (server: Server, filter: EventReportFilter) =>
  (await askReports(server, filter)({ dir: 'b', from: 0, limit: 1 })).total;

test('reports on others are dropped if the server ignores the sender filter', async () => {
  const rows = Array.from({ length: 2_500 }, (_, index) =>
    report(index + 1, '@bob:x', index % 100 === 0 ? mallory : '@ann:x'),
  );
  const { server } = serving(rows, ignoringSender);
  const filter = { event_sender_user_id: mallory };
  const expected = Array.from({ length: 25 }, (_, index) => 2_401 - index * 100);
  expect(await idsOf(server, filter)).toEqual(expected);
  expect(await totalOf(server, filter)).toBe(25);
  const page = await askReports(server, filter)({ dir: 'b', from: 20, limit: 3 });
  expect(page).toMatchObject({ total: 25, next_token: 23 });
  expect(page.event_reports.map(({ id }) => id)).toEqual(expected.slice(20, 23));
});

test('a filter that the server reads as a pattern lists and counts only the exact user', async () => {
  const rows = [
    report(1, '@a_b:x', mallory),
    report(2, '@axb:x', mallory),
    report(3, '@a_b:x', '@a_b:x'),
    report(4, '@a_b:x.example', '@a_b:x.example'),
  ];
  const { server } = serving(rows, asSynapse);
  expect(await idsOf(server, { user_id: '@a_b:x' })).toEqual([3, 1]);
  expect(await totalOf(server, { user_id: '@a_b:x' })).toBe(2);
  expect(await idsOf(server, { event_sender_user_id: '@a_b:x' })).toEqual([3]);
  const about = await gatherReports(askFiledReports(server, 'user', { about: '@a_b:x' }));
  expect(about.map(({ id }) => id)).toEqual([3]);
  const by = await askFiledReports(server, 'user', { by: '@a_b:x' })({ dir: 'b', from: 0, limit: 1 });
  expect(by).toMatchObject({ total: 2, event_reports: [{ id: 3 }] });
});

test('a server with exact filters is asked once', async () => {
  const rows = Array.from({ length: 300 }, (_, index) => report(index + 1, '@bob:x', mallory));
  const { server, requests } = serving(rows, asSynapse);
  expect(await totalOf(server, { event_sender_user_id: mallory })).toBe(300);
  expect(requests()).toBe(1);
});

const anything = () => true;

test.each([
  [999, 1],
  [1_000, 1],
  [1_001, 2],
  [2_500, 3],
])('a scan of %i reports takes %i requests', async (count, expected) => {
  const rows = Array.from({ length: count }, (_, index) => report(index + 1, '@bob:x', mallory));
  const { server, requests } = serving(rows, anything);
  expect(await idsOf(server, {})).toHaveLength(count);
  expect(requests()).toBe(expected);
});

/** Damages the reports at these positions of every ten: a field is missing, or it isn't an object. */
const damaged: ((row: Row) => unknown)[] = [
  ({ id: _, ...row }) => row,
  ({ received_ts: _, ...row }) => row,
  (row) => ({ ...row, user_id: null }),
  () => 7,
];
const damage = (row: Row) => damaged[row.id % 10]?.(row) ?? row;

test('unreadable entries hide no reports and keep their positions', async () => {
  const rows = Array.from({ length: 2_500 }, (_, index) => ({
    ...report(index, '@bob:x', mallory),
    received_ts: 5,
  }));
  const readable = rows.map(({ id }) => id).filter((id) => id % 10 >= damaged.length);
  const { server } = serving(rows, anything, { sent: damage });
  const walked = [];
  const unexpected = [];
  for await (const step of walkReports(askReports(server, {}), 'b')) {
    walked.push(...step.reports.map(({ id }) => id));
    unexpected.push(...(step.unexpected ?? []).map(({ field }) => field));
  }
  expect(walked).toEqual(readable.toReversed());
  expect(unexpected).toHaveLength(1_000);
  expect(new Set(unexpected)).toEqual(new Set(['id', 'received_ts', 'user_id', '']));
  expect(await countBefore(askReports(server, {}), 'b', { received_ts: 5, id: 444 }, 0, 2_500)).toBe(2_055);

  const page = await askReports(server, {})({ dir: 'b', from: 0, limit: 100 });
  const frame = { newest: undefined, size: 2_500, arrived: 0, latestId: undefined, revision: 1 };
  const shown = windowRows(frame, new Map([[0, { ...page, ofFrame: true }]]), new Map(), new Map());
  expect(shown.loaded).toHaveLength(60);
  expect(shown.unexpected).toHaveLength(40);
  expect(shown.at(5)?.id).toBe(2_499 - 5);
  expect(shown.at(6)?.id).toBe(2_489);

  const filed = await gatherReports(askFiledReports(server, 'user', {}));
  expect(filed.map(({ id }) => id)).toEqual(readable.toReversed());
});

test('a list without any readable entry is an unexpected reply', async () => {
  const rows = [report(1, '@bob:x', mallory), report(2, '@bob:x', mallory)];
  const { server } = serving(rows, anything, { sent: ({ id, ...row }) => ({ ...row, id: `r${id}` }) });
  await expect(idsOf(server, {})).rejects.toThrow('(field event_reports.0.id)');
});

test('a total that counts reports never listed ends', async () => {
  const rows = Array.from({ length: 130 }, (_, index) => report(index + 1, '@bob:x', mallory));
  const { server, requests } = serving(rows, anything, { unlisted: 150 });
  expect(await idsOf(server, {})).toHaveLength(130);
  expect(await gatherReports(askFiledReports(server, 'user', {}))).toHaveLength(130);
  expect(requests()).toBeLessThan(10);
  const frame = { newest: undefined, size: 280, arrived: 0, latestId: undefined, revision: 1 };
  const page = await askReports(server, {})({ dir: 'b', from: 100, limit: 100 });
  const { count, total, at } = windowRows(
    frame,
    new Map([[1, { ...page, ofFrame: true }]]),
    new Map(),
    new Map(),
  );
  // The last page isn't loaded yet.
  expect([count, total, at(129)?.id, at(130)?.id]).toEqual([210, 210, 1, undefined]);
});
