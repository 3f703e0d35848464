/** Admins' access as other users, which ends with their admin rights. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manualClock } from '../../manual-clock.ts';
import { call, startHomeserver, type TestHomeserver } from '../homeserver.ts';

const clock = manualClock();
let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver({
    clock,
    config: { loginViaExistingSession: { requireUiAuth: false, tokenTimeoutMs: 120_000 } },
  });
});
afterAll(() => homeserver.remove());

const users = '/_service/admin/v2/users';
const put = async (localpart: string, body: object) => {
  const reply = await homeserver.as('admin').put(`${users}/@${localpart}:localhost`, body);
  expect(reply.status).toBeLessThan(300);
};
const post = (path: string, token: string | undefined, body: object) =>
  call(homeserver.url, 'POST', path, token, body);
const logInAs = async (localpart: string, token: string): Promise<string> =>
  (await post(`/_service/admin/v1/users/@${localpart}:localhost/login`, token, {})).body.access_token;
const whoAmI = (token: string) => call(homeserver.url, 'GET', '/_chat/client/v3/account/whoami', token);
const statusOf = async (token: string) => (await whoAmI(token)).status;

describe.each([
  ['vendor', '/_service/admin'],
  ['matrix', '/_synapse/admin'],
])('in the %s dialect', (_, at) => {
  const nobody = '@nobody:localhost';
  test.each<[string, string, string, unknown, number, string]>([
    ['a token for an unknown user', 'admin', `/v1/users/${nobody}/login`, {}, 404, 'M_NOT_FOUND'],
    ['a token for oneself', 'admin', '/v1/users/@admin:localhost/login', {}, 400, 'M_UNKNOWN'],
    ['an end as text', 'admin', '/v1/users/@bob:localhost/login', { valid_until_ms: 'x' }, 400, 'M_BAD_JSON'],
  ])('refuses %s', async (_, caller, path, body, status, errcode) => {
    const reply = await homeserver.as(caller).post(at + path, body);
    expect(reply).toMatchObject({ status, body: { errcode, error: expect.any(String) } });
  });
});

describe('logging in as a user', () => {
  const logInAsBob = async (body?: unknown) =>
    (await homeserver.as('admin').post(`/_service/admin/v1/users/@bob:localhost/login`, body)).body
      .access_token as string;

  test("has no device, and the user can't end it", async () => {
    const token = await logInAsBob();
    expect((await whoAmI(token)).body).toEqual({ user_id: '@bob:localhost', is_guest: false });
    const { devices } = (await homeserver.as('bob').get('/_chat/client/v3/devices')).body;
    expect(devices).toHaveLength(1);
    await call(homeserver.url, 'POST', '/_chat/client/v3/logout/all', token);
    expect(await statusOf(token)).toBe(200);
    expect((await homeserver.as('bob').get('/_chat/client/v3/account/whoami')).status).toBe(401);
    await call(homeserver.url, 'POST', '/_chat/client/v3/logout', token);
    expect(await statusOf(token)).toBe(401);
  });

  test("doesn't count as a connection of the user", async () => {
    await put('unseen', {});
    const token = await logInAs('unseen', homeserver.as('admin').accessToken ?? '');
    expect(await statusOf(token)).toBe(200);
    const { body } = await homeserver.as('admin').get('/_service/admin/v1/whois/@unseen:localhost');
    expect(body.devices[''].sessions).toEqual([{ connections: [] }]);
  });

  test('ends at its expiry', async () => {
    const token = await logInAsBob({ valid_until_ms: clock.now() + 1000 });
    clock.advance(999);
    expect(await statusOf(token)).toBe(200);
    clock.advance(1);
    expect(await whoAmI(token)).toMatchObject({
      status: 401,
      body: { errcode: 'M_UNKNOWN_TOKEN', soft_logout: true },
    });
  });
});

describe.each<[string, (localpart: string) => Promise<void>]>([
  ['locked', (localpart) => put(localpart, { locked: true })],
  ['demoted', (localpart) => put(localpart, { admin: false })],
  ['deactivated', (localpart) => put(localpart, { deactivated: true })],
  ['given a new password', (localpart) => put(localpart, { password: 'other' })],
  [
    'given a new password by the endpoint for it',
    async (localpart) => {
      const path = `/_service/admin/v1/reset_password/@${localpart}:localhost`;
      expect((await homeserver.as('admin').post(path, { new_password: 'other' })).status).toBe(200);
    },
  ],
])('an admin who is %s', (change, carryOut) => {
  const chief = `chief-${change.replaceAll(' ', '-')}`;

  test('loses sessions as other users, also those through another admin', async () => {
    await put(chief, { admin: true, password: 'chief' });
    await put(`${chief}-2`, { admin: true });
    const login = { type: 'm.login.password', user: chief, password: 'chief' };
    const own = (await post('/_chat/client/v3/login', undefined, login)).body.access_token;
    const second = await logInAs(`${chief}-2`, own);
    const third = await logInAs('bob', second);
    expect([await statusOf(second), await statusOf(third)]).toEqual([200, 200]);

    await carryOut(chief);
    expect([await statusOf(second), await statusOf(third)]).toEqual([401, 401]);
  });
});

test('a session as another user gets no login token, which would open a regular session', async () => {
  const { accessToken = '' } = homeserver.as('admin');
  const token = await logInAs('carol', accessToken);
  expect(await post('/_chat/client/v1/login/get_token', token, {})).toMatchObject({
    status: 403,
    body: { errcode: 'M_FORBIDDEN', error: "Can't create login tokens while logged in as another user" },
  });
});

test('a new password ends pending login tokens', async () => {
  await put('erin', { password: 'erin' });
  const login = { type: 'm.login.password', user: 'erin', password: 'erin' };
  const { access_token: own } = (await post('/_chat/client/v3/login', undefined, login)).body;
  const { login_token: token } = (await post('/_chat/client/v1/login/get_token', own, {})).body;
  await put('erin', { password: 'other' });
  expect(await post('/_chat/client/v3/login', undefined, { type: 'm.login.token', token })).toMatchObject({
    status: 403,
    body: { errcode: 'M_FORBIDDEN' },
  });
});
