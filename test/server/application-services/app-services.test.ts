/** Events sent to application services, and queries to them. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createUser } from '../../../server/identity/accounts/create-user.ts';
import { openSession } from '../../../server/identity/sessions/sessions.ts';
import type { AppServiceConfig } from '../../../server/platform/config/app-services.ts';
import { deviceKeys, logIn, newKey, signed } from '../encryption/keys.ts';
import { call, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeRoom, path, say } from '../rooms/client.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary content
type Body = any;
type Received = { method: string; path: string; authorization: string | undefined; body: Body };

let service: Server;
let homeserver: TestHomeserver;
let room: string;
let received: Received[] = [];
/** The service's status for other requests. */
let status = 200;
/** The service's status for queries about its users. */
let userStatus = 200;
/** Resolves before the service answers queries about its network. */
let knowsNetwork = async (): Promise<void> => {};
/** Resolves before the service answers queries about its users. */
let knowsUser = async (): Promise<void> => {};

const transactions = () =>
  received.filter(({ path: at }) => at.startsWith('/base/_matrix/app/v1/transactions/'));
const numberOf = ({ path: at }: Received) => Number(at.split('/').at(-1));
const events = (): Body[] => transactions().flatMap(({ body }) => body.events);
const texts = () => events().flatMap(({ content }) => content.body ?? []);
const asService = (method: string, at: string, body?: unknown) =>
  call(homeserver.url, method, at, 'as-token', body);

beforeAll(async () => {
  service = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const text = Buffer.concat(pieces).toString();
    const { method = '', url = '', headers } = request;
    received.push({
      method,
      path: url,
      authorization: headers.authorization,
      body: text && JSON.parse(text),
    });
    if (url.includes('/thirdparty/')) {
      await knowsNetwork();
      const protocol = { instances: [{ desc: 'A network', fields: {}, network_id: 'n' }], user_fields: [] };
      response.end(
        JSON.stringify(url.includes('/protocol/') ? protocol : [{ alias: '#x:y', protocol: 'gopher' }]),
      );
      return;
    }
    const isForUser = url.includes('/users/');
    if (isForUser) await knowsUser();
    response.writeHead(isForUser ? userStatus : status).end('{}');
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const bridge: AppServiceConfig = {
    ...{ id: 'bridge', token: 'as-token', hsToken: 'hs-token', senderUserId: '@bridge:localhost' },
    url: `http://127.0.0.1:${(service.address() as AddressInfo).port}/base`,
    ...{ rateLimited: false, receivesEphemeral: true, encrypts: true, protocols: ['gopher'] },
    userNamespaces: [{ pattern: '@_b_.*:localhost', exclusive: true }],
    aliasNamespaces: [{ pattern: '#_b_.*:localhost', exclusive: true }],
    roomNamespaces: [],
  };
  homeserver = await startHomeserver({ config: { appServices: [bridge] } });
  await asService('POST', path('register'), { type: 'm.login.application_service', username: '_b_one' });
  room = await makeRoom(homeserver.as('alice'), { preset: 'public_chat' });
  await asService('POST', `${path('rooms', room, 'join')}?user_id=@_b_one:localhost`, {});
});
beforeEach(async () => {
  [status, userStatus] = [200, 200];
  knowsNetwork = knowsUser = async () => {};
  await tellAll();
});
afterAll(async () => {
  await homeserver.remove();
  service.close();
});

/** Waits until the service has received all events, then clears them. */
async function tellAll(): Promise<void> {
  await say(homeserver.as('alice'), room, 'all is told');
  await expect.poll(texts).toContain('all is told');
  received = [];
}

