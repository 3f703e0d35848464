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

  test('as other users end when their admin signs out everywhere, and not when the user does', async () => {
    const login = { type: 'm.login.password', user: 'chief', password };
    await createUser(homeserver.services, { localpart: 'chief', password, admin: true });
    const own = (await logIn(login)).body.access_token as string;
    const actAs = async (localpart: string, token: string) => {
      const path = `/_service/admin/v1/users/@${localpart}:localhost/login`;
      return (await call(homeserver.url, 'POST', path, token, {})).body.access_token as string;
    };
    const signOut = async (token: string) =>
      expect((await call(homeserver.url, 'POST', '/_chat/client/v3/logout/all', token)).status).toBe(200);
    const asDora = await actAs('dora', own);
    const asChief = await actAs('chief', homeserver.as('admin').accessToken ?? '');
    const statuses = () =>
      Promise.all([own, asDora, asChief].map(async (token) => (await whoami(token)).status));
    await signOut(await openSession());
    expect(await statuses()).toEqual([200, 200, 200]);
    // An admin who acts as the user ends the user's sessions, but none that the user has as others.
    await signOut(asChief);
    expect(await statuses()).toEqual([401, 200, 200]);
    await signOut((await logIn(login)).body.access_token);
    expect(await statuses()).toEqual([401, 401, 200]);
  });

  test('survive a restart', async () => {
    const token = await openSession();
    await homeserver.restart();
    expect(await whoami(token)).toMatchObject({ status: 200 });
  });
});
