import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeRoom, path } from '../rooms/client.ts';

const reports = '/_service/admin/v1/user_reports';
let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const as = (name: string) => homeserver.as(name);
const complain = (reporter: string, about: string, reason: unknown) =>
  as(reporter).post(path('users', about, 'report'), { reason });
const list = async (query = '') => (await as('admin').get(`${reports}${query}`)).body;

describe.each([
  ['vendor', '/_service', '/_chat'],
  ['matrix', '/_synapse', '/_matrix'],
])('in the %s dialect', (_, administration, chat) => {
  const url = `${administration}/admin/v1/user_reports`;
  test.each<[string, string, 'get' | 'delete', string, number, string]>([
    ['nobody', 'guest', 'get', url, 401, 'M_MISSING_TOKEN'],
    ['a user', 'alice', 'get', url, 403, 'M_FORBIDDEN'],
    ['bad order', 'admin', 'get', `${url}?dir=up`, 400, 'M_INVALID_PARAM'],
    ['less than nothing', 'admin', 'get', `${url}?limit=-1`, 400, 'M_INVALID_PARAM'],
    ['before zero', 'admin', 'get', `${url}?from=-1`, 400, 'M_INVALID_PARAM'],
    ['detail, for a user', 'alice', 'get', `${url}/1`, 403, 'M_FORBIDDEN'],
    ['detail of no report', 'admin', 'get', `${url}/999`, 404, 'M_NOT_FOUND'],
    ['detail of a word', 'admin', 'get', `${url}/one`, 400, 'M_INVALID_PARAM'],
    ['detail beyond every number', 'admin', 'get', `${url}/${'9'.repeat(40)}`, 404, 'M_NOT_FOUND'],
    ['deletion by a user', 'alice', 'delete', `${url}/1`, 403, 'M_FORBIDDEN'],
    ['deletion of no report', 'admin', 'delete', `${url}/999`, 404, 'M_NOT_FOUND'],
    ['deletion of a word', 'admin', 'delete', `${url}/one`, 400, 'M_INVALID_PARAM'],
  ])('refuses %s', async (__, caller, method, target, status, errcode) => {
    expect(await as(caller)[method](target)).toMatchObject({ status, body: { errcode } });
  });

  test.each<[string, string, string, unknown, number, string]>([
    ['nobody', 'guest', 'users/@bob:localhost', { reason: 'x' }, 401, 'M_MISSING_TOKEN'],
    ['no body', 'alice', 'users/@bob:localhost', undefined, 400, 'M_NOT_JSON'],
    ['no reason', 'alice', 'users/@bob:localhost', {}, 400, 'M_MISSING_PARAM'],
    ['a number', 'alice', 'users/@bob:localhost', { reason: 5 }, 400, 'M_BAD_JSON'],
    ['a novel', 'alice', 'users/@bob:localhost', { reason: 'x'.repeat(1001) }, 400, 'M_BAD_JSON'],
    ['half a character', 'alice', 'users/@bob:localhost', '{"reason":"\\ud800"}', 400, 'M_BAD_JSON'],
    ['nobody on a room', 'guest', 'rooms/!a:localhost', { reason: 'x' }, 401, 'M_MISSING_TOKEN'],
    ['a room without a reason', 'alice', 'rooms/!a:localhost', {}, 400, 'M_MISSING_PARAM'],
    ['a room and a number', 'alice', 'rooms/!a:localhost', { reason: 5 }, 400, 'M_BAD_JSON'],
    ['no room', 'alice', 'rooms/!a:localhost', { reason: 'x' }, 404, 'M_NOT_FOUND'],
    ['a word for a room', 'alice', 'rooms/room', { reason: 'x' }, 404, 'M_NOT_FOUND'],
  ])('takes no report from %s', async (__, caller, what, body, status, errcode) => {
    const target = `${chat}/client/v3/${what}/report`;
    expect(await as(caller).post(target, body)).toMatchObject({ status, body: { errcode } });
  });

  test('older clients don’t know them', async () => {
    expect(await as('alice').post(`${chat}/client/r0/users/@bob:localhost/report`, {})).toMatchObject({
      status: 404,
      body: { errcode: 'M_UNRECOGNIZED' },
    });
  });
});

test('a room is reported by anyone, in it or not', async () => {
  const roomId = await makeRoom(as('alice'), { preset: 'private_chat' });
  expect(await as('bob').post(path('rooms', roomId, 'report'), { reason: '' })).toMatchObject({
    status: 200,
    body: {},
  });
  const kept = await homeserver.services.db.selectFrom('room_reports').selectAll().execute();
  expect(kept).toEqual([
    {
      id: expect.any(Number),
      received_ts: expect.any(Number),
      room_id: roomId,
      user_id: '@bob:localhost',
      reason: '',
    },
  ]);
});

test('reports are listed, filtered, read and deleted', async () => {
  for (let index = 0; index < 7; index++) {
    const [reporter, about] = index % 2 ? ['alice', '@bob:localhost'] : ['bob', '@carol:localhost'];
    expect((await complain(reporter ?? '', about ?? '', `reason ${index}`)).status).toBe(200);
  }
  // Nobody learns this way which users there are.
  for (const unknown of ['@nobody:localhost', '@bob:example.org', 'nobody']) {
    expect(await complain('alice', unknown, 'x')).toMatchObject({ status: 200, body: {} });
  }

  const all = await list();
  expect(all).toMatchObject({ total: 7, user_reports: { length: 7 } });
  expect(all.user_reports[0]).toEqual({
    id: expect.any(Number),
    received_ts: expect.any(Number),
    target_user_id: '@carol:localhost',
    user_id: '@bob:localhost',
    reason: 'reason 6',
  });
  for (const dir of ['b', 'f']) {
    const paged: unknown[] = [];
    for (let from: number | undefined = 0; from !== undefined; ) {
      const page: Awaited<ReturnType<typeof list>> = await list(`?dir=${dir}&limit=3&from=${from}`);
      paged.push(...page.user_reports);
      from = page.next_token;
    }
    expect(paged).toEqual(dir === 'b' ? all.user_reports : all.user_reports.toReversed());
  }

  expect((await list('?user_id=@alice:localhost')).total).toBe(3);
  expect((await list('?target_user_id=@carol:localhost')).total).toBe(4);
  expect(await list('?user_id=@alice:localhost&target_user_id=@carol:localhost')).toEqual({
    user_reports: [],
    total: 0,
  });
  expect(await list('?limit=0')).toEqual({ user_reports: [], total: 7, next_token: 0 });

  const [newest] = all.user_reports;
  expect((await as('admin').get(`${reports}/${newest.id}`)).body).toEqual(newest);
  expect(await as('admin').delete(`${reports}/${newest.id}`)).toMatchObject({ status: 200, body: {} });
  expect((await as('admin').delete(`${reports}/${newest.id}`)).status).toBe(404);
  expect((await list()).total).toBe(6);
  expect((await list('?target_user_id=@carol:localhost')).total).toBe(3);
});