test('a service receives events of rooms with its users, in order, and no others', async () => {
  const joined = await makeRoom(homeserver.as('alice'), { preset: 'public_chat' });
  await say(homeserver.as('alice'), joined, 'before');
  const elsewhere = await makeRoom(homeserver.as('alice'));
  await say(homeserver.as('alice'), elsewhere, 'private');
  // Events are delivered in order. When the service receives its own room, earlier events have been filtered.
  await asService('POST', `${path('createRoom')}?user_id=@_b_one:localhost`, {});
  await expect.poll(() => events().map(({ type }) => type)).toContain('m.room.create');
  expect(
    await asService('POST', `${path('rooms', joined, 'join')}?user_id=@_b_one:localhost`, {}),
  ).toMatchObject({
    status: 200,
  });
  await expect
    .poll(() => events().map(({ type, room_id }) => `${type} ${room_id}`))
    .toContain(`m.room.member ${joined}`);
  for (const text of ['one', 'two', 'three']) await say(homeserver.as('alice'), joined, text);
  await expect.poll(texts).toContain('three');
  expect(texts()).toEqual(['one', 'two', 'three']);
  for (const { method, authorization } of transactions()) {
    expect({ method, authorization }).toEqual({ method: 'PUT', authorization: 'Bearer hs-token' });
  }
  const numbers = transactions().map(numberOf);
  expect(numbers).toEqual(numbers.toSorted((left, right) => left - right));
});

test('a failed transaction is retried, also after a restart, and nothing is left out', async () => {
  status = 503;
  await say(homeserver.as('alice'), room, 'four');
  await expect.poll(() => transactions().length).toBeGreaterThan(0);
  const [failed] = transactions();
  await say(homeserver.as('alice'), room, 'five');
  await homeserver.restart();
  received = [];
  status = 200;
  await expect.poll(texts).toEqual(['four', 'five']);
  expect(failed && numberOf(failed)).toBe(numberOf(transactions()[0] as Received));
  expect(failed?.body).toEqual(transactions()[0]?.body);
});

test("a late transaction still has events from its user's stay", async () => {
  // A delivery stopped before its reply is repeated; the service ignores it as a duplicate.
  await say(homeserver.as('alice'), room, 'known');
  await expect.poll(texts).toContain('known');
  const known = Math.max(...transactions().map(numberOf));
  const news = () =>
    transactions()
      .filter((transaction) => numberOf(transaction) > known)
      .flatMap(({ body }) => body.events)
      .flatMap(({ content }) => content.body ?? []);
  await homeserver.services.appServiceDelivery.stop();
  const alice = homeserver.as('alice');
  const late = await makeRoom(alice);
  const asOne = (action: string) =>
    asService('POST', `${path('rooms', late, action)}?user_id=@_b_one:localhost`, {});
  await say(alice, late, 'before');
  await asOne('join');
  await say(alice, late, 'during');
  await asOne('leave');
  await say(alice, late, 'between');
  await alice.post(path('rooms', late, 'invite'), { user_id: '@_b_one:localhost' });
  await say(alice, late, 'invited');
  await asOne('leave');
  await say(alice, late, 'after');
  await say(alice, room, 'the end');
  await homeserver.restart();
  await expect.poll(news).toContain('the end');
  expect(news()).toEqual(['during', 'invited', 'the end']);
});

test('it receives typing and receipts of its rooms', async () => {
  const alice = homeserver.as('alice');
  const last = await say(alice, room, 'six');
  await alice.put(path('rooms', room, 'typing', alice.userId), { typing: true });
  await alice.post(path('rooms', room, 'receipt', 'm.read', last), {});
  const ephemeral = () => transactions().flatMap(({ body }) => body.ephemeral ?? []);
  await expect.poll(() => ephemeral().map(({ type }) => type)).toContain('m.receipt');
  await expect
    .poll(() => ephemeral().filter(({ type }) => type === 'm.typing'))
    .toContainEqual({ type: 'm.typing', room_id: room, content: { user_ids: [alice.userId] } });
});

