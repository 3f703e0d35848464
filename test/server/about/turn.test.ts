/** The server's discovery of its surroundings by clients: TURN servers and its own address. */
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

test('relays come with a temporary password', async () => {
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

test('guests get no relay unless allowed', async () => {
  const { body } = await homeserver.as('guest').post(`${path('register')}?kind=guest`, {});
  expect(await call(homeserver.url, 'GET', path('voip', 'turnServer'), body.access_token)).toMatchObject({
    ...{ status: 403, body: { errcode: 'M_GUEST_ACCESS_FORBIDDEN' } },
  });
});

test('the address is returned by server name', async () => {
  expect(await homeserver.as('guest').get('/.well-known/matrix/client')).toMatchObject({
    ...{ status: 200, body: { 'm.homeserver': { base_url: 'https://chat.example.org/' } } },
  });
});
