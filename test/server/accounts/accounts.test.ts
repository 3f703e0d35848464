import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser } from '../../../server/accounts/create-user.ts';
import { createLoginToken } from '../../../server/accounts/login-tokens.ts';
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
  await createUser(homeserver.services, { localpart: 'dora', password });
});
afterAll(() => homeserver.remove());

const logIn = (body: unknown) => homeserver.as('guest').post('/_chat/client/v3/login', body);
const whoami = (token: string) => call(homeserver.url, 'GET', '/_chat/client/v3/account/whoami', token);

describe('password login', () => {
  test.each([
    ['by identifier', { identifier: { type: 'm.id.user', user: 'dora' } }],
    ['by whole identifier', { identifier: { type: 'm.id.user', user: '@dora:localhost' } }],
    ['whatever the case', { identifier: { type: 'm.id.user', user: 'Dora' } }],
    ['in the older form', { user: 'dora' }],
  ])('lets in %s', async (_, who) => {
    const reply = await logIn({ type: 'm.login.password', password, ...who });
    expect(reply).toMatchObject({
      status: 200,
      body: {
        user_id: '@dora:localhost',
        home_server: 'localhost',
        device_id: expect.stringMatching(/^[A-Z]{10}$/),
      },
    });
    expect(await whoami(reply.body.access_token)).toMatchObject({
      status: 200,
      body: { user_id: '@dora:localhost', device_id: reply.body.device_id, is_guest: false },
    });
  });

  test.each<[string, unknown, number, string]>([
    ['a wrong password', { type: 'm.login.password', user: 'dora', password: 'wrong' }, 403, 'M_FORBIDDEN'],
    ['an unknown user', { type: 'm.login.password', user: 'nobody', password }, 403, 'M_FORBIDDEN'],
    [
      'a user of another server',
      { type: 'm.login.password', user: '@dora:elsewhere', password },
      403,
      'M_FORBIDDEN',
    ],
    [
      'a user without a password',
      { type: 'm.login.password', user: 'alice', password: '' },
      403,
      'M_FORBIDDEN',
    ],
    ['no password', { type: 'm.login.password', user: 'dora' }, 400, 'M_MISSING_PARAM'],
    ['no user', { type: 'm.login.password', password }, 400, 'M_MISSING_PARAM'],
    [
      'an email address',
      { type: 'm.login.password', identifier: { type: 'm.id.thirdparty' }, password },
      400,
      'M_INVALID_PARAM',
    ],
    ['an unknown type', { type: 'm.login.magic' }, 400, 'M_INVALID_PARAM'],
    ['JWT where it is off', { type: 'org.vendor.login.jwt', token: 'x' }, 400, 'M_INVALID_PARAM'],
    ['no type', {}, 400, 'M_MISSING_PARAM'],
    ['a type that is no string', { type: 7 }, 400, 'M_BAD_JSON'],
    ['a list', [], 400, 'M_BAD_JSON'],
    ['words', 'let me in', 400, 'M_NOT_JSON'],
    ['nothing', '', 400, 'M_NOT_JSON'],
  ])('refuses %s', async (_, body, status, errcode) => {
    expect(await logIn(body)).toMatchObject({ status, body: { errcode, error: expect.any(String) } });
  });

  test('says the same of a wrong password and of an unknown user', async () => {
    const wrong = await logIn({ type: 'm.login.password', user: 'dora', password: 'wrong' });
    const unknown = await logIn({ type: 'm.login.password', user: 'nobody', password: 'wrong' });
    expect(unknown.body).toEqual(wrong.body);
  });

  test('a login on a device ends the session that it had', async () => {
    const body = { type: 'm.login.password', user: 'dora', password, device_id: 'KITCHEN' };
    const first = await logIn(body);
    const second = await logIn(body);
    expect(await whoami(first.body.access_token)).toMatchObject({
      status: 401,
      body: { errcode: 'M_UNKNOWN_TOKEN' },
    });
    expect(await whoami(second.body.access_token)).toMatchObject({
      status: 200,
      body: { device_id: 'KITCHEN' },
    });
  });
});

describe('login tokens', () => {
  const redeem = (token: string) => logIn({ type: 'm.login.token', token });

  test('are good once', async () => {
    const token = await createLoginToken(homeserver.services, '@alice:localhost');
    expect(await redeem(token)).toMatchObject({ status: 200, body: { user_id: '@alice:localhost' } });
    expect(await redeem(token)).toMatchObject({ status: 403, body: { errcode: 'M_FORBIDDEN' } });
  });

  test('are good for two minutes', async () => {
    const [early, late] = await Promise.all([
      createLoginToken(homeserver.services, '@alice:localhost'),
      createLoginToken(homeserver.services, '@alice:localhost'),
    ]);
    clock.advance(119_999);
    expect(await redeem(early)).toMatchObject({ status: 200 });
    clock.advance(1);
    expect(await redeem(late)).toMatchObject({ status: 403, body: { errcode: 'M_FORBIDDEN' } });
  });
});

describe('sessions', () => {
  const openSession = async () =>
    (await logIn({ type: 'm.login.password', user: 'dora', password })).body.access_token as string;

  test('logout ends one, logout/all every one', async () => {
    const [first, second, third] = [await openSession(), await openSession(), await openSession()];
    expect(await call(homeserver.url, 'POST', '/_chat/client/v3/logout', first)).toMatchObject({
      status: 200,
      body: {},
    });
    expect((await whoami(first)).status).toBe(401);
    expect((await whoami(second)).status).toBe(200);
    expect((await call(homeserver.url, 'POST', '/_chat/client/v3/logout/all', second)).status).toBe(200);
    expect((await whoami(second)).status).toBe(401);
    expect((await whoami(third)).status).toBe(401);
  });

  test('outlive a restart', async () => {
    const token = await openSession();
    await homeserver.restart();
    expect(await whoami(token)).toMatchObject({ status: 200 });
  });
});

describe('registration', () => {
  const register = (body: unknown, query = '') =>
    homeserver.as('guest').post(`/_chat/client/v3/register${query}`, body);
  const auth = { type: 'm.login.dummy' };

  test('lists its stage, then takes it', async () => {
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

  test('opens no session where that is not wanted', async () => {
    const { status, body } = await register({ username: 'gerd', password, auth, inhibit_login: true });
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
    ['a name that is no string', { username: 5, password, auth }, 400, 'M_BAD_JSON'],
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

  test('says which names are free', async () => {
    const available = (name: string) =>
      homeserver.as('guest').get(`/_chat/client/v3/register/available?username=${name}`);
    expect(await available('zoe')).toMatchObject({ status: 200, body: { available: true } });
    expect(await available('alice')).toMatchObject({ status: 400, body: { errcode: 'M_USER_IN_USE' } });
  });

  test('is refused where it is off', async () => {
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
  ])('makes a user whose administrator flag is %s', async (admin, status) => {
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

  test('takes each nonce once, and not for long', async () => {
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

  test('is refused where no secret is configured', async () => {
    const closed = await startHomeserver();
    expect(await closed.as('guest').get(path)).toMatchObject({ status: 400, body: { errcode: 'M_UNKNOWN' } });
    await closed.remove();
  });
});
