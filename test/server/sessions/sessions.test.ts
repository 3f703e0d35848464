import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser } from '../../../server/identity/accounts/create-user.ts';
import { call, startHomeserver, type TestHomeserver } from '../homeserver.ts';

const password = 'correct horse';
let homeserver: TestHomeserver;

beforeAll(async () => {
  homeserver = await startHomeserver();
  await createUser(homeserver.services, { localpart: 'dora', password });
});
afterAll(() => homeserver.remove());

const logIn = (body: unknown) => homeserver.as('guest').post('/_chat/client/v3/login', body);
const whoami = (token: string) => call(homeserver.url, 'GET', '/_chat/client/v3/account/whoami', token);

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

  test('survive a restart', async () => {
    const token = await openSession();
    await homeserver.restart();
    expect(await whoami(token)).toMatchObject({ status: 200 });
  });
});
