/** Additional room permissions of application services, and the server's queries to them about rooms. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AppServiceConfig } from '../../../server/platform/config/app-services.ts';
import { type Caller, call, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, makeRoom, path } from '../rooms/client.ts';

let homeserver: TestHomeserver;
let alice: Caller;
/** Requests to the service. */
let asked: string[];
/** Creates the alias's room, if it exists. */
let answer: (alias: string) => Promise<boolean>;

const service = createServer(async (request, response) => {
  const [, alias] = /^\/_matrix\/app\/v1\/rooms\/(.+)$/.exec(request.url ?? '') ?? [];
  if (alias) asked.push(decodeURIComponent(alias));
  const isThere = alias ? await answer(decodeURIComponent(alias)) : true;
  response.writeHead(isThere ? 200 : 404).end('{}');
});
const asService = (method: string, at: string, body?: unknown) =>
  call(homeserver.url, method, at, 'as-token', body);
const alias = (name: string) => path('directory', 'room', name);

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const bridge: AppServiceConfig = {
    ...{ id: 'bridge', token: 'as-token', hsToken: 'hs-token', senderUserId: '@bridge:localhost' },
    url: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    ...{ rateLimited: false, receivesEphemeral: false, protocols: [] },
    userNamespaces: [{ pattern: '@_b_.*:localhost', exclusive: true }],
    aliasNamespaces: [{ pattern: '#_b_.*:.*', exclusive: true }],
    roomNamespaces: [],
  };
  homeserver = await startHomeserver({ config: { appServices: [bridge] } });
  alice = homeserver.as('alice');
});
beforeEach(() => {
  asked = [];
  answer = async () => false;
});
afterAll(async () => {
  await homeserver.remove();
  service.close();
});

test("it resolves only aliases in its namespace for rooms it isn't in, and removes them", async () => {
  const room_id = await makeRoom(alice);
  expect(await asService('PUT', alias('#_b_in:localhost'), { room_id })).toMatchObject({ status: 200 });
  const refused = { status: 400, body: { errcode: 'M_EXCLUSIVE' } };
  expect(await asService('PUT', alias('#else:localhost'), { room_id })).toMatchObject(refused);
  expect(await asService('POST', path('createRoom'), { room_alias_name: 'else' })).toMatchObject(refused);
  expect(await alice.put(alias('#else:localhost'), { room_id })).toMatchObject({ status: 200 });
  expect(await asService('DELETE', alias('#else:localhost'))).toMatchObject(refused);
  expect((await homeserver.as('bob').delete(alias('#_b_in:localhost'))).status).toBe(403);
  expect(await alice.put(alias('#_b_alice:localhost'), { room_id })).toMatchObject(refused);
  expect(await asService('DELETE', alias('#_b_in:localhost'))).toMatchObject({ status: 200 });
  expect((await alice.get(alias('#_b_in:localhost'))).status).toBe(404);
});

test("it is queried for rooms with its aliases that don't exist yet, and may create them", async () => {
  expect((await alice.get(alias('#_b_none:localhost'))).status).toBe(404);
  expect((await alice.post(path('join', '#_b_none:localhost'), {})).status).toBe(404);
  expect(asked).toEqual(['#_b_none:localhost', '#_b_none:localhost']);
  for (const other of ['#else2:localhost', '#_b_x:elsewhere.example']) {
    expect((await alice.get(alias(other))).status).toBe(404);
  }
  expect(asked).toHaveLength(2);

  const made: string[] = [];
  answer = async (name) => {
    const room_alias_name = name.slice(1, name.indexOf(':'));
    const request = { preset: 'public_chat', room_alias_name };
    const { status, body } = await asService('POST', path('createRoom'), request);
    made.push(body.room_id);
    return status === 200;
  };
  expect((await alice.post(path('join', '#_b_new:localhost'), {})).body).toEqual({ room_id: made[0] });
  expect((await alice.get(alias('#_b_other:localhost'))).body.room_id).toBe(made[1]);
  expect(asked).toHaveLength(4);
  expect((await alice.get(alias('#_b_other:localhost'))).body.room_id).toBe(made[1]);
  expect(asked).toHaveLength(4);
});

test("concurrent room queries to it are limited while it doesn't respond", async () => {
  const room_id = await makeRoom(alice);
  await asService('PUT', alias('#_b_known:localhost'), { room_id });
  const slow = Promise.withResolvers<boolean>();
  answer = () => slow.promise;
  const lookUp = (name: string) => homeserver.as('guest').get(alias(`#_b_${name}:localhost`));
  const replies = Array.from({ length: 51 }, (_, index) => lookUp(`flood${index}`));
  expect(await Promise.any(replies)).toMatchObject({ status: 429, body: { errcode: 'M_LIMIT_EXCEEDED' } });
  expect((await lookUp('known')).status).toBe(200);
  slow.resolve(false);
  const statuses = (await Promise.all(replies)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 404)).toHaveLength(50);
  expect(asked).toHaveLength(50);
  expect((await lookUp('flood1')).status).toBe(404);
});

test("while it doesn't respond, one user with many lookups doesn't block another", async () => {
  const slow = Promise.withResolvers<boolean>();
  answer = async (name) => (name.includes('many') ? slow.promise : false);
  const many = Array.from({ length: 50 }, (_, index) =>
    homeserver.as('guest').get(alias(`#_b_many${index}:localhost`)),
  );
  await expect.poll(() => asked.length).toBe(50);
  const joins = ['one', 'two'].map((name) => alice.post(path('join', `#_b_${name}:localhost`), {}));
  expect((await Promise.all(joins)).map(({ status }) => status)).toEqual([404, 404]);
  expect(asked).toHaveLength(52);
  slow.resolve(false);
  await Promise.all(many);
});

test('only it can set timestamps', async () => {
  const room = await makeRoom(alice);
  const timeOf = async (event: string) =>
    (await alice.get(path('rooms', room, 'event', event))).body.origin_server_ts;
  await asService('POST', path('register'), { type: 'm.login.application_service', username: '_b_one' });
  const as = 'user_id=@_b_one:localhost';
  await asService('POST', `${path('join', room)}?${as}`, {});
  const text = { msgtype: 'm.text', body: 'old' };
  const at = path('rooms', room, 'send', 'm.room.message', 'one');
  const sent = await asService('PUT', `${at}?${as}&ts=1234567`, text);
  expect(await timeOf(sent.body.event_id)).toBe(1_234_567);
  const bot = { users: { [alice.userId]: 100, '@_b_one:localhost': 50 } };
  await alice.put(path('rooms', room, 'state', 'm.room.power_levels'), bot);
  const topic = `${path('rooms', room, 'state', 'm.room.topic')}?${as}&ts=7654321`;
  const set = await asService('PUT', topic, { topic: 'then' });
  expect(await timeOf(set.body.event_id)).toBe(7_654_321);
  const member = path('rooms', room, 'state', 'm.room.member', '@_b_one:localhost');
  const renamed = { membership: 'join', displayname: 'One' };
  const named = await asService('PUT', `${member}?${as}&ts=99`, renamed);
  expect(await timeOf(named.body.event_id)).toBe(99);
  expect((await asService('PUT', `${at}2?${as}&ts=soon`, text)).status).toBe(400);

  await change(homeserver.as('bob'), room, 'join');
  const own = await alice.put(`${path('rooms', room, 'send', 'm.room.message', 'own')}?ts=5`, text);
  expect(await timeOf(own.body.event_id)).toBeGreaterThan(1_234_567_890_000);
});
