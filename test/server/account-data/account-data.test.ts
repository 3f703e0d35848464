import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newcomer } from '../accounts/newcomer.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeRoom, path } from '../rooms/client.ts';

let homeserver: TestHomeserver;
let roomId: string;
beforeAll(async () => {
  homeserver = await startHomeserver();
  roomId = await makeRoom(homeserver.as('alice'));
});
afterAll(() => homeserver.remove());

const as = (name: string) => homeserver.as(name);

describe.each([
  ['vendor', '/_chat'],
  ['matrix', '/_matrix'],
])('in the %s dialect', (_, chat) => {
  const user = `${chat}/client/v3/user/@alice:localhost`;
  const room = `${user}/rooms/!a:localhost`;
  test.each<[string, string, 'get' | 'put' | 'delete', string, unknown, number, string]>([
    ['an anonymous caller', 'guest', 'get', `${user}/account_data/a`, undefined, 401, 'M_MISSING_TOKEN'],
    ['another', 'bob', 'get', `${user}/account_data/a`, undefined, 403, 'M_FORBIDDEN'],
    ['another', 'bob', 'put', `${user}/account_data/a`, {}, 403, 'M_FORBIDDEN'],
    ['an administrator', 'admin', 'put', `${user}/account_data/a`, {}, 403, 'M_FORBIDDEN'],
    ['another', 'bob', 'put', `${room}/account_data/a`, {}, 403, 'M_FORBIDDEN'],
    ['another', 'bob', 'get', `${room}/account_data/a`, undefined, 403, 'M_FORBIDDEN'],
    ['another', 'bob', 'get', `${room}/tags`, undefined, 403, 'M_FORBIDDEN'],
    ['another', 'bob', 'put', `${room}/tags/a`, {}, 403, 'M_FORBIDDEN'],
    ['another', 'bob', 'delete', `${room}/tags/a`, undefined, 403, 'M_FORBIDDEN'],
    ['missing data', 'alice', 'get', `${user}/account_data/none`, undefined, 404, 'M_NOT_FOUND'],
    ['missing data', 'alice', 'get', `${room}/account_data/none`, undefined, 404, 'M_NOT_FOUND'],
    ['a list', 'alice', 'put', `${user}/account_data/a`, [], 400, 'M_BAD_JSON'],
    ['a number', 'alice', 'put', `${user}/account_data/a`, '5', 400, 'M_BAD_JSON'],
    ['nothing', 'alice', 'put', `${user}/account_data/a`, undefined, 400, 'M_NOT_JSON'],
    ['a bad room', 'alice', 'put', `${user}/rooms/a/account_data/a`, {}, 400, 'M_INVALID_PARAM'],
    ['read markers', 'alice', 'put', `${room}/account_data/m.fully_read`, {}, 405, 'M_BAD_JSON'],
    ['push rules', 'alice', 'put', `${user}/account_data/m.push_rules`, {}, 405, 'M_BAD_JSON'],
    ['a tag on no room', 'alice', 'put', `${room}/tags/a`, {}, 403, 'M_FORBIDDEN'],
    ['a tag that is a list', 'alice', 'put', `${room}/tags/a`, [], 400, 'M_BAD_JSON'],
    ['deletion', 'alice', 'delete', `${user}/account_data/a`, undefined, 405, 'M_UNRECOGNIZED'],
  ])('refuses %s: %s %s %s', async (__, caller, method, url, body, status, errcode) => {
    expect(await as(caller)[method](url, body)).toMatchObject({ status, body: { errcode } });
  });
});

test('data is stored as given, per user and per room', async () => {
  const alice = as('alice');
  const data = (...segments: string[]) => path('user', alice.userId, ...segments);
  const global = data('account_data', 'org.example');
  const inRoom = data('rooms', roomId, 'account_data', 'org.example');
  const hostile = {
    '': 'empty',
    'line\nbreak': ['\0', 1.5, -0.1, 1e300, null, true],
    __proto__x: { constructor: 'x', nested: [[[{}]]] },
    text: '"\u2028💥',
  };
  expect(await alice.put(global, hostile)).toMatchObject({ status: 200, body: {} });
  expect((await alice.get(global)).body).toEqual(hostile);
  expect((await alice.get(inRoom)).status).toBe(404);
  await alice.put(inRoom, { of: 'the room' });
  await alice.put(global, {});
  expect((await alice.get(global)).body).toEqual({});
  expect((await alice.get(inRoom)).body).toEqual({ of: 'the room' });
  expect((await as('bob').get(path('user', '@bob:localhost', 'account_data', 'org.example'))).status).toBe(
    404,
  );
});

