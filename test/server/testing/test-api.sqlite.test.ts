/** The test API's effects on a temporary server. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createUser } from '../../../server/identity/accounts/create-user.ts';
import { openSession } from '../../../server/identity/sessions/sessions.ts';
import { call, startHomeserver } from '../homeserver.ts';
import { startTemporary, type Temporary } from './temporary.ts';

const api = '/_gatehouse/v1';
let server: Temporary;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  const lifetime = { nonrefreshable_access_token_lifetime: '30m' };
  server = await startTemporary(async (services) => {
    const userId = await createUser(services, { localpart: 'alice' });
    tokens.alice = (await openSession(services, userId)).accessToken;
  }, lifetime);
  tokens.admin = server.adminToken;
});
afterAll(() => server.remove());
beforeEach(() => admin('POST', '/reset'));

const as = (user: string) => (method: string, path: string, body?: unknown) =>
  call(server.url, method, path, tokens[user], body);
const alice = as('alice');
const admin = (method: string, path: string, body?: unknown) => as('admin')(method, api + path, body);
const rooms = async () => (await alice('GET', '/_chat/client/v3/joined_rooms')).body.joined_rooms;
const whoAmI = '/_chat/client/v3/account/whoami';

test('a reset restores the start, with its tokens and files', async () => {
  const upload = async () =>
    (await call(server.url, 'POST', '/_chat/media/v3/upload?filename=a.txt', tokens.alice, '"text"')).body
      .content_uri;
  const uri: string = await upload();
  const download = () => alice('GET', `/_chat/client/v1/media/download/${uri.slice(6)}`);
  await alice('POST', '/_chat/client/v3/createRoom', {});
  expect([(await download()).status, await rooms()]).toEqual([200, [expect.any(String)]]);
  await admin('POST', '/faults', { status: 500 });
  await admin('POST', '/clock', { advance: '20m' });
  const before = (await admin('GET', '/clock')).body.now_ts;

  expect(await admin('POST', '/reset')).toMatchObject({ status: 200, body: {} });
  expect([(await download()).status, await rooms()]).toEqual([404, []]);
  expect((await admin('GET', '/clock')).body.now_ts).toBeLessThan(before);
  expect((await admin('GET', '/inspector/requests')).body.requests).toHaveLength(2);
});

test('a snapshot keeps rooms and time until it is restored', async () => {
  await alice('POST', '/_chat/client/v3/createRoom', {});
  await admin('POST', '/clock', { advance: '10m' });
  expect((await admin('PUT', '/snapshots/one%20room')).body).toMatchObject({ name: 'one room' });
  await alice('POST', '/_chat/client/v3/createRoom', {});
  await admin('POST', '/reset');
  expect(await rooms()).toHaveLength(0);
  await admin('POST', '/snapshots/one%20room/restore');
  expect(await rooms()).toHaveLength(1);
  expect((await admin('GET', '/clock')).body.now_ts).toBeGreaterThan(Date.now() + 9 * 60_000);
  expect((await admin('GET', '/snapshots')).body.snapshots).toHaveLength(1);
  await admin('DELETE', '/snapshots/one%20room');
  expect((await admin('POST', '/snapshots/one%20room/restore')).status).toBe(404);
});

test('requests during a reset are answered after it, and long polls end', async () => {
  const { body } = await alice('GET', '/_chat/client/v3/sync');
  const waiting = alice('GET', `/_chat/client/v3/sync?since=${body.next_batch}&timeout=60000`);
  const [reset, other, another] = await Promise.all([
    admin('POST', '/reset'),
    alice('GET', whoAmI),
    admin('POST', '/reset'),
  ]);
  expect([reset.status, other.status, another.status]).toEqual([200, 200, 200]);
  expect((await waiting).status).toBe(200);
});

test('changes at once take turns, and each is answered', async () => {
  await admin('PUT', '/snapshots/now');
  const asked = Array.from({ length: 3 }, () => [
    admin('POST', '/reset'),
    admin('POST', '/snapshots/now/restore'),
    admin('PUT', '/snapshots/other'),
  ]);
  const statuses = (await Promise.all(asked.flat())).map(({ status }) => status);
  expect(statuses).toEqual(statuses.map(() => 200));
  for (const name of ['now', 'other']) await admin('DELETE', `/snapshots/${name}`);
});

test('tokens expire and long polls end when the time is advanced', async () => {
  const { body } = await alice('GET', '/_chat/client/v3/sync');
  const waiting = alice('GET', `/_chat/client/v3/sync?since=${body.next_batch}&timeout=600000`);
  // The sync must be waiting before the time is advanced.
  await expect.poll(async () => (await admin('POST', '/clock', { advance: '1m' })).status).toBe(200);
  let isOver = false;
  void waiting.then(() => {
    isOver = true;
  });
  await expect.poll(async () => (await admin('POST', '/clock', { advance: '2m' })) && isOver).toBe(true);
  await admin('POST', '/reset');
  expect((await alice('GET', whoAmI)).status).toBe(200);
  await admin('POST', '/clock', { advance: 31 * 60_000 });
  expect((await alice('GET', whoAmI)).body).toMatchObject({ errcode: 'M_UNKNOWN_TOKEN', soft_logout: true });
});

test.each<[object, string, object]>([
  [
    { status: 502, body: '<h1>Bad gateway</h1>' },
    'a text of their own',
    { status: 502, body: '<h1>Bad gateway</h1>' },
  ],
  [{ status: 503 }, 'an error', { status: 503, body: { errcode: 'M_UNKNOWN' } }],
  [{ retry_after_ms: 1500 }, 'a rate limit', { status: 429, body: { retry_after_ms: 1500 } }],
  [{ status: 200, body: { user_id: '@other:localhost' } }, 'JSON', { body: { user_id: '@other:localhost' } }],
  [{ delay_ms: 5 }, 'the usual reply, later', { status: 200, body: { user_id: '@alice:localhost' } }],
])('%j gives %s', async (effect, _name, reply) => {
  await admin('POST', '/faults', { path: '/whoami', user: 'alice', times: 1, ...effect });
  expect((await as('admin')('GET', whoAmI)).status).toBe(200);
  expect(await alice('GET', whoAmI)).toMatchObject(reply);
  expect((await alice('GET', whoAmI)).body).toMatchObject({ user_id: '@alice:localhost' });
  expect((await admin('GET', '/faults')).body.faults).toMatchObject([{ applied: 1 }]);
});

test('a rule cuts connections or malforms JSON', async () => {
  await admin('POST', '/faults', { method: 'post', path: '/createRoom', cut: true, handle: true, skip: 1 });
  const { body: fault } = await admin('POST', '/faults', {
    path: '/rooms/!*:localhost/st*',
    malformed: true,
  });
  const create = () => alice('POST', '/_chat/client/v3/createRoom', {});
  expect((await create()).status).toBe(200);
  await expect(create()).rejects.toThrow();
  // The reply was lost, but the room was created.
  const [roomId = ''] = await rooms();
  expect(await rooms()).toHaveLength(2);
  const state = `/_chat/client/v3/rooms/${encodeURIComponent(roomId)}/state`;
  await expect(alice('GET', state)).rejects.toThrow(SyntaxError);
  await admin('DELETE', `/faults/${fault.id}`);
  expect((await alice('GET', state)).status).toBe(200);
  await admin('DELETE', '/faults');
  expect((await create()).status).toBe(200);
});

test('seen requests are listed by path, user, method and status, and can be waited for', async () => {
  await alice('POST', '/_chat/client/v3/createRoom', {});
  await alice('GET', '/_chat/client/v3/nothing');
  const seen = async (query: string) =>
    (await admin('GET', `/inspector/requests?${query}`)).body.requests.map(
      (request: { method: string; path: string }) => `${request.method} ${request.path}`,
    );
  expect(await seen('user=alice&path=/createRoom')).toEqual(['POST /_chat/client/v3/createRoom']);
  expect(await seen('status=404')).toEqual(['GET /_chat/client/v3/nothing']);
  expect(await seen('path=/createRoom&method=get')).toEqual([]);
  const waiting = seen('path=/account/*&count=2&timeout=30000');
  await alice('GET', whoAmI);
  await alice('GET', whoAmI);
  expect(await waiting).toHaveLength(2);
  expect(await seen('path=/never&timeout=5')).toEqual([]);
});

test('rules without effect or with unknown fields are refused', async () => {
  expect((await admin('POST', '/faults', { path: '/sync' })).status).toBe(400);
  expect((await admin('POST', '/faults', { pth: '/sync', status: 500 })).status).toBe(400);
  expect((await admin('DELETE', '/faults/99')).status).toBe(404);
});

test.each([
  ['x', 'a\r\nb'],
  ['x y', 'a'],
])('a rule with the header %j: %j is refused', async (name, value) => {
  expect(await admin('POST', '/faults', { status: 200, headers: { [name]: value } })).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining(`headers.${name}: `) },
  });
});

test.each([false, true])(
  'headers that contradict each other end only the connection, handled: %s',
  async (handle) => {
    await admin('POST', '/faults', {
      path: '/whoami',
      status: 200,
      headers: { trailer: 'x' },
      times: 1,
      handle,
    });
    await expect(alice('GET', whoAmI)).rejects.toThrow();
    expect((await alice('GET', whoAmI)).status).toBe(200);
  },
);

test('the OpenAPI document describes it', async () => {
  const { body } = await alice('GET', '/_service/openapi.json');
  expect(Object.keys(body.paths)).toEqual(
    expect.arrayContaining(
      ['reset', 'snapshots/{name}/restore', 'clock', 'faults', 'seed'].map((path) => `${api}/${path}`),
    ),
  );
});

test('only admins may use it, and only on temporary servers', async () => {
  expect((await alice('POST', `${api}/reset`)).status).toBe(403);
  expect((await call(server.url, 'POST', `${api}/reset`)).status).toBe(401);
  const usual = await startHomeserver();
  expect((await usual.as('admin').post(`${api}/reset`)).status).toBe(404);
  expect((await usual.as('admin').get(`${api}/clock`)).status).toBe(404);
  await usual.remove();
});
