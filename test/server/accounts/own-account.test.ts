import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser } from '../../../server/accounts/create-user.ts';
import { manualClock } from '../../manual-clock.ts';
import { call, startHomeserver, type TestHomeserver } from '../homeserver.ts';

const clock = manualClock();
const password = 'correct horse';
let homeserver: TestHomeserver;

beforeAll(async () => {
  homeserver = await startHomeserver({
    clock,
    config: { loginViaExistingSession: { requireUiAuth: true, tokenTimeoutMs: 120_000 } },
  });
});
afterAll(() => homeserver.remove());

const logIn = (body: unknown) => homeserver.as('guest').post('/_chat/client/v3/login', body);

/** A user of a test's own, with a password and one session. */
let people = 0;
async function newPerson() {
  const localpart = `person-${people++}`;
  const userId = await createUser(homeserver.services, { localpart, password });
  const session = async () => {
    const { body } = await logIn({ type: 'm.login.password', user: localpart, password });
    const send = (method: string) => (path: string, content?: unknown) =>
      call(homeserver.url, method, `/_chat/client${path}`, body.access_token, content);
    return {
      deviceId: body.device_id as string,
      token: body.access_token as string,
      get: send('GET'),
      post: send('POST'),
      put: send('PUT'),
      delete: send('DELETE'),
    };
  };
  const auth = (session?: string, given = password) => ({
    type: 'm.login.password',
    identifier: { type: 'm.id.user', user: localpart },
    password: given,
    session,
  });
  return { localpart, userId, session, auth, ...(await session()) };
}

describe('asking for the password', () => {
  const change = { new_password: 'new' };

  test('lists the stage, takes the password, and does what was asked once', async () => {
    const person = await newPerson();
    const asked = await person.post('/v3/account/password', change);
    expect(asked).toMatchObject({
      status: 401,
      body: { session: expect.any(String), flows: [{ stages: ['m.login.password'] }], params: {} },
    });
    const body = { ...change, auth: person.auth(asked.body.session) };
    expect(await person.post('/v3/account/password', body)).toMatchObject({ status: 200, body: {} });
    expect(await person.post('/v3/account/password', body)).toMatchObject({
      status: 400,
      body: { errcode: 'M_UNKNOWN' },
    });
  });

  type Auth = (person: Awaited<ReturnType<typeof newPerson>>, session: string) => unknown;
  test.each<[string, Auth, number, string]>([
    ['a wrong password', ({ auth }, session) => auth(session, 'wrong'), 401, 'M_FORBIDDEN'],
    [
      'no password',
      (_, session) => ({ type: 'm.login.password', user: 'x', session }),
      400,
      'M_INVALID_PARAM',
    ],
    ['no user', (_, session) => ({ type: 'm.login.password', password, session }), 400, 'M_INVALID_PARAM'],
    [
      "another user's password",
      (_, session) => ({ type: 'm.login.password', user: 'person-0', password: 'new', session }),
      403,
      'M_FORBIDDEN',
    ],
    ['another stage', (_, session) => ({ type: 'm.login.dummy', session }), 401, 'M_UNAUTHORIZED'],
    ['no stage', (_, session) => ({ session }), 401, 'M_UNAUTHORIZED'],
    ['an unknown session', ({ auth }) => auth('nonsense'), 400, 'M_UNKNOWN'],
    ['what is no authentication', () => 'please', 400, 'M_BAD_JSON'],
  ])('refuses %s', async (_, auth, status, errcode) => {
    const person = await newPerson();
    const { session } = (await person.post('/v3/account/password', change)).body;
    const reply = await person.post('/v3/account/password', { ...change, auth: auth(person, session) });
    expect(reply).toMatchObject({ status, body: { errcode } });
  });

  test('is for what was asked, and for who asked', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const { session } = (await person.post('/v3/account/password', change)).body;
    const changed = { status: 403, body: { errcode: 'M_UNKNOWN' } };
    const auth = person.auth(session);
    expect(await person.post('/v3/account/password', { new_password: 'x', auth })).toMatchObject(changed);
    expect(await person.post('/v3/account/deactivate', { auth })).toMatchObject(changed);
    expect(await other.post('/v3/account/password', { ...change, auth: other.auth(session) })).toMatchObject(
      changed,
    );
  });
});

describe('a new password', () => {
  test('ends every session but this one', async () => {
    const person = await newPerson();
    const other = await person.session();
    const reply = await person.post('/v3/account/password', { new_password: 'new', auth: person.auth() });
    expect(reply.status).toBe(200);
    expect((await person.get('/v3/account/whoami')).status).toBe(200);
    expect((await other.get('/v3/account/whoami')).status).toBe(401);
    expect((await logIn({ type: 'm.login.password', user: person.localpart, password })).status).toBe(403);
    const again = { type: 'm.login.password', user: person.localpart, password: 'new' };
    expect((await logIn(again)).status).toBe(200);
  });

  test('ends none where they are to stay', async () => {
    const person = await newPerson();
    const other = await person.session();
    const body = { new_password: 'new', logout_devices: false, auth: person.auth() };
    expect((await person.post('/v3/account/password', body)).status).toBe(200);
    expect((await other.get('/v3/account/whoami')).status).toBe(200);
  });

  test.each<[string, unknown, string]>([
    ['none', {}, 'M_MISSING_PARAM'],
    ['an empty one', { new_password: '' }, 'M_BAD_JSON'],
    ['a number', { new_password: 5 }, 'M_BAD_JSON'],
    ['one that is too long', { new_password: 'x'.repeat(513) }, 'M_BAD_JSON'],
  ])('is not %s', async (_, body, errcode) => {
    const reply = await homeserver.as('alice').post('/_chat/client/v3/account/password', body);
    expect(reply).toMatchObject({ status: 400, body: { errcode } });
  });
});