test("it receives device list changes and its users' remaining keys", async () => {
  const login = { type: 'm.login.application_service', user: '_b_one', device_id: 'BRIDGE' };
  expect((await asService('POST', path('login'), login)).status).toBe(200);
  const as = (device: string) => `?user_id=@_b_one:localhost&device_id=${device}`;
  expect((await asService('GET', path('account', 'whoami') + as('BRIDGE'))).body.device_id).toBe('BRIDGE');
  expect(await asService('GET', path('account', 'whoami') + as('NONE'))).toMatchObject({
    status: 400,
    body: { errcode: 'M_UNKNOWN_DEVICE' },
  });
  const alice = homeserver.as('alice');
  const encrypted = await makeRoom(alice, {
    initial_state: [
      { type: 'm.room.encryption', state_key: '', content: { algorithm: 'm.megolm.v1.aes-sha2' } },
    ],
  });
  await asService('POST', path('rooms', encrypted, 'join') + as('BRIDGE'), {});
  await expect.poll(() => events().map(({ room_id }) => room_id)).toContain(encrypted);
  received = [];
  const [user, device] = ['@_b_one:localhost', newKey()];
  const uploaded = await asService('POST', path('keys', 'upload') + as('BRIDGE'), {
    device_keys: deviceKeys(user, 'BRIDGE', device),
    one_time_keys: { 'signed_curve25519:A': signed({ key: 'a' }, user, 'BRIDGE', device) },
    fallback_keys: { 'signed_curve25519:F': signed({ key: 'f', fallback: true }, user, 'BRIDGE', device) },
  });
  expect(uploaded).toMatchObject({ status: 200, body: { one_time_key_counts: { signed_curve25519: 1 } } });
  const told = (name: string) =>
    transactions().flatMap(({ body }) => body[`org.matrix.msc3202.${name}`] ?? []);
  await expect.poll(() => told('device_lists')).toContainEqual({ changed: [user], left: [] });
  expect(told('device_one_time_keys_count')).toContainEqual({ [user]: { BRIDGE: { signed_curve25519: 1 } } });
  expect(told('device_unused_fallback_key_types')).toContainEqual({
    [user]: { BRIDGE: ['signed_curve25519'] },
  });

  const ada = await newDevice('ada');
  received = [];
  await ada.post(path('rooms', encrypted, 'join'), {});
  await ada.post(path('keys', 'upload'), { device_keys: deviceKeys(ada.userId, ada.deviceId, newKey()) });
  await expect.poll(() => told('device_lists').flatMap(({ changed }) => changed)).toContain(ada.userId);
  await ada.post(path('keys', 'claim'), { one_time_keys: { [user]: { BRIDGE: 'signed_curve25519' } } });
  await say(alice, encrypted, 'Anybody there?');
  await expect
    .poll(() => told('device_one_time_keys_count').at(-1))
    .toEqual({ [user]: { BRIDGE: { signed_curve25519: 0 } } });
  await ada.post(path('rooms', encrypted, 'leave'), {});
  await expect.poll(() => told('device_lists').flatMap(({ left }) => left)).toContain(ada.userId);
});

test('it receives device lists to track when they or it join an encrypted room', async () => {
  const alice = homeserver.as('alice');
  const encryption = {
    type: 'm.room.encryption',
    state_key: '',
    content: { algorithm: 'm.megolm.v1.aes-sha2' },
  };
  const hall = await makeRoom(alice, { initial_state: [encryption] });
  const changed = () =>
    transactions().flatMap(({ body }) => body['org.matrix.msc3202.device_lists']?.changed ?? []);
  const comesWithKeys = async (localpart: string) => {
    const person = await newDevice(localpart);
    const device_keys = deviceKeys(person.userId, person.deviceId, newKey());
    await person.post(path('keys', 'upload'), { device_keys });
    await person.post(path('rooms', hall, 'join'), {});
    return person;
  };
  const bea = await comesWithKeys('bea');
  await tellAll();
  await asService('POST', `${path('rooms', hall, 'join')}?user_id=@_b_one:localhost`, {});
  await expect.poll(changed).toEqual(expect.arrayContaining([alice.userId, bea.userId]));
  received = [];
  const cleo = await comesWithKeys('cleo');
  await say(cleo, hall, 'Cleo is here');
  await expect.poll(texts).toContain('Cleo is here');
  // Her keys and her join arrive together, or the keys first, once she's visible.
  expect([...new Set(changed())]).toEqual([cleo.userId]);
  // A changed display name isn't a join.
  received = [];
  await cleo.put(path('profile', cleo.userId, 'displayname'), { displayname: 'Cleo' });
  await say(alice, hall, 'to Cleo');
  await expect.poll(texts).toContain('to Cleo');
  expect(changed()).toEqual([]);
});