test('room account data set before joining comes with the room, as on Synapse', async () => {
  const data = path('user', '@bob:localhost', 'rooms', roomId, 'account_data', 'org.example');
  expect(await as('bob').put(data, { early: true })).toMatchObject({ status: 200 });
  const { next_batch, rooms } = (await as('bob').get('/_chat/client/v3/sync')).body;
  expect(rooms).toBeUndefined();
  await as('alice').post(path('rooms', roomId, 'invite'), { user_id: '@bob:localhost' });
  await as('bob').post(path('rooms', roomId, 'join'), {});
  const { body } = await as('bob').get(`/_chat/client/v3/sync?since=${next_batch}`);
  expect(body.rooms.join[roomId].account_data.events).toEqual([
    { type: 'org.example', content: { early: true } },
  ]);
});

test("push rules aren't room data: requests for them per room get none", async () => {
  const data = (room: string) =>
    path('user', '@alice:localhost', 'rooms', room, 'account_data', 'm.push_rules');
  for (const room of [roomId, '!none:localhost']) {
    expect(await as('alice').get(data(room))).toMatchObject({ status: 200, body: {} });
  }
  expect((await as('bob').get(data(roomId))).status).toBe(403);
  expect(await as('alice').get(data('none'))).toMatchObject({
    status: 400,
    body: { errcode: 'M_INVALID_PARAM' },
  });
  expect(await as('alice').put(data(roomId), {})).toMatchObject({ status: 405 });
});

test('tags', async () => {
  const alice = as('alice');
  const tags = (...segments: string[]) => path('user', alice.userId, 'rooms', roomId, 'tags', ...segments);
  expect((await alice.get(tags())).body).toEqual({ tags: {} });
  await alice.put(tags('m.favourite'), { order: 0.25 });
  expect(await alice.put(tags('u.line\nbreak'), { order: 'last' })).toMatchObject({ status: 200 });
  await alice.put(tags('m.favourite'), { order: 0.5 });
  expect((await alice.get(tags())).body).toEqual({
    tags: { 'm.favourite': { order: 0.5 }, 'u.line\nbreak': { order: 'last' } },
  });
  for (let twice = 0; twice < 2; twice++) {
    expect(await alice.delete(tags('m.favourite'))).toMatchObject({ status: 200, body: {} });
  }
  expect((await alice.get(tags())).body).toEqual({ tags: { 'u.line\nbreak': { order: 'last' } } });
});

test("admins can read a user's account data, others can't", async () => {
  const dana = await newcomer(homeserver, 'dana');
  const mine = `/v3/user/${dana.userId}`;
  await dana.put(`${mine}/account_data/org.example`, { a: 1 });
  await dana.put(`${mine}/account_data/__proto__`, { b: 2 });
  await dana.put(`${mine}/rooms/!a:localhost/account_data/org.example`, { c: 3 });
  const of = (userId: string) => `/_service/admin/v1/users/${userId}/accountdata`;
  const { status, body } = await as('admin').get(of(dana.userId));
  expect(status).toBe(200);
  expect(Object.entries(body.account_data.global)).toEqual([
    ['org.example', { a: 1 }],
    ['__proto__', { b: 2 }],
  ]);
  expect(body.account_data.rooms).toEqual({ '!a:localhost': { 'org.example': { c: 3 } } });
  for (const [userId, refused] of [
    ['@nobody:localhost', { status: 404, body: { errcode: 'M_NOT_FOUND' } }],
    ['@x:elsewhere.example', { status: 400, body: { errcode: 'M_UNKNOWN' } }],
  ] as const) {
    expect(await as('admin').get(of(userId))).toMatchObject(refused);
  }
});
