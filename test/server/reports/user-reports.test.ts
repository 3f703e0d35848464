import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { path } from '../rooms/client.ts';

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
  ['vendor', '/_service'],
  ['matrix', '/_synapse'],
])('in the %s dialect', (_, administration) => {
  const url = `${administration}/admin/v1/user_reports`;
  test.each<[string, string, 'get' | 'delete', string, number, string]>([
    ['nobody', 'guest', 'get', url, 401, 'M_MISSING_TOKEN'],
    ['a user', 'alice', 'get', url, 403, 'M_FORBIDDEN'],
    ['bad order', 'admin', 'get', `${url}?dir=up`, 400, 'M_INVALID_PARAM'],
    ['a negative number', 'admin', 'get', `${url}?limit=-1`, 400, 'M_INVALID_PARAM'],
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
});

test('reports are listed, filtered, read and deleted', async () => {
  for (let index = 0; index < 7; index++) {
    const [reporter, about] = index % 2 ? ['alice', '@bob:localhost'] : ['bob', '@carol:localhost'];
    expect((await complain(reporter ?? '', about ?? '', `reason ${index}`)).status).toBe(200);
  }
  // The reply doesn't reveal which users exist.
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
