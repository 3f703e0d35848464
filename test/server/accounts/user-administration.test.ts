import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manualClock } from '../../manual-clock.ts';
import { until } from '../../until.ts';
import { call, startHomeserver, type TestHomeserver } from '../homeserver.ts';

const base = '/_service/admin';
const clock = manualClock();
let homeserver: TestHomeserver;

beforeAll(async () => {
  homeserver = await startHomeserver({ clock });
});
afterAll(() => homeserver.remove());

const admin = () => homeserver.as('admin');
const user = (name: string) => `${base}/v2/users/@${name}:localhost`;
const whoami = (token: string) => call(homeserver.url, 'GET', '/_chat/client/v3/account/whoami', token);
const logIn = (name: string, password: string) =>
  homeserver.as('guest').post('/_chat/client/v3/login', { type: 'm.login.password', user: name, password });

/** Creates a user with a password and logs in. */
async function newPerson(name: string) {
  const password = `password of ${name}`;
  await admin().put(user(name), { password });
  const { body } = await logIn(name, password);
  const send = (method: string) => (path: string, content?: unknown) =>
    call(homeserver.url, method, `/_chat/client/v3${path}`, body.access_token, content);
  return {
    userId: `@${name}:localhost`,
    password,
    token: body.access_token as string,
    get: send('GET'),
    post: send('POST'),
    put: send('PUT'),
  };
}

