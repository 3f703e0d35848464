import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Config } from '../../../server/platform/config/config.ts';
import { loadConfig } from '../../../server/platform/config/load.ts';
import { call, startHomeserver, type TestHomeserver } from '../homeserver.ts';

let directory: string;
let homeserver: TestHomeserver;

const bridge = `
id: bridge
url: http://localhost:9000
as_token: bridge-secret
hs_token: other-secret
sender_localpart: bridgebot
rate_limited: false
namespaces:
  users:
    - {exclusive: true, regex: '@_bridge_.*:localhost'}
    - {exclusive: false, regex: '@shared-.*'}
  aliases: []
`;
/** A pattern with catastrophic backtracking on some names. */
const hostile = `
id: slow
url: null
as_token: slow-secret
hs_token: other-secret
sender_localpart: slowbot
namespaces: {users: [{exclusive: true, regex: '@slow(a+)+:localhost'}]}
`;
/** A registration that has no effect until its test. */
const idle = (id: string) => `
id: ${id}
url: null
as_token: ${id}-secret
hs_token: other-secret
sender_localpart: ${id}bot
namespaces: {}
`;

async function load(files: string[], settings = ''): Promise<Config> {
  const names = await Promise.all(
    files.map(async (text, index) => {
      await writeFile(join(directory, `${index}.yaml`), text);
      return `${index}.yaml`;
    }),
  );
  const file = join(directory, 'homeserver.yaml');
  await writeFile(file, `app_service_config_files: [${names}]\n${settings}`);
  return loadConfig({ file, dataDir: directory });
}

const openRegistration = { enabled: true, requiresToken: false, sharedSecret: undefined };

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-app-services-'));
  const { appServices } = await load([bridge, hostile, idle('idle'), idle('fresh')]);
  homeserver = await startHomeserver({ config: { appServices, registration: openRegistration } });
  await register({ type, username: '_bridge_quiet', inhibit_login: true }, 'bridge-secret');
  await register({ username: 'shared-name', ...person }, undefined);
});
afterAll(async () => {
  await homeserver.remove();
  await rm(directory, { recursive: true });
});

const asBridge = (method: string, path: string, body?: unknown) =>
  call(homeserver.url, method, path, 'bridge-secret', body);
const type = 'm.login.application_service';
const person = { password: 'secret', auth: { type: 'm.login.dummy' } };
const register = (body: unknown, token: string | undefined, chat = '/_chat') =>
  call(homeserver.url, 'POST', `${chat}/client/v3/register`, token, body);

describe('registration', () => {
  test.each(['/_chat', '/_matrix'])('creates users in the namespace (%s)', async (chat) => {
    const username = `_bridge_${chat.slice(2)}`;
    const reply = await register({ type, username, initial_device_display_name: 'Bridge' }, undefined, chat);
    expect(reply).toMatchObject({
      status: 400,
      body: { errcode: 'M_UNKNOWN', error: expect.stringMatching(/token/) },
    });
    expect(await register({ type, username }, 'bridge-secret', chat)).toMatchObject({
      status: 200,
      body: { user_id: `@${username}:localhost`, access_token: expect.any(String) },
    });
    const detail = await homeserver.as('admin').get(`/_service/admin/v2/users/@${username}:localhost`);
    expect(detail.body).toMatchObject({ appservice_id: 'bridge' });
  });

  test('opens no session if inhibit_login is set', async () => {
    const { status, body } = await register(
      { type, username: '_bridge_silent', inhibit_login: true },
      'bridge-secret',
    );
    expect({ status, body }).toEqual({
      status: 200,
      body: { user_id: '@_bridge_silent:localhost', home_server: 'localhost' },
    });
  });

  test.each<[string, unknown, string, number, string]>([
    ['outside of the namespace', { type, username: 'someone' }, 'bridge-secret', 400, 'M_EXCLUSIVE'],
    ["in another service's", { type, username: 'slowa' }, 'bridge-secret', 400, 'M_EXCLUSIVE'],
    ['twice', { type, username: '_bridge_quiet' }, 'bridge-secret', 400, 'M_USER_IN_USE'],
    ['an unavailable name', { type, username: '_bridge_a b' }, 'bridge-secret', 400, 'M_INVALID_USERNAME'],
    ['without a name', { type }, 'bridge-secret', 400, 'M_MISSING_PARAM'],
    ['with a number', { type, username: 5 }, 'bridge-secret', 400, 'M_BAD_JSON'],
    ['with a wrong token', { type, username: '_bridge_x' }, 'guess', 401, 'M_UNKNOWN_TOKEN'],
  ])('refuses %s', async (_, body, token, status, errcode) => {
    expect(await register(body, token)).toMatchObject({ status, body: { errcode } });
  });

  test('names the property that replaced the removed one', async () => {
    expect(await register({ type, user: '_bridge_old' }, 'bridge-secret')).toMatchObject({
      status: 400,
      body: { errcode: 'M_MISSING_PARAM', error: expect.stringContaining("'username'") },
    });
  });
});

