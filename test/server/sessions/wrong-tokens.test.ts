/** Repeated wrong tokens cause a bounded number of lookups. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { manualClock } from '../../manual-clock.ts';
import { call, localListener, startHomeserver, type TestHomeserver, unlimited } from '../homeserver.ts';

const listeners = [{ ...localListener, trustsProxy: true }];
const most = 150;
const rateLimits = { ...unlimited, wrongTokens: { perSecond: 10, burstCount: most } };

let asked = 0;
const service: Server = createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  if (!request.url?.endsWith('/introspect')) return response.end('{"version": "1.4.0"}');
  asked++;
  const token = new URLSearchParams(text).get('token') ?? '';
  const good = { active: true, username: 'dora', scope: 'urn:matrix:client:api:*' };
  return response.end(JSON.stringify(token.startsWith('good') ? good : { active: false }));
});
beforeAll(() => new Promise<void>((done) => service.listen(0, '127.0.0.1', done)));
afterAll(() => new Promise((done) => service.close(done)));

const whoami = (homeserver: TestHomeserver, token: string, address = '203.0.113.1') =>
  fetch(`${homeserver.url}/_chat/client/v3/account/whoami`, {
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': address },
  }).then(async (response) => {
    await response.arrayBuffer();
    return response.status;
  });

/** Sends made-up tokens with some concurrency. Returns the number of replies by status. */
async function flood(homeserver: TestHomeserver, count: number): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  for (let sent = 0; sent < count; sent += 50) {
    const replies = Array.from({ length: 50 }, (_, index) => whoami(homeserver, `made-up-${sent + index}`));
    for (const status of await Promise.all(replies)) statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
}

test('of the external authentication service', async () => {
  const endpoint = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const clock = manualClock();
  const homeserver = await startHomeserver({
    clock,
    config: { listeners, rateLimits, externalAuthentication: { endpoint, secret: 'secret' } },
  });
  expect(await whoami(homeserver, 'good')).toBe(200);
  const before = asked;
  expect(await flood(homeserver, most + 50)).toEqual({ 401: most, 429: 50 });
  expect(asked - before).toBe(most);
  // Known tokens and clients on other networks still work.
  expect(await whoami(homeserver, 'good')).toBe(200);
  expect(await whoami(homeserver, 'good-too', '198.51.100.7')).toBe(200);
  expect(await whoami(homeserver, 'good-at-last')).toBe(429);
  clock.advance(1_000);
  expect(await whoami(homeserver, 'good-at-last')).toBe(200);
  await homeserver.remove();
});

test('of the database', async () => {
  const clock = manualClock();
  const homeserver = await startHomeserver({ clock, config: { listeners, rateLimits } });
  const { accessToken: alice = '' } = homeserver.as('alice');
  const { accessToken: bob = '' } = homeserver.as('bob');
  expect(await whoami(homeserver, alice)).toBe(200);
  expect(await flood(homeserver, most + 50)).toEqual({ 401: most, 429: 50 });
  expect(await whoami(homeserver, alice)).toBe(200);
  expect(await whoami(homeserver, bob)).toBe(429);
  expect(await whoami(homeserver, bob, '198.51.100.7')).toBe(200);
  const reply = await call(homeserver.url, 'GET', '/_chat/client/v3/account/whoami', 'from this machine');
  expect(reply.status).toBe(401);
  await homeserver.remove();
});