describe.each([
  ['vendor', '/_service/admin'],
  ['matrix', '/_synapse/admin'],
])('in the %s dialect', (_, at) => {
  const nobody = '@nobody:localhost';
  const stranger = '@x:elsewhere.example';

  test.each<[string, string, 'get' | 'put' | 'post' | 'delete', string, unknown, number, string]>([
    ['no such user', 'admin', 'get', `/v2/users/${nobody}`, undefined, 404, 'M_NOT_FOUND'],
    ['a stranger', 'admin', 'get', `/v2/users/${stranger}`, undefined, 400, 'M_UNKNOWN'],
    ['an invalid user ID', 'admin', 'get', '/v2/users/bob', undefined, 400, 'M_INVALID_PARAM'],
    ['a user to a user', 'alice', 'get', '/v2/users/@alice:localhost', undefined, 403, 'M_FORBIDDEN'],
    ['the removed list', 'admin', 'get', '/v1/users/@alice:localhost', undefined, 404, 'M_UNRECOGNIZED'],
    ['making a stranger', 'admin', 'put', `/v2/users/${stranger}`, {}, 400, 'M_UNKNOWN'],
    ['a name in capitals', 'admin', 'put', '/v2/users/@UP:localhost', {}, 400, 'M_INVALID_USERNAME'],
    ['a name of digits', 'admin', 'put', '/v2/users/@12:localhost', {}, 400, 'M_INVALID_USERNAME'],
    ['admin as text', 'admin', 'put', `/v2/users/${nobody}`, { admin: 'yes' }, 400, 'M_BAD_JSON'],
    ['a number for a name', 'admin', 'put', `/v2/users/${nobody}`, { displayname: 5 }, 400, 'M_BAD_JSON'],
    ['a type', 'admin', 'put', `/v2/users/${nobody}`, { user_type: 'king' }, 400, 'M_BAD_JSON'],
    ['an address', 'admin', 'put', `/v2/users/${nobody}`, { threepids: [{}] }, 400, 'M_MISSING_PARAM'],
    [
      'a long password',
      'admin',
      'put',
      `/v2/users/${nobody}`,
      { password: 'x'.repeat(513) },
      400,
      'M_BAD_JSON',
    ],
    ['a list', 'admin', 'put', `/v2/users/${nobody}`, [], 400, 'M_BAD_JSON'],
    ['nothing', 'admin', 'put', `/v2/users/${nobody}`, undefined, 400, 'M_NOT_JSON'],
    [
      'locked and deactivated at once',
      'admin',
      'put',
      `/v2/users/${nobody}`,
      { locked: true, deactivated: true },
      400,
      'M_UNKNOWN',
    ],
    ['demoting oneself', 'admin', 'put', '/v2/users/@admin:localhost', { admin: false }, 400, 'M_UNKNOWN'],
    [
      'demoting oneself',
      'admin',
      'put',
      '/v1/users/@admin:localhost/admin',
      { admin: false },
      400,
      'M_UNKNOWN',
    ],
    [
      'a new administrator by a user',
      'alice',
      'put',
      '/v1/users/@bob:localhost/admin',
      { admin: true },
      403,
      'M_FORBIDDEN',
    ],
    ['no flag', 'admin', 'put', '/v1/users/@bob:localhost/admin', {}, 400, 'M_MISSING_PARAM'],
    ['no such user', 'admin', 'put', `/v1/users/${nobody}/admin`, { admin: true }, 404, 'M_NOT_FOUND'],
    ['deactivating an unknown user', 'admin', 'post', `/v1/deactivate/${nobody}`, {}, 404, 'M_NOT_FOUND'],
    ['deactivating a stranger', 'admin', 'post', `/v1/deactivate/${stranger}`, {}, 400, 'M_UNKNOWN'],
    ['erase as text', 'admin', 'post', `/v1/deactivate/${nobody}`, { erase: 'x' }, 400, 'M_BAD_JSON'],
    ['deactivating by a user', 'alice', 'post', '/v1/deactivate/@bob:localhost', {}, 403, 'M_FORBIDDEN'],
    [
      'a password for an unknown user',
      'admin',
      'post',
      `/v1/reset_password/${nobody}`,
      { new_password: 'x' },
      404,
      'M_NOT_FOUND',
    ],
    ['no password', 'admin', 'post', '/v1/reset_password/@bob:localhost', {}, 400, 'M_MISSING_PARAM'],
    [
      'a number',
      'admin',
      'post',
      '/v1/reset_password/@bob:localhost',
      { new_password: 5 },
      400,
      'M_BAD_JSON',
    ],
    [
      'shadow-banning an unknown user',
      'admin',
      'post',
      `/v1/users/${nobody}/shadow_ban`,
      {},
      404,
      'M_NOT_FOUND',
    ],
    ['shadow-banning a stranger', 'admin', 'post', `/v1/users/${stranger}/shadow_ban`, {}, 400, 'M_UNKNOWN'],
    [
      'suspending an unknown user',
      'admin',
      'put',
      `/v1/suspend/${nobody}`,
      { suspend: true },
      404,
      'M_NOT_FOUND',
    ],
    ['suspending as text', 'admin', 'put', `/v1/suspend/${nobody}`, { suspend: 'x' }, 400, 'M_BAD_JSON'],
    ['suspending without a value', 'admin', 'put', `/v1/suspend/${nobody}`, {}, 400, 'M_MISSING_PARAM'],
  ])('refuses %s', async (_, caller, method, path, body, status, errcode) => {
    const reply = await homeserver.as(caller)[method](at + path, body);
    expect(reply).toMatchObject({ status, body: { errcode, error: expect.any(String) } });
  });

  test('creates, reads and changes a user', async () => {
    const path = `${at}/v2/users/@made-${at.slice(2, 5)}:localhost`;
    const made = await admin().put(path, {});
    expect(made.status).toBe(201);
    expect(await admin().get(path)).toMatchObject({ status: 200, body: made.body });
    const changed = await admin().put(path, { displayname: 'Made', user_type: 'bot', admin: true });
    expect(changed).toMatchObject({
      status: 200,
      body: { displayname: 'Made', user_type: 'bot', admin: true },
    });
  });
});