describe('other users', () => {
  const guest = (body: unknown) => homeserver.as('guest').post('/_chat/client/v3/register', body);

  test.each(['idlebot', 'slowaaa'])("can't have %s", async (username) => {
    expect(await guest({ ...person, username })).toMatchObject({
      status: 400,
      body: { errcode: 'M_EXCLUSIVE' },
    });
    expect(
      await homeserver.as('guest').get(`/_chat/client/v3/register/available?username=${username}`),
    ).toMatchObject({ status: 400, body: { errcode: 'M_EXCLUSIVE' } });
    expect(
      await homeserver.as('admin').put(`/_service/admin/v2/users/@${username}:localhost`, {}),
    ).toMatchObject({ status: 400, body: { errcode: 'M_EXCLUSIVE' } });
  });

  test("can have a name that isn't exclusive", async () => {
    expect((await guest({ ...person, username: 'shared-other' })).status).toBe(200);
  });

  test("can't log in as a user of an exclusive namespace", async () => {
    const path = '/_service/admin/v1/reset_password/@_bridge_quiet:localhost';
    expect((await homeserver.as('admin').post(path, { new_password: 'x' })).status).toBe(200);
    const login = { type: 'm.login.password', user: '_bridge_quiet', password: 'x' };
    expect(await homeserver.as('guest').post('/_chat/client/v3/login', login)).toMatchObject({
      status: 400,
      body: { errcode: 'M_EXCLUSIVE' },
    });
  });

  test("can't slow the server down with a name", async () => {
    // Almost reserved: with backtracking, the pattern would take years on this name.
    const reply = await guest({ ...person, username: `slow${'a'.repeat(150)}b` });
    expect(reply).toMatchObject({ status: 200, body: { user_id: `@slow${'a'.repeat(150)}b:localhost` } });
    expect((await guest({ ...person, username: 'quick' })).status).toBe(200);
  });
});

