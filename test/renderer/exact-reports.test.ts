/** Reports by the ids that were asked for, whatever a server makes of a filter. */
import { expect, test } from 'vitest';
import { askReports, type EventReportFilter } from '../../renderer/api/event-reports.ts';
import { askFiledReports } from '../../renderer/api/filed-report-walk.ts';
import { gatherReports } from '../../renderer/api/report-walk.ts';
import type { Server } from '../../renderer/transport/server.ts';

const report = (id: number, user_id: string, sender: string | null) => ({
  ...{ id, received_ts: id, room_id: '!room:x', name: null, event_id: `$${id}`, user_id },
  ...{ reason: null, score: null, sender, canonical_alias: null },
});
type Row = ReturnType<typeof report>;

/** A server with these reports, newest first, of which a filter lets some through; it counts its requests. */
function serving(rows: readonly Row[], lets: (row: Row, query: URLSearchParams) => boolean) {
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
        user_reports: page.map(({ sender, room_id: _, ...row }) => ({ ...row, target_user_id: sender })),
        total: all.length,
      };
    }
    return { event_reports: page, total: all.length, ...(end < all.length && { next_token: end }) };
  };
  const server = { id: 'x', get } as unknown as Server;
  return { server, requests: () => requests };
}

/** As Synapse compares: `_` is any character, `%` any number of them, and more may stand on either side. */
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
/** As Synapse before 1.122. */
const ignoringSender = (row: Row, query: URLSearchParams) => like(row.user_id, query.get('user_id'));

const mallory = '@mallory:x';
const idsOf = async (server: Server, filter: EventReportFilter) =>
  (await gatherReports(askReports(server, filter))).map(({ id }) => id);
const totalOf = async (server: Server, filter: EventReportFilter) =>
  (await askReports(server, filter)({ dir: 'b', from: 0, limit: 1 })).total;

test('reports on others are dropped where the server ignores the sender', async () => {
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

test('a filter that is a pattern to the server lists and counts the exact user alone', async () => {
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

test('an exact server is asked once', async () => {
  const rows = Array.from({ length: 300 }, (_, index) => report(index + 1, '@bob:x', mallory));
  const { server, requests } = serving(rows, asSynapse);
  expect(await totalOf(server, { event_sender_user_id: mallory })).toBe(300);
  expect(requests()).toBe(1);
});
