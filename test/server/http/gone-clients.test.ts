/** Clients that disconnect before their request starts, while their token is being checked. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../server/platform/core/clock.ts';
import { call, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { connectTo } from '../raw-connection.ts';
import { path } from '../rooms/client.ts';

const secret = 'shared-secret';
const scope = 'urn:matrix:client:api:* urn:synapse:admin:*';

/** Heartbeat interval of streams, in milliseconds. */
const heartbeat = 15_000;
const beats = { begun: 0, underway: 0 };
const clock: Clock = {
  ...systemClock,
  after(milliseconds, callback) {
    const isBeat = milliseconds === heartbeat;
    const cancel = systemClock.after(milliseconds, () => {
      if (isBeat) beats.underway--;
      callback();
    });
    if (!isBeat) return cancel;
    beats.begun++;
    beats.underway++;
    return () => {
      beats.underway--;
      cancel();
    };
  },
};

let service: Server;
let homeserver: TestHomeserver;
/** Token lookups waiting for an answer. */
let held: { token: string; answer: () => void }[] = [];

beforeAll(async () => {
  service = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    if (request.method === 'GET') return response.end('{"version":"v1.4.0"}');
    const token = new URLSearchParams(text).get('token') ?? '';
    const answer = () =>
      void response.end(JSON.stringify({ active: true, username: 'alice', scope, device_id: 'PHONE' }));
    if (token.startsWith('held')) held.push({ token, answer });
    else answer();
    return undefined;
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  homeserver = await startHomeserver({ clock, config: { externalAuthentication: { endpoint, secret } } });
});
afterAll(async () => {
  await homeserver.remove();
  service.close();
});

const alice = (method: string, at: string, body?: unknown) =>
  call(homeserver.url, method, at, 'at-once', body);

/** Sends a request, disconnects, and then answers its token lookup. */
async function askAndGo(method: string, at: string): Promise<void> {
  held = [];
  const { write, socket } = await connectTo(homeserver.url);
  await write(
    `${method} ${at} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer held-${at.length}\r\n\r\n`,
  );
  await expect.poll(() => held.length).toBe(1);
  socket.resetAndDestroy();
  // The server handles earlier events first, so it has seen the disconnect.
  await call(homeserver.url, 'GET', '/health');
  for (const { answer } of held) answer();
}

test("a sync doesn't wait", async () => {
  const { next_batch: since } = (await alice('GET', path('sync'))).body;
  await askAndGo('GET', `${path('sync')}?timeout=600000&since=${since}`);
  // The same user's next sync runs after it.
  await alice('GET', path('sync'));
  await expect.poll(() => homeserver.services.waiting.underWay).toBe(0);
});

test("the log isn't shown to anyone", async () => {
  const before = beats.begun;
  await askAndGo('GET', '/_gatehouse/v1/log/stream');
  await expect.poll(() => beats.begun).toBeGreaterThan(before);
  await expect.poll(() => beats.underway).toBe(0);
});