describe('acting for users', () => {
  const whoami = (query: string) => asBridge('GET', `/_chat/client/v3/account/whoami${query}`);

  test.each([
    ['', '@bridgebot:localhost'],
    ['?user_id=@bridgebot:localhost', '@bridgebot:localhost'],
    ['?user_id=@_bridge_quiet:localhost', '@_bridge_quiet:localhost'],
    ['?user_id=@shared-name:localhost', '@shared-name:localhost'],
  ])('%s is %s', async (query, userId) => {
    expect(await whoami(query)).toMatchObject({ status: 200, body: { user_id: userId, is_guest: false } });
  });

  test.each<[string, string, string, unknown]>([
    ['slow', 'PUT', '/_chat/client/v3/user/@slowbot:localhost/account_data/org.x', { x: 1 }],
    ['slow', 'PUT', '/_chat/client/v3/profile/@slowbot:localhost/displayname', { displayname: 'Slow' }],
    ['fresh', 'POST', '/_chat/client/v3/login', { type, user: 'freshbot' }],
  ])('works without registering the sender: %s, %s %s', async (id, method, path, body) => {
    expect((await call(homeserver.url, method, path, `${id}-secret`, body)).status).toBe(200);
  });

  test.each([
    ['outside of the namespace', '@alice:localhost'],
    ['of another server', '@shared-name:elsewhere.example'],
    ['who is not registered', '@_bridge_nobody:localhost'],
    ['whose name only begins with one', '@_bridge_quiet:localhost.example'],
    ['without a user', 'alice'],
  ])("can't be a user %s", async (_, userId) => {
    expect(await whoami(`?user_id=${userId}`)).toMatchObject({
      status: 403,
      body: { errcode: 'M_FORBIDDEN' },
    });
  });

  test('sends requests as its users', async () => {
    const as = '?user_id=@_bridge_quiet:localhost';
    const { body: room } = await asBridge('POST', `/_chat/client/v3/createRoom${as}`, {
      preset: 'public_chat',
    });
    const path = `/_chat/client/v3/rooms/${room.room_id}/send/m.room.message/1${as}`;
    const sent = await asBridge('PUT', path, { msgtype: 'm.text', body: 'hello' });
    await homeserver.as('alice').post(`/_chat/client/v3/rooms/${room.room_id}/join`);
    const event = await homeserver
      .as('alice')
      .get(`/_chat/client/v3/rooms/${room.room_id}/event/${encodeURIComponent(sent.body.event_id)}`);
    expect(event.body.sender).toBe('@_bridge_quiet:localhost');
  });

  test("creates and deletes its users' devices and replaces their keys without a password", async () => {
    await asBridge('POST', '/_chat/client/v3/register', {
      type,
      username: '_bridge_devices',
      inhibit_login: true,
    });
    const at = (path: string) => `/_chat/client/v3/${path}?user_id=@_bridge_devices:localhost`;
    const named = async () => (await asBridge('GET', at('devices'))).body.devices;
    expect(await asBridge('PUT', at('devices/ONE'), { display_name: 'One' })).toMatchObject({ status: 201 });
    expect(await asBridge('PUT', at('devices/ONE'), {})).toMatchObject({ status: 200 });
    expect(await asBridge('PUT', at('devices/TWO'), {})).toMatchObject({ status: 201, body: {} });
    expect(await asBridge('PUT', at(`devices/${'x'.repeat(513)}`), {})).toMatchObject({
      status: 400,
      body: { errcode: 'M_INVALID_PARAM' },
    });
    expect(await named()).toMatchObject([
      { device_id: 'ONE', display_name: 'One' },
      { device_id: 'TWO', display_name: null },
    ]);
    expect(await asBridge('DELETE', at('devices/ONE'))).toMatchObject({ status: 200 });
    expect(await asBridge('POST', at('delete_devices'), { devices: ['TWO'] })).toMatchObject({ status: 200 });
    expect(await named()).toEqual([]);
    for (const name of ['a', 'b']) {
      const key = name.repeat(43);
      const user_id = '@_bridge_devices:localhost';
      const master_key = { user_id, usage: ['master'], keys: { [`ed25519:${key}`]: key } };
      const path = at('keys/device_signing/upload');
      expect(await asBridge('POST', path, { master_key })).toMatchObject({ status: 200 });
    }
    const alices = await homeserver.as('alice').put('/_chat/client/v3/devices/NEW', { display_name: 'x' });
    expect(alices).toMatchObject({ status: 404, body: { errcode: 'M_NOT_FOUND' } });
  });

  test("isn't possible for users", async () => {
    const reply = await homeserver.as('alice').get('/_chat/client/v3/account/whoami?user_id=@bob:localhost');
    expect(reply.body.user_id).toBe('@alice:localhost');
  });

  test('gives no admin access', async () => {
    expect((await asBridge('GET', '/_service/admin/v2/users')).status).toBe(403);
    expect((await asBridge('GET', '/_service/admin/v2/users?user_id=@admin:localhost')).status).toBe(403);
  });

  test.each<[string, unknown, string | undefined, number, string | undefined]>([
    ['for its users', { user: '_bridge_quiet' }, 'bridge-secret', 200, undefined],
    ['for others', { user: 'alice' }, 'bridge-secret', 403, 'M_FORBIDDEN'],
    ['without a user', {}, 'bridge-secret', 400, 'M_MISSING_PARAM'],
    ['without a token', { user: '_bridge_quiet' }, undefined, 401, 'M_MISSING_TOKEN'],
    ['with a wrong token', { user: '_bridge_quiet' }, 'guess', 401, 'M_UNKNOWN_TOKEN'],
  ])('logs in %s', async (_, who, token, status, errcode) => {
    const reply = await call(homeserver.url, 'POST', '/_chat/client/v3/login', token, {
      type,
      ...(who as object),
    });
    expect(reply).toMatchObject({ status, body: errcode ? { errcode } : { device_id: expect.any(String) } });
  });
});