test('a message to many of its devices reaches all of them', async () => {
  await asService('POST', path('register'), { type: 'm.login.application_service', username: '_b_many' });
  await Promise.all(
    Array.from({ length: 201 }, () => openSession(homeserver.services, '@_b_many:localhost')),
  );
  const send = (id: string, messages: object) =>
    homeserver.as('alice').put(path('sendToDevice', 'org.example', id), { messages });
  received = [];
  await send('all', { '@_b_many:localhost': { '*': { n: 1 } } });
  const told = () => transactions().flatMap(({ body }) => body.to_device ?? []);
  await expect.poll(() => told().length).toBeGreaterThan(200);
  await send('one', { '@_b_one:localhost': { '*': { n: 2 } } });
  await expect.poll(() => told().at(-1)?.content).toEqual({ n: 2 });
  expect(new Set(told().map(({ to_device_id }) => to_device_id)).size).toBe(told().length);
});

test('a long message to many of its devices is split into acceptable transactions', async () => {
  await asService('POST', path('register'), { type: 'm.login.application_service', username: '_b_long' });
  await Promise.all(Array.from({ length: 80 }, () => openSession(homeserver.services, '@_b_long:localhost')));
  received = [];
  const messages = { '@_b_long:localhost': { '*': { large: 'x'.repeat(60_000) } } };
  const sent = await homeserver.as('alice').put(path('sendToDevice', 'org.example', 'long'), { messages });
  expect(sent.status).toBe(200);
  const told = () => transactions().flatMap(({ body }) => body.to_device ?? []);
  // Includes the device from the registration.
  await expect.poll(() => told().length).toBe(81);
  expect(new Set(told().map(({ to_device_id }) => to_device_id)).size).toBe(81);
  for (const { body } of transactions()) {
    // Services read some data under two names, so it's sent twice.
    expect(JSON.stringify(body).length).toBeLessThan(2_500_000);
  }
});

test('a backlog is split into acceptable transactions', async () => {
  const [large, device] = ['x'.repeat(50_000), '@_b_one:localhost'];
  await openSession(homeserver.services, device);
  const bulky = await makeRoom(homeserver.as('alice'));
  await asService('POST', `${path('rooms', bulky, 'join')}?user_id=${device}`, {});
  received = [];
  status = 413;
  for (let i = 0; i < 40; i++) {
    await say(homeserver.as('alice'), bulky, `${i} ${large}`);
    const messages = { [device]: { '*': { large, n: i } } };
    await homeserver.as('alice').put(path('sendToDevice', 'org.example', `large ${i}`), { messages });
  }
  await expect.poll(() => transactions().length).toBeGreaterThan(0);
  received = [];
  status = 200;
  const numbers = Array.from({ length: 40 }, (_, index) => index);
  const told = () => transactions().flatMap(({ body }) => body.to_device ?? []);
  await expect.poll(() => texts().map((text) => Number.parseInt(text, 10))).toEqual(numbers);
  await expect.poll(() => [...new Set(told().map(({ content }) => content.n))]).toEqual(numbers);
  for (const { body } of transactions()) {
    // Services read some data under two names, so it's sent twice.
    expect(JSON.stringify(body).length).toBeLessThan(4_000_000);
  }
});

async function newDevice(localpart: string) {
  await createUser(homeserver.services, { localpart, password: 'secret' });
  return logIn(homeserver, localpart);
}

