/** What clients find out about the server's surroundings: relays for calls, its address, addresses of people. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { path } from '../rooms/client.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver({
    config: {
      turn: {
        uris: ['turn:turn.example.org'],
        lifetimeMs: 3_600_000,
        sharedSecret: 'secret',
        allowsGuests: false,
      },
      allowsGuests: true,
      registration: { enabled: true, requiresToken: false, sharedSecret: undefined },
      wellKnownClient: { 'm.homeserver': { base_url: 'https://chat.example.org/' } },
    },
  });
});
afterAll(() => homeserver.remove());

test('relays are told with a password that is good for a while', async () => {
  const { status, body } = await homeserver.as('alice').get(path('voip', 'turnServer'));
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { uris: ['turn:turn.example.org'], ttl: 3600 },
  });
  const [until, userId] = body.username.split(/:(.*)/s);
  expect(userId).toBe('@alice:localhost');
  expect(Number(until) - Date.now() / 1000).toBeGreaterThan(3500);
  expect(body.password).toMatch(/^[\w+/]{27}=$/);
  expect((await homeserver.as('guest').get(path('voip', 'turnServer'))).status).toBe(401);
});

test('guests are told of no relay where they may not use it', async () => {
  const { body } = await homeserver.as('guest').post(`${path('register')}?kind=guest`, {});
  expect(await call(homeserver.url, 'GET', path('voip', 'turnServer'), body.access_token)).toMatchObject({
    ...{ status: 403, body: { errcode: 'M_GUEST_ACCESS_FORBIDDEN' } },
  });
});

test('the address is told by the name of the server', async () => {
  expect(await homeserver.as('guest').get('/.well-known/matrix/client')).toMatchObject({
    ...{ status: 200, body: { 'm.homeserver': { base_url: 'https://chat.example.org/' } } },
  });
});

test.each([
  ['/account/3pid', 'alice', 'M_THREEPID_AUTH_FAILED', 400],
  ['/account/3pid/add', 'alice', 'M_THREEPID_AUTH_FAILED', 400],
  ['/account/3pid/bind', 'alice', 'M_UNKNOWN', 400],
  ['/account/3pid/delete', 'alice', 'M_FORBIDDEN', 403],
  ['/account/3pid/email/requestToken', 'guest', 'M_THREEPID_MEDIUM_NOT_SUPPORTED', 400],
  ['/account/password/email/requestToken', 'guest', 'M_UNKNOWN', 400],
  ['/register/msisdn/requestToken', 'guest', 'M_UNKNOWN', 400],
])('an address can’t be given to %s', async (at, who, errcode, status) => {
  expect(await homeserver.as(who).post(`/_chat/client/v3${at}`, {})).toMatchObject({
    status,
    body: { errcode },
  });
});

test('addresses are listed, and nothing is bound anywhere', async () => {
  expect((await homeserver.as('alice').get(path('account', '3pid'))).body).toEqual({ threepids: [] });
  expect((await homeserver.as('alice').post(path('account', '3pid', 'unbind'), {})).body).toEqual({
    id_server_unbind_result: 'no-support',
  });
});