describe('a token in the query', () => {
  const path = '/_chat/client/v3/account/whoami?access_token=';

  test('is refused from an application service, and still accepted from users', async () => {
    expect(await homeserver.as('guest').get(`${path}bridge-secret`)).toMatchObject({
      status: 401,
      body: { errcode: 'M_MISSING_TOKEN', error: expect.stringContaining('Authorization header') },
    });
    const body = { type, username: '_bridge_query' };
    const query = '/_chat/client/v3/register?access_token=bridge-secret';
    expect((await homeserver.as('guest').post(query, body)).status).toBe(401);
    const person = await homeserver.as('guest').get(path + homeserver.as('alice').accessToken);
    expect(person).toMatchObject({ status: 200, body: { user_id: '@alice:localhost' } });
  });

  test('is accepted if configured', async () => {
    const { appServices, useAppServiceLegacyAuthorization } = await load(
      [bridge],
      'use_appservice_legacy_authorization: true',
    );
    const legacy = await startHomeserver({ config: { appServices, useAppServiceLegacyAuthorization } });
    expect(await legacy.as('guest').get(`${path}bridge-secret`)).toMatchObject({
      status: 200,
      body: { user_id: '@bridgebot:localhost' },
    });
    const body = { type, username: '_bridge_query' };
    const query = '/_chat/client/v3/register?access_token=bridge-secret';
    expect((await legacy.as('guest').post(query, body)).status).toBe(200);
    await legacy.remove();
  });
});

describe('a registration file is refused', () => {
  test.each<[string, string[], RegExp]>([
    ['that is not YAML', ['as_token: hush-hush\nx: ['], /0\.yaml is not YAML .*line 2/],
    ['that is a list', ['- hush-hush'], /0\.yaml isn't a valid registration/],
    ['without an id', [bridge.replace('id: bridge', '')], /0\.yaml isn't a valid registration: .*id/],
    ['without a token', [bridge.replace(/as_token.*/, '')], /0\.yaml isn't a valid registration: .*as_token/],
    ['with a number for a token', [bridge.replace('bridge-secret', '5')], /'as_token' must be string/],
    ['without namespaces', [bridge.replace(/namespaces:.*/s, '')], /namespaces/],
    ['without exclusive', [bridge.replace('exclusive: true, ', '')], /'namespaces\.users\.0' .*exclusive/],
    ['with half a pattern', [bridge.replace("'@shared-.*'", "'@shared-('")], /'namespaces\.users\.1\.regex'/],
    [
      'with a half pattern for rooms',
      [bridge.replace('aliases: []', "rooms: [{exclusive: true, regex: '('}]")],
      /'namespaces\.rooms\.0\.regex'/,
    ],
    [
      'with a look-ahead',
      [bridge.replace("'@shared-.*'", "'@(?!admin).*'")],
      /invalid 'namespaces\.users\.1\.regex' .*; .*look-around/,
    ],
    [
      'with a back reference',
      [bridge.replace("'@shared-.*'", "'@(.)\\1.*'")],
      /back references are not supported/,
    ],
    ['with an invalid sender', [bridge.replace('bridgebot', 'Bridge Bot')], /'sender_localpart'/],
    [
      'with the id of another',
      [bridge, bridge.replace('bridge-secret', 'x')],
      /files\[1\]: .*1\.yaml has the same id as another/,
    ],
    [
      'with the token of another',
      [bridge, bridge.replace('id: bridge', 'id: x')],
      /1\.yaml has the same as_token as another/,
    ],
  ])('%s', async (_, files, message) => {
    const refusal = load(files);
    await expect(refusal).rejects.toThrow(/^app_service_config_files\[\d\]: the file \//);
    await expect(refusal).rejects.toThrow(message);
    await expect(refusal).rejects.not.toThrow(/hush-hush|bridge-secret|other-secret/);
  });

  test('that is missing', async () => {
    const file = join(directory, 'homeserver.yaml');
    await writeFile(file, 'app_service_config_files: [missing.yaml]');
    await expect(loadConfig({ file, dataDir: directory })).rejects.toThrow(
      /^app_service_config_files\[0\]: the file .*missing\.yaml can't be read \(ENOENT\)/,
    );
  });
});