describe('a user in detail', () => {
  test('has every field with the set values', async () => {
    const reply = await admin().put(user('frida'), {
      password: 'secret',
      displayname: 'Frida',
      avatar_url: 'mxc://localhost/face',
      user_type: 'support',
      threepids: [{ medium: 'email', address: 'Frida@Example.org' }],
      external_ids: [{ auth_provider: 'oidc', external_id: '77' }],
    });
    expect(reply.body).toEqual({
      name: '@frida:localhost',
      displayname: 'Frida',
      avatar_url: 'mxc://localhost/face',
      threepids: [
        {
          medium: 'email',
          address: 'frida@example.org',
          validated_at: clock.now(),
          added_at: clock.now(),
        },
      ],
      external_ids: [{ auth_provider: 'oidc', external_id: '77' }],
      is_guest: false,
      admin: false,
      deactivated: false,
      erased: false,
      locked: false,
      suspended: false,
      shadow_banned: false,
      creation_ts: Math.floor(clock.now() / 1000),
      last_seen_ts: null,
      appservice_id: null,
      user_type: 'support',
      consent_server_notice_sent: null,
      consent_version: null,
      consent_ts: null,
    });
    expect(await logIn('frida', 'secret')).toMatchObject({ status: 200 });

    // Omitted fields are kept; empty ones are deleted.
    const { body } = await admin().put(user('frida'), {
      displayname: '',
      threepids: [],
      user_type: null,
    });
    expect(body).toMatchObject({
      displayname: null,
      avatar_url: 'mxc://localhost/face',
      threepids: [],
      external_ids: [{ external_id: '77' }],
      user_type: null,
    });
  });

  test("takes another user's address, but not another user's external ID", async () => {
    await admin().put(user('gerd'), { threepids: [{ medium: 'email', address: 'shared@example.org' }] });
    const taken = await admin().put(user('hedi'), {
      external_ids: [{ auth_provider: 'oidc', external_id: '78' }],
      threepids: [{ medium: 'email', address: 'shared@example.org' }],
    });
    expect(taken.body.threepids).toHaveLength(1);
    expect((await admin().get(user('gerd'))).body.threepids).toEqual([]);
    const refused = await admin().put(user('gerd'), {
      displayname: 'not this either',
      external_ids: [{ auth_provider: 'oidc', external_id: '78' }],
    });
    expect(refused).toMatchObject({ status: 409, body: { errcode: 'M_UNKNOWN' } });
    expect((await admin().get(user('gerd'))).body).toMatchObject({ displayname: 'gerd', external_ids: [] });
  });

  test('who is renamed is shown so in rooms', async () => {
    const person = await newPerson('renamed');
    const { body: room } = await person.post('/createRoom', {});
    await admin().put(user('renamed'), { displayname: 'New name' });
    const member = `/rooms/${room.room_id}/state/m.room.member/${person.userId}`;
    expect((await person.get(member)).body.displayname).toBe('New name');
  });
});