test('it is queried for unknown users in its namespace', async () => {
  await homeserver.as('alice').post(path('rooms', room, 'invite'), { user_id: '@_b_new:localhost' });
  await expect
    .poll(() => received.map(({ path: at }) => at))
    .toContain(`/base/_matrix/app/v1/users/${encodeURIComponent('@_b_new:localhost')}`);
  // The invite arrives after that.
  await expect.poll(() => events().map(({ state_key }) => state_key)).toContain('@_b_new:localhost');
});

test.each([500, 503])('if its user query fails (%i), it is asked again', async (failure) => {
  const later = `@_b_later${failure}:localhost`;
  const questions = () => received.filter(({ path: at }) => at.endsWith(encodeURIComponent(later))).length;
  userStatus = failure;
  await makeRoom(homeserver.as('alice'), { invite: [later] });
  await expect.poll(questions).toBe(1);
  userStatus = 200;
  await makeRoom(homeserver.as('alice'), { invite: [later] });
  await expect.poll(questions).toBe(2);
});

test("concurrent user queries don't wait for each other", async () => {
  const all = Promise.withResolvers<void>();
  let waiting = 0;
  knowsUser = () => {
    if (++waiting === 3) all.resolve();
    return all.promise;
  };
  const invite = ['one', 'two', 'three'].map((name) => `@_b_several_${name}:localhost`);
  const invited = await makeRoom(homeserver.as('alice'), { invite, name: 'For three' });
  await expect.poll(() => events().map(({ room_id }) => room_id)).toContain(invited);
  expect(waiting).toBe(3);
  // The service receives as much of the room as an invited user.
  const invitations = events().filter(({ room_id }) => room_id === invited);
  expect(invitations.map(({ unsigned }) => unsigned.invite_room_state)).toEqual(
    Array(3).fill(
      expect.arrayContaining([
        { type: 'm.room.name', state_key: '', sender: '@alice:localhost', content: { name: 'For three' } },
        expect.objectContaining({ type: 'm.room.create' }),
        expect.objectContaining({ type: 'm.room.member', state_key: '@alice:localhost' }),
      ]),
    ),
  );
});

test('its aliases are exclusive', async () => {
  const put = (who: 'alice', alias: string) =>
    homeserver.as(who).put(path('directory', 'room', alias), { room_id: room });
  expect(await put('alice', '#_b_x:localhost')).toMatchObject({
    status: 400,
    body: { errcode: 'M_EXCLUSIVE' },
  });
  expect(await homeserver.as('alice').post(path('createRoom'), { room_alias_name: '_b_y' })).toMatchObject({
    ...{ status: 400, body: { errcode: 'M_EXCLUSIVE' } },
  });
  const own = `${path('directory', 'room', '#_b_x:localhost')}?user_id=@_b_one:localhost`;
  expect(await asService('PUT', own, { room_id: room })).toMatchObject({ status: 200 });
});

test('only the service can have itself pinged', async () => {
  const ping = '/_chat/client/v1/appservice/bridge/ping';
  const { status: answered, body } = await asService('POST', ping, { transaction_id: 'mine' });
  expect({ answered, duration: body.duration_ms }).toEqual({ answered: 200, duration: expect.any(Number) });
  expect(received.at(-1)).toMatchObject({
    path: '/base/_matrix/app/v1/ping',
    body: { transaction_id: 'mine' },
  });
  expect(await homeserver.as('alice').post(ping, {})).toMatchObject({ status: 403 });
  expect(await asService('POST', '/_chat/client/v1/appservice/other/ping', {})).toMatchObject({
    status: 403,
  });
  status = 418;
  expect(await asService('POST', ping, {})).toMatchObject({ status: 502, body: { errcode: 'M_BAD_STATUS' } });
  status = 200;
});

