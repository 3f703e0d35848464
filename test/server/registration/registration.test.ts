import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manualClock } from '../../manual-clock.ts';
import { call, startHomeserver, type TestHomeserver } from '../homeserver.ts';

const secret = 'registration-secret';
const password = 'correct horse';
const clock = manualClock();
let homeserver: TestHomeserver;

beforeAll(async () => {
  homeserver = await startHomeserver({
    clock,
    config: { registration: { enabled: true, requiresToken: false, sharedSecret: secret } },
  });
});
afterAll(() => homeserver.remove());

const logIn = (body: unknown) => homeserver.as('guest').post('/_chat/client/v3/login', body);

describe('registration', () => {
  const register = (body: unknown, query = '') =>
    homeserver.as('guest').post(`/_chat/client/v3/register${query}`, body);
  const auth = { type: 'm.login.dummy' };

  test('lists its stage, then accepts it', async () => {
    const asked = await register({ username: 'frida', password });
    expect(asked).toMatchObject({
      status: 401,
      body: { session: expect.any(String), flows: [{ stages: ['m.login.dummy'] }], params: {} },
    });
    const { session } = asked.body;
    const made = await register({ username: 'frida', password, auth: { ...auth, session } });
    expect(made).toMatchObject({
      status: 200,
      body: { user_id: '@frida:localhost', access_token: expect.any(String) },
    });
    expect(await logIn({ type: 'm.login.password', user: 'frida', password })).toMatchObject({ status: 200 });
  });

  test('keeps earlier parameters of its session', async () => {
    const { body } = await register({
      username: 'Irma',
      password,
      device_id: 'PHONE',
      initial_device_display_name: "Irma's telephone",
    });
    const made = await register({ auth: { ...auth, session: body.session } });
    expect(made).toMatchObject({ status: 200, body: { user_id: '@irma:localhost', device_id: 'PHONE' } });
    const login = await logIn({ type: 'm.login.password', user: 'irma', password, device_id: 'PHONE' });
    const devices = await call(homeserver.url, 'GET', '/_chat/client/v3/devices', login.body.access_token);
    expect(devices.body.devices).toMatchObject([{ device_id: 'PHONE', display_name: "Irma's telephone" }]);
  });

  test('accepts no empty password from an earlier request', async () => {
    const { session } = (await register({ username: 'nobody', password: '' })).body;
    expect(await register({ auth: { ...auth, session } })).toMatchObject({
      status: 400,
      body: { errcode: 'M_MISSING_PARAM' },
    });
  });

  test.each(['jonas', undefined])(
    'answers a repeated last step with the same user (%s)',
    async (username) => {
      const { body } = await register({ username, password });
      const last = { username, password, auth: { ...auth, session: body.session } };
      const [one, other] = await Promise.all([register(last), register(last)]);
      const again = await register({ auth: last.auth });
      for (const reply of [one, other, again]) {
        expect(reply).toMatchObject({ status: 200, body: { user_id: one.body.user_id } });
      }
      const signedIn = await call(
        homeserver.url,
        'GET',
        '/_chat/client/v3/account/whoami',
        again.body.access_token,
      );
      expect(signedIn.body.user_id).toBe(one.body.user_id);
    },
  );

  test.each(['malte', 'nele', 'ole'])(
    'answers repeated last steps, whenever they come (%s)',
    async (username) => {
      const { session } = (await register({ username, password })).body;
      const last = { username, password, auth: { ...auth, session } };
      const replies: ReturnType<typeof register>[] = [];
      let isMade = false;
      const made = register(last).finally(() => {
        isMade = true;
      });
      // Sends requests at each stage of the user's creation.
      while (!isMade && replies.length < 200) {
        replies.push(register(last));
        await call(homeserver.url, 'GET', '/_chat/client/versions');
      }
      for (const reply of await Promise.all([made, ...replies])) {
        expect(reply).toMatchObject({ status: 200, body: { user_id: `@${username}:localhost` } });
      }
    },
  );

  test('creates one user per session', async () => {
    const { session } = (await register({ password })).body;
    const made = await register({ username: 'karla', password, auth: { ...auth, session } });
    const other = await register({ username: 'lars', password, auth: { ...auth, session } });
    expect(made.body.user_id).toBe('@karla:localhost');
    expect(other).toMatchObject({ status: 400, body: { errcode: 'M_UNKNOWN' } });
  });

  test('opens no session with inhibit_login', async () => {
    const { status, body } = await register(
      { username: 'gerd', password, auth, inhibit_login: true },
      '?kind=user',
    );
    expect({ status, body }).toEqual({
      status: 200,
      body: { user_id: '@gerd:localhost', home_server: 'localhost' },
    });
  });

  test.each<[string, unknown, number, string]>([
    ['a name that is taken', { username: 'alice', password, auth }, 400, 'M_USER_IN_USE'],
    ['a taken name in capitals', { username: 'ALICE', password, auth }, 400, 'M_USER_IN_USE'],
    ['a name with a space', { username: 'a b', password, auth }, 400, 'M_INVALID_USERNAME'],
    ['a name of digits', { username: '123', password, auth }, 400, 'M_INVALID_USERNAME'],
    ['a name with a colon', { username: 'a:b', password, auth }, 400, 'M_INVALID_USERNAME'],
    ["a name that isn't a string", { username: 5, password, auth }, 400, 'M_BAD_JSON'],
    ['no password', { username: 'heidi', auth }, 400, 'M_MISSING_PARAM'],
    [
      'an unknown session',
      { username: 'heidi', password, auth: { ...auth, session: 'x' } },
      400,
      'M_UNKNOWN',
    ],
  ])('refuses %s', async (_, body, status, errcode) => {
    expect(await register(body)).toMatchObject({ status, body: { errcode } });
  });

  test('has no guests', async () => {
    expect(await register({}, '?kind=guest')).toMatchObject({ status: 403 });
  });

  test('has no other account kinds', async () => {
    expect(await register({}, '?kind=robot')).toMatchObject({
      ...{ status: 400, body: { errcode: 'M_UNRECOGNIZED' } },
    });
  });

  test('says which names are available', async () => {
    const available = (name: string) =>
      homeserver.as('guest').get(`/_chat/client/v3/register/available?username=${name}`);
    expect(await available('zoe')).toMatchObject({ status: 200, body: { available: true } });
    expect(await available('alice')).toMatchObject({ status: 400, body: { errcode: 'M_USER_IN_USE' } });
  });

  test('is refused when disabled', async () => {
    const closed = await startHomeserver();
    const reply = await closed
      .as('guest')
      .post('/_chat/client/v3/register', { username: 'x', password, auth });
    expect(reply).toMatchObject({ status: 403, body: { errcode: 'M_FORBIDDEN' } });
    await closed.remove();
  });
});

