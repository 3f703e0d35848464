import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  insertRoomReport,
  purgeRoomReports,
} from '../../../server/administration/reports/room-report-store.ts';
import { inTransaction } from '../../../server/platform/database/transaction.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeRoom, path } from '../rooms/client.ts';

const reports = '/_service/admin/v1/room_reports';
let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const as = (name: string) => homeserver.as(name);
const list = async (query = '') => (await as('admin').get(`${reports}${query}`)).body;

describe.each([
  ['vendor', '/_service'],
  ['matrix', '/_synapse'],
])('in the %s dialect', (_, administration) => {
  const url = `${administration}/admin/v1/room_reports`;
  test.each<[string, string, 'get' | 'delete', string, number, string]>([
    ['nobody', 'guest', 'get', url, 401, 'M_MISSING_TOKEN'],
    ['a user', 'alice', 'get', url, 403, 'M_FORBIDDEN'],
    ['bad order', 'admin', 'get', `${url}?dir=up`, 400, 'M_INVALID_PARAM'],
    ['a negative limit', 'admin', 'get', `${url}?limit=-1`, 400, 'M_INVALID_PARAM'],
    ['a negative offset', 'admin', 'get', `${url}?from=-1`, 400, 'M_INVALID_PARAM'],
    ['one report to a user', 'alice', 'get', `${url}/1`, 403, 'M_FORBIDDEN'],
    ['an unknown report', 'admin', 'get', `${url}/999`, 404, 'M_NOT_FOUND'],
    ['an ID beyond every number', 'admin', 'get', `${url}/${'9'.repeat(40)}`, 404, 'M_NOT_FOUND'],
    ['an ID that is a word', 'admin', 'get', `${url}/one`, 400, 'M_INVALID_PARAM'],
    ['deletion by a user', 'alice', 'delete', `${url}/1`, 403, 'M_FORBIDDEN'],
    ['deletion of an unknown report', 'admin', 'delete', `${url}/999`, 404, 'M_NOT_FOUND'],
  ])('refuses %s', async (__, caller, method, target, status, errcode) => {
    expect(await as(caller)[method](target)).toMatchObject({ status, body: { errcode } });
  });
});

test('lists, filters, reads and deletes reports', async () => {
  const rooms = [await makeRoom(as('alice')), await makeRoom(as('alice'))];
  for (let index = 0; index < 7; index++) {
    const reporter = index % 3 ? 'alice' : 'bob';
    const reply = await as(reporter).post(path('rooms', rooms[index % 2] ?? '', 'report'), {
      reason: `reason ${index}`,
    });
    expect(reply.status).toBe(200);
  }

  const all = await list();
  expect(all).toMatchObject({ total: 7, room_reports: { length: 7 } });
  expect(all.room_reports[0]).toEqual({
    id: expect.any(Number),
    received_ts: expect.any(Number),
    room_id: rooms[0],
    user_id: '@bob:localhost',
    reason: 'reason 6',
  });
  for (const dir of ['b', 'f']) {
    const paged: unknown[] = [];
    for (let from: number | undefined = 0; from !== undefined; ) {
      const page: Awaited<ReturnType<typeof list>> = await list(`?dir=${dir}&limit=3&from=${from}`);
      paged.push(...page.room_reports);
      from = page.next_token;
    }
    expect(paged).toEqual(dir === 'b' ? all.room_reports : all.room_reports.toReversed());
  }

  const inFirst = encodeURIComponent(rooms[0] ?? '');
  expect((await list('?user_id=@alice:localhost')).total).toBe(4);
  expect((await list(`?room_id=${inFirst}`)).total).toBe(4);
  expect((await list(`?room_id=${inFirst}&user_id=@bob:localhost`)).room_reports).toMatchObject([
    { reason: 'reason 6' },
    { reason: 'reason 0' },
  ]);
  expect(await list('?limit=0')).toEqual({ room_reports: [], total: 7, next_token: 0 });

  const [newest] = all.room_reports;
  expect((await as('admin').get(`${reports}/${newest.id}`)).body).toEqual(newest);
  expect(await as('admin').delete(`${reports}/${newest.id}`)).toMatchObject({ status: 200, body: {} });
  expect((await as('admin').delete(`${reports}/${newest.id}`)).status).toBe(404);
  expect((await list()).total).toBe(6);
});

test('the reports on a purged room are deleted 500 at a time', async () => {
  const { db } = homeserver.services;
  const report = { receivedTs: 1, roomId: '!purged:localhost', userId: '@bob:localhost', reason: '' };
  for (let count = 0; count < 501; count++) await insertRoomReport(db, report);
  const purge = () => inTransaction(db, (tx) => purgeRoomReports(tx, report.roomId));
  expect([await purge(), await purge()]).toEqual([true, false]);
  expect((await list(`?room_id=${report.roomId}`)).total).toBe(0);
});