test('networks are found through it', async () => {
  const get = (...parts: string[]) => homeserver.as('alice').get(path('thirdparty', ...parts));
  expect((await get('protocols')).body).toMatchObject({
    gopher: { instances: [{ network_id: 'n', instance_id: 'bridge|n' }] },
  });
  expect((await get('protocol', 'gopher')).status).toBe(200);
  expect(await get('protocol', 'irc')).toMatchObject({ status: 404, body: { errcode: 'M_NOT_FOUND' } });
  expect((await get('location', 'gopher')).body).toEqual([{ alias: '#x:y', protocol: 'gopher' }]);
  expect((await get('user', 'irc')).body).toEqual([]);
});

test('a user may run ten network lookups at once without blocking others', async () => {
  const slow = Promise.withResolvers<void>();
  knowsNetwork = () => slow.promise;
  const look = (who: string) => homeserver.as(who).get(path('thirdparty', 'location', 'gopher'));
  const looks = Array.from({ length: 11 }, () => look('alice'));
  expect(await Promise.any(looks)).toMatchObject({ status: 429, body: { errcode: 'M_LIMIT_EXCEEDED' } });
  const other = look('bob');
  slow.resolve();
  expect((await other).status).toBe(200);
  const statuses = (await Promise.all(looks)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
});

test('rooms of its networks are listed in their own directories', async () => {
  const listed = await makeRoom(homeserver.as('alice'), { name: 'Bridged' });
  const closed = await makeRoom(homeserver.as('alice'), { preset: 'private_chat' });
  const list = (roomId: string, visibility: unknown, network = 'n') =>
    asService('PUT', path('directory', 'list', 'appservice', network, roomId), { visibility });
  const found = async (body: object) => {
    const reply = await homeserver.as('bob').post(path('publicRooms'), body);
    return [reply.status, reply.body.chunk?.map(({ room_id }: Body) => room_id) ?? reply.body.errcode];
  };
  const inNetwork = { third_party_instance_id: 'bridge|n' };
  expect(await found(inNetwork)).toEqual([200, []]);
  expect(await list(listed, 'public')).toMatchObject({ status: 200, body: {} });
  expect(await list(listed, 'public')).toMatchObject({ status: 200, body: {} });
  // A room that can't be joined or read is in no directory.
  expect(await list(closed, 'public')).toMatchObject({ status: 200 });
  expect(await found(inNetwork)).toEqual([200, [listed]]);
  expect((await homeserver.as('bob').post(path('publicRooms'), inNetwork)).body).toMatchObject({
    chunk: [{ name: 'Bridged' }],
  });
  expect((await found({}))[1]).not.toContain(listed);
  expect((await found({ include_all_networks: true }))[1]).toContain(listed);
  expect(await found({ third_party_instance_id: 'bridge|other' })).toEqual([200, []]);
  expect(await found({ third_party_instance_id: 'nobody|n' })).toEqual([400, 'M_UNKNOWN']);
  expect(await found({ ...inNetwork, include_all_networks: true })).toEqual([400, 'M_UNKNOWN']);
  expect(await found({ third_party_instance_id: 5 })).toEqual([400, 'M_BAD_JSON']);

  expect(await list(listed, 'private')).toMatchObject({ status: 200 });
  expect(await found(inNetwork)).toEqual([200, []]);
  expect(await list('!nowhere:localhost', 'public')).toMatchObject({
    status: 404,
    body: { errcode: 'M_NOT_FOUND' },
  });
  expect(await list(listed, 'half')).toMatchObject({ status: 400, body: { errcode: 'M_BAD_JSON' } });
  const byUser = path('directory', 'list', 'appservice', 'n', listed);
  expect(await homeserver.as('alice').put(byUser, { visibility: 'public' })).toMatchObject({
    status: 403,
    body: { errcode: 'M_FORBIDDEN' },
  });
});

test('its user is deactivated without a password', async () => {
  await asService('POST', path('register'), { type: 'm.login.application_service', username: '_b_gone' });
  const at = `${path('account', 'deactivate')}?user_id=@_b_gone:localhost`;
  expect(await asService('POST', at, {})).toMatchObject({ status: 200 });
  expect(await asService('GET', `${path('account', 'whoami')}?user_id=@_b_gone:localhost`)).toMatchObject({
    status: 403,
  });
});