describe('registration with the shared secret', () => {
  const path = '/_service/admin/v1/register';
  const guest = () => homeserver.as('guest');

  const signed = (nonce: string, username: string, admin: boolean, key = secret) => ({
    nonce,
    username,
    password,
    admin,
    mac: createHmac('sha1', key)
      .update([nonce, username, password, admin ? 'admin' : 'notadmin'].join('\0'))
      .digest('hex'),
  });
  const nonce = async () => (await guest().get(path)).body.nonce as string;

  test.each([
    [true, 200],
    [false, 403],
  ])('creates a user whose admin flag is %s', async (admin, status) => {
    const reply = await guest().post(path, signed(await nonce(), `made-${admin}`, admin));
    expect(reply).toMatchObject({ status: 200, body: { user_id: `@made-${admin}:localhost` } });
    const reports = await call(
      homeserver.url,
      'GET',
      '/_service/admin/v1/event_reports',
      reply.body.access_token,
    );
    expect(reports.status).toBe(status);
  });

  test('accepts each nonce once, for a short time', async () => {
    const once = await nonce();
    expect((await guest().post(path, signed(once, 'first', false))).status).toBe(200);
    expect(await guest().post(path, signed(once, 'second', false))).toMatchObject({ status: 400 });
    const late = await nonce();
    clock.advance(60_000);
    expect(await guest().post(path, signed(late, 'third', false))).toMatchObject({ status: 400 });
  });

  test.each<[string, (nonce: string) => unknown, number, string]>([
    ['a wrong key', (nonce) => signed(nonce, 'eve', true, 'guess'), 403, 'M_UNKNOWN'],
    [
      'a flag that was not signed',
      (nonce) => ({ ...signed(nonce, 'eve', false), admin: true }),
      403,
      'M_UNKNOWN',
    ],
    ['a mac of another length', (nonce) => ({ ...signed(nonce, 'eve', true), mac: 'ab' }), 403, 'M_UNKNOWN'],
    ['an unknown nonce', () => signed('x', 'eve', true), 400, 'M_UNKNOWN'],
    ['no mac', (nonce) => ({ ...signed(nonce, 'eve', true), mac: undefined }), 400, 'M_MISSING_PARAM'],
    ['a taken name', (nonce) => signed(nonce, 'alice', true), 400, 'M_USER_IN_USE'],
  ])('refuses %s', async (_, body, status, errcode) => {
    expect(await guest().post(path, body(await nonce()))).toMatchObject({ status, body: { errcode } });
  });

  test('is refused without a configured secret', async () => {
    const closed = await startHomeserver();
    expect(await closed.as('guest').get(path)).toMatchObject({ status: 400, body: { errcode: 'M_UNKNOWN' } });
    await closed.remove();
  });
});

describe('availability of a name, for admins', () => {
  test.each([
    ['anonymously', 'guest', '?username=zoe', 401, { errcode: 'M_MISSING_TOKEN' }],
    ['by a user', 'alice', '?username=zoe', 403, { errcode: 'M_FORBIDDEN' }],
    ['free', 'admin', '?username=zoe', 200, { available: true }],
    ['taken', 'admin', '?username=alice', 400, { errcode: 'M_USER_IN_USE' }],
    ['impossible', 'admin', '?username=Zo%C3%AB', 400, { errcode: 'M_INVALID_USERNAME' }],
    ['left out', 'admin', '', 400, { errcode: 'M_MISSING_PARAM' }],
  ])('%s', async (_, caller, query, code, body) => {
    const reply = await homeserver.as(caller).get(`/_service/admin/v1/username_available${query}`);
    expect(reply).toMatchObject({ status: code, body });
  });
});