test('an account is given up with its password', async () => {
  const person = await newPerson();
  expect(await person.post('/v3/account/deactivate')).toMatchObject({ status: 401 });
  expect((await person.post('/v3/account/deactivate', { erase: 'x' })).status).toBe(400);
  const reply = await person.post('/v3/account/deactivate', { erase: true, auth: person.auth() });
  expect(reply).toMatchObject({ status: 200, body: { id_server_unbind_result: 'success' } });
  expect((await person.get('/v3/account/whoami')).status).toBe(401);
  const detail = await homeserver.as('admin').get(`/_service/admin/v2/users/${person.userId}`);
  expect(detail.body).toMatchObject({ deactivated: true, erased: true, displayname: null });
});

describe('devices', () => {
  test('are listed, read, renamed and removed', async () => {
    const person = await newPerson();
    const other = await person.session();
    const { body } = await person.get('/v3/devices');
    expect(body.devices).toHaveLength(2);
    expect(body.devices).toContainEqual({
      user_id: person.userId,
      device_id: person.deviceId,
      display_name: null,
      last_seen_ts: clock.now(),
      last_seen_ip: '127.0.0.1',
    });
    const path = `/v3/devices/${other.deviceId}`;
    expect(await person.put(path, { display_name: 'Phone' })).toMatchObject({ status: 200, body: {} });
    expect((await person.get(path)).body).toMatchObject({ display_name: 'Phone' });

    expect((await person.delete(path)).status).toBe(401);
    expect(await person.delete(path, { auth: person.auth() })).toMatchObject({ status: 200, body: {} });
    expect((await other.get('/v3/account/whoami')).status).toBe(401);
    expect((await person.get(path)).status).toBe(404);
  });

  test('are removed together', async () => {
    const person = await newPerson();
    const [second, third] = [await person.session(), await person.session()];
    const devices = [second.deviceId, third.deviceId, 'nothing'];
    expect((await person.post('/v3/delete_devices', { devices })).status).toBe(401);
    expect((await person.post('/v3/delete_devices', { devices, auth: person.auth() })).status).toBe(200);
    expect((await person.get('/v3/devices')).body.devices).toHaveLength(1);
  });

  test.each<[string, 'get' | 'put' | 'post', string, unknown, number, string]>([
    ['none', 'get', '/v3/devices/none', undefined, 404, 'M_NOT_FOUND'],
    ['none to rename', 'put', '/v3/devices/none', { display_name: 'x' }, 404, 'M_NOT_FOUND'],
    ['none to rename to nothing', 'put', '/v3/devices/none', {}, 404, 'M_NOT_FOUND'],
    ['a name that is no text', 'put', '/v3/devices/none', { display_name: 5 }, 400, 'M_BAD_JSON'],
    ['a long name', 'put', '/v3/devices/none', { display_name: 'x'.repeat(101) }, 400, 'M_TOO_LARGE'],
    ['no list', 'post', '/v3/delete_devices', {}, 400, 'M_MISSING_PARAM'],
    ['a list of numbers', 'post', '/v3/delete_devices', { devices: [5] }, 400, 'M_BAD_JSON'],
  ])('refuse %s', async (_, method, path, body, status, errcode) => {
    const reply = await homeserver.as('alice')[method](`/_matrix/client${path}`, body);
    expect(reply).toMatchObject({ status, body: { errcode } });
  });

  test("are nobody else's", async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    expect((await other.get(`/v3/devices/${person.deviceId}`)).status).toBe(404);
    await other.delete(`/v3/devices/${person.deviceId}`, { auth: other.auth() });
    expect((await person.get('/v3/account/whoami')).status).toBe(200);
  });
});

describe('a token to log in elsewhere', () => {
  test('takes the password, is good once, for two minutes', async () => {
    const person = await newPerson();
    expect((await person.post('/v1/login/get_token')).status).toBe(401);
    const get = async () => (await person.post('/v1/login/get_token', { auth: person.auth() })).body;
    const first = await get();
    expect(first).toEqual({ login_token: expect.any(String), expires_in_ms: 120_000 });
    const redeem = (token: string) => logIn({ type: 'm.login.token', token });
    expect(await redeem(first.login_token)).toMatchObject({ status: 200, body: { user_id: person.userId } });
    expect((await redeem(first.login_token)).status).toBe(403);
    const late = await get();
    clock.advance(120_000);
    expect((await redeem(late.login_token)).status).toBe(403);
  });

  test('is offered in the list of logins and among the capabilities', async () => {
    const { flows } = (await homeserver.as('guest').get('/_chat/client/v3/login')).body;
    expect(flows).toContainEqual({ type: 'm.login.token', get_login_token: true });
    const { capabilities } = (await homeserver.as('alice').get('/_chat/client/v3/capabilities')).body;
    expect(capabilities['m.get_login_token']).toEqual({ enabled: true });
  });

  test('is not there unless it is switched on, and needs no password where that is wanted', async () => {
    const off = await startHomeserver();
    expect(await off.as('alice').post('/_chat/client/v1/login/get_token')).toMatchObject({
      status: 404,
      body: { errcode: 'M_UNRECOGNIZED' },
    });
    await off.remove();
    const easy = await startHomeserver({
      config: { loginViaExistingSession: { requireUiAuth: false, tokenTimeoutMs: 5000 } },
    });
    expect((await easy.as('alice').post('/_chat/client/v1/login/get_token')).body).toEqual({
      login_token: expect.any(String),
      expires_in_ms: 5000,
    });
    await easy.remove();
  });
});
