import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser } from '../../../server/identity/accounts/create-user.ts';
import { createLoginToken } from '../../../server/identity/login/login-tokens.ts';
import { manualClock } from '../../manual-clock.ts';
import { newcomer } from '../accounts/newcomer.ts';
import { call, startHomeserver, type TestHomeserver } from '../homeserver.ts';

const password = 'correct horse';
const clock = manualClock();
let homeserver: TestHomeserver;

beforeAll(async () => {
  homeserver = await startHomeserver({
    clock,
    config: { loginViaExistingSession: { requireUiAuth: true, tokenTimeoutMs: 120_000 } },
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
  ])('accepts %s', async (_, who) => {
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
    ["a type that isn't a string", { type: 7 }, 400, 'M_BAD_JSON'],
    ['a list', [], 400, 'M_BAD_JSON'],
    ['words', 'let me in', 400, 'M_NOT_JSON'],
    ['nothing', '', 400, 'M_NOT_JSON'],
  ])('refuses %s', async (_, body, status, errcode) => {
    expect(await logIn(body)).toMatchObject({ status, body: { errcode, error: expect.any(String) } });
  });

  test('gives the same error for a wrong password and an unknown user', async () => {
    const wrong = await logIn({ type: 'm.login.password', user: 'dora', password: 'wrong' });
    const unknown = await logIn({ type: 'm.login.password', user: 'nobody', password: 'wrong' });
    expect(unknown.body).toEqual(wrong.body);
  });

  test('on an existing device ends its session', async () => {
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

  test('work once', async () => {
    const token = await createLoginToken(homeserver.services, '@alice:localhost');
    expect(await redeem(token)).toMatchObject({ status: 200, body: { user_id: '@alice:localhost' } });
    expect(await redeem(token)).toMatchObject({ status: 403, body: { errcode: 'M_FORBIDDEN' } });
  });

  test('work for two minutes', async () => {
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

describe('a token to log in elsewhere', () => {
  test('needs the password, and works once within two minutes', async () => {
    const person = await newcomer(homeserver, 'elsewhere');
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

  test('is offered in the login flows and the capabilities', async () => {
    const { flows } = (await homeserver.as('guest').get('/_chat/client/v3/login')).body;
    expect(flows).toContainEqual({ type: 'm.login.token', get_login_token: true });
    const { capabilities } = (await homeserver.as('alice').get('/_chat/client/v3/capabilities')).body;
    expect(capabilities['m.get_login_token']).toEqual({ enabled: true });
  });

  test('is off by default, and needs no password if configured', async () => {
    const off = await startHomeserver();
    expect(await off.as('alice').post('/_chat/client/v1/login/get_token')).toMatchObject({
      status: 404,
      body: { errcode: 'M_UNRECOGNIZED' },
    });
    const login = '/_chat/client/v3/login';
    expect((await off.as('guest').get(login)).body.flows).toEqual([
      { type: 'm.login.password' },
      { type: 'm.login.application_service' },
    ]);
    // Admin sign-in links still work.
    const token = await createLoginToken(off.services, '@alice:localhost');
    expect(await off.as('guest').post(login, { type: 'm.login.token', token })).toMatchObject({
      status: 200,
      body: { user_id: '@alice:localhost' },
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
