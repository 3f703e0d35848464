/** What an administrator has as other users ends with what the administrator is. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, startHomeserver, type TestHomeserver } from '../homeserver.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver({
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
const statusOf = async (token: string) =>
  (await call(homeserver.url, 'GET', '/_chat/client/v3/account/whoami', token)).status;

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
])('an administrator who is %s', (change, carryOut) => {
  const chief = `chief-${change.replaceAll(' ', '-')}`;

  test('acts as nobody any more, nor through another administrator', async () => {
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

test('a new password ends login tokens that wait', async () => {
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