describe('an account', () => {
  test('that is deactivated loses sessions, password, addresses and rooms', async () => {
    const person = await newPerson('leaver');
    await admin().put(user('leaver'), { threepids: [{ medium: 'email', address: 'l@example.org' }] });
    const borrowed = await admin().post(`${base}/v1/users/${person.userId}/login`);
    const rooms = [];
    for (let index = 0; index < 12; index++) {
      rooms.push((await person.post('/createRoom', { preset: 'public_chat' })).body.room_id);
    }
    const { body: inviting } = await homeserver
      .as('alice')
      .post('/_chat/client/v3/createRoom', { invite: [person.userId] });
    expect((await admin().get(`${base}/v1/users/${person.userId}/joined_rooms`)).body).toEqual({
      joined_rooms: expect.arrayContaining(rooms),
      total: 12,
    });

    expect(await admin().post(`${base}/v1/deactivate/${person.userId}`)).toMatchObject({
      status: 200,
      body: { id_server_unbind_result: 'success' },
    });
    expect((await whoami(person.token)).status).toBe(401);
    expect((await whoami(borrowed.body.access_token)).status).toBe(401);
    expect((await logIn('leaver', person.password)).status).toBe(403);
    expect((await admin().put(user('leaver'), {})).body).toMatchObject({
      deactivated: true,
      erased: false,
      displayname: 'leaver',
      threepids: [],
    });
    await until(async () => {
      const { body } = await admin().get(`${base}/v1/users/${person.userId}/joined_rooms`);
      expect(body.total).toBe(0);
    });
    await until(async () => {
      const members = await homeserver
        .as('alice')
        .get(`/_chat/client/v3/rooms/${inviting.room_id}/members?membership=invite`);
      expect(members.body.chunk).toEqual([]);
    });

    // The account can be reactivated.
    expect((await admin().put(user('leaver'), { deactivated: false, password: 'again' })).body).toMatchObject(
      {
        deactivated: false,
      },
    );
    expect(await logIn('leaver', 'again')).toMatchObject({ status: 200 });
  });

  test('that is erased leaves its messages to those who received them', async () => {
    const person = await newPerson('forgotten');
    const { body: room } = await person.post('/createRoom', { preset: 'public_chat' });
    await homeserver.as('alice').post(`/_chat/client/v3/rooms/${room.room_id}/join`);
    await person.put(`/rooms/${room.room_id}/send/m.room.message/1`, { msgtype: 'm.text', body: 'my life' });
    await homeserver.as('bob').post(`/_chat/client/v3/rooms/${room.room_id}/join`);
    expect((await person.put(`/profile/${person.userId}/m.tz`, { 'm.tz': 'Europe/Berlin' })).status).toBe(
      200,
    );
    await admin().post(`${base}/v1/deactivate/${person.userId}`, { erase: true });
    const { body: profile } = await homeserver.as('bob').get(`/_chat/client/v3/profile/${person.userId}`);
    expect(profile).not.toHaveProperty('m.tz');

    const heard = async (who: string) => {
      const { body } = await homeserver
        .as(who)
        .get(`/_chat/client/v3/rooms/${room.room_id}/messages?dir=b&limit=50`);
      return body.chunk.find((event: { type: string }) => event.type === 'm.room.message').content;
    };
    expect(await heard('alice')).toEqual({ msgtype: 'm.text', body: 'my life' });
    expect(await heard('bob')).toEqual({});
    expect((await admin().get(user('forgotten'))).body).toMatchObject({
      erased: true,
      displayname: null,
      avatar_url: null,
    });
    expect(
      (await admin().put(user('forgotten'), { deactivated: false, password: 'again' })).body,
    ).toMatchObject({
      deactivated: false,
      erased: false,
    });
  });

  test('gets a new password, and its sessions end unless kept', async () => {
    const person = await newPerson('careless');
    const reset = (body: unknown) => admin().post(`${base}/v1/reset_password/${person.userId}`, body);
    expect((await reset({ new_password: 'one', logout_devices: false })).status).toBe(200);
    expect((await whoami(person.token)).status).toBe(200);
    expect((await reset({ new_password: 'two' })).status).toBe(200);
    expect((await whoami(person.token)).status).toBe(401);
    expect((await logIn('careless', 'one')).status).toBe(403);
    expect((await logIn('careless', 'two')).status).toBe(200);
  });

  test('that is locked is refused and may log out', async () => {
    const person = await newPerson('waiting');
    await admin().put(user('waiting'), { locked: true });
    const locked = { status: 401, body: { errcode: 'M_USER_LOCKED', soft_logout: true } };
    expect(await whoami(person.token)).toMatchObject(locked);
    expect(await logIn('waiting', person.password)).toMatchObject(locked);
    await admin().put(user('waiting'), { locked: false });
    expect((await whoami(person.token)).status).toBe(200);
    await admin().put(user('waiting'), { locked: true });
    expect((await person.post('/logout')).status).toBe(200);
    await admin().put(user('waiting'), { locked: false });
    expect((await whoami(person.token)).status).toBe(401);
  });

  test('becomes an admin and is demoted', async () => {
    const path = `${base}/v1/users/@carol:localhost/admin`;
    expect((await admin().get(path)).body).toEqual({ admin: false });
    expect((await admin().put(path, { admin: true })).body).toEqual({});
    expect((await homeserver.as('carol').get(path)).body).toEqual({ admin: true });
    const borrowed = await homeserver.as('carol').post(`${base}/v1/users/@alice:localhost/login`);
    expect((await whoami(borrowed.body.access_token)).status).toBe(200);
    await admin().put(path, { admin: false });
    expect((await homeserver.as('carol').get(path)).status).toBe(403);
    expect((await whoami(borrowed.body.access_token)).status).toBe(401);
  });
});
