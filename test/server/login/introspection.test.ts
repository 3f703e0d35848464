/** Token introspection by a busy or broken authentication service. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { manualClock } from '../../manual-clock.ts';
import { isMatrix } from '../../matrix.ts';
import { call, localListener, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeRoom } from '../rooms/client.ts';

const clock = manualClock();
const api = 'urn:matrix:client:api:*';
const admin = 'urn:synapse:admin:*';

/** The service's tokens. Unknown ones are inactive. */
const tokens = new Map<string, object>();
let asked: string[] = [];
/** While set, collects requests without answering; each entry answers one. */
let held: (() => void)[] | undefined;
let answerWith: ((response: ServerResponse) => void) | undefined;

const service: Server = createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  if (!request.url?.endsWith('/introspect')) return response.end('{"version": "1.4.0"}');
  const token = new URLSearchParams(text).get('token') ?? '';
  asked.push(token);
  if (held) await new Promise<void>((resume) => held?.push(resume));
  if (answerWith) return answerWith(response);
  return response.end(JSON.stringify(tokens.get(token) ?? { active: false }));
});

let homeserver: TestHomeserver;
beforeAll(async () => {
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done));
  const endpoint = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  homeserver = await startHomeserver({
    clock,
    config: {
      listeners: [{ ...localListener, trustsProxy: true }],
      externalAuthentication: { endpoint, secret: 'secret' },
      roomDirectory: { isOpen: false, aliasesByMembers: true, aliasCreationRules: [], publicationRules: [] },
    },
  });
});
afterAll(async () => {
  await homeserver.remove();
  await new Promise((done) => service.close(done));
});
afterEach(() => {
  held = undefined;
  answerWith = undefined;
  asked = [];
});

const whoami = (token: string) => call(homeserver.url, 'GET', '/_chat/client/v3/account/whoami', token);
const twentyTimes = <Result>(act: () => Promise<Result>) => Promise.all(Array.from({ length: 20 }, act));

/** Starts requests while the service withholds its answers. Releases them after it has received one. */
async function whileHeld<Result>(begin: () => Promise<Result>): Promise<Result> {
  // Opens connections first, so that all requests are sent at once.
  const versions = () => call(homeserver.url, 'GET', '/_chat/client/versions');
  await twentyTimes(versions);
  held = [];
  const result = begin();
  await expect.poll(() => held?.length).toBeGreaterThan(0);
  // These later lookups have finished, so all other requests that would ask have asked.
  await twentyTimes(() => call(homeserver.url, 'GET', '/_chat/client/v3/profile/@nobody:localhost'));
  const waiting = held;
  held = undefined;
  for (const resume of waiting) resume();
  return result;
}

test('is requested once for a token in many concurrent requests', async () => {
  tokens.set('popular', { active: true, username: 'dora', scope: api });
  const replies = await whileHeld(() => twentyTimes(() => whoami('popular')));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  expect(asked).toEqual(['popular']);
});

test('is requested once for an invalid token in many concurrent requests', async () => {
  const replies = await whileHeld(() => twentyTimes(() => whoami('bad')));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]));
  expect(asked).toEqual(['bad']);
});

test("isn't repeated for some seconds for a token refused again and again", async () => {
  for (let count = 0; count < 10; count++) expect((await whoami('revoked')).status).toBe(401);
  expect(asked.length).toBeLessThanOrEqual(2);
  const before = asked.length;
  tokens.set('revoked', { active: true, username: 'dora', scope: api });
  clock.advance(5_000);
  expect((await whoami('revoked')).status).toBe(200);
  expect(asked.length).toBe(before + 1);
});

test('runs for a limited number of tokens at once', async () => {
  const many = Array.from({ length: 60 }, (_, number) => `token-${number}`);
  for (const token of many) tokens.set(token, { active: true, username: 'dora', scope: api });
  held = [];
  const replies = Promise.all(many.map(whoami));
  await expect.poll(() => held?.length).toBeGreaterThanOrEqual(20);
  await call(homeserver.url, 'GET', '/_chat/client/versions');
  expect(asked.length).toBeLessThanOrEqual(20);
  const waiting = held;
  held = undefined;
  for (const resume of waiting) resume();
  expect(new Set((await replies).map(({ status }) => status))).toEqual(new Set([200]));
});

test.runIf(isMatrix)('flooded from one network still serves others', async () => {
  tokens.set('elsewhere', { active: true, username: 'dora', scope: api });
  const from = async (address: string, token: string) => {
    const response = await fetch(`${homeserver.url}/_chat/client/v3/account/whoami`, {
      headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': address },
    });
    await response.arrayBuffer();
    return response.status;
  };
  held = [];
  // Twenty tokens are being checked and a thousand wait; further ones are refused at once.
  let refused = 0;
  const flood = Array.from({ length: 1_021 }, async (_, number) => {
    if ((await from('203.0.113.1', `made-up-${number}`)) === 503) refused++;
  });
  await expect.poll(() => refused, { timeout: 9_000 }).toBe(1);
  const answer = from('198.51.100.7', 'elsewhere');
  // It displaces a request of the flood.
  await expect.poll(() => refused, { timeout: 5_000 }).toBe(2);
  // It gets one of the next two free slots.
  for (const resume of held.splice(0, 2)) resume();
  await expect.poll(() => asked.length, { timeout: 5_000 }).toBe(22);
  expect(asked.slice(20)).toContain('elsewhere');
  const waiting = held;
  held = undefined;
  for (const resume of waiting) resume();
  expect(await answer).toBe(200);
  await Promise.all(flood);
});

test.each<[string, (response: ServerResponse) => void]>([
  ['fails', (response) => response.writeHead(502).end('<html>')],
  ['hangs up', (response) => response.destroy()],
  ['redirects', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
  ['talks nonsense', (response) => response.end('active')],
  ['has an empty reply', (response) => response.end()],
  ['never stops talking', (response) => response.end(`{"active": false, "x": "${'x'.repeat(2_000_000)}"}`)],
])('that %s is a 503 with Retry-After', async (how, answer) => {
  answerWith = answer;
  const token = how.replaceAll(' ', '-');
  const reply = await whoami(token);
  expect(reply).toMatchObject({
    status: 503,
    body: { errcode: 'M_UNKNOWN', error: expect.stringMatching(/authentication service/) },
  });
  expect(reply.headers.get('retry-after')).toBe('1');
  answerWith = undefined;
  tokens.set(token, { active: true, username: 'dora', scope: api });
  expect((await whoami(token)).status).toBe(200);
});

test.runIf(isMatrix)(
  "that doesn't respond within ten seconds is a 503 and delays no other token",
  async () => {
    tokens.set('known', { active: true, username: 'dora', scope: api });
    await whoami('known');
    held = [];
    const waiting = twentyTimes(() => whoami('hanging'));
    await expect.poll(() => held?.length).toBe(1);
    expect((await whoami('known')).status).toBe(200);
    const replies = await waiting;
    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 503, body: { errcode: 'M_UNKNOWN' } });
    }
    for (const resume of held) resume();
  },
);

test('makes admins by scope, with permission to publish rooms', async () => {
  tokens.set('root', { active: true, username: 'root', scope: `${api} ${admin}` });
  tokens.set('user', { active: true, username: 'user', scope: api });
  const as = (token: string) => ({
    ...homeserver.as('guest'),
    post: (path: string, body?: unknown) => call(homeserver.url, 'POST', path, token, body),
    put: (path: string, body?: unknown) => call(homeserver.url, 'PUT', path, token, body),
  });
  const publish = async (token: string) => {
    const roomId = await makeRoom(as(token));
    const path = `/_chat/client/v3/directory/list/room/${encodeURIComponent(roomId)}`;
    return (await as(token).put(path, { visibility: 'public' })).status;
  };
  expect(await publish('user')).toBe(403);
  expect(await publish('root')).toBe(200);
  // Creating a room also publishes it, with the same permission.
  const visibility = async (token: string) => {
    const roomId = await makeRoom(as(token), { visibility: 'public' });
    const path = `/_chat/client/v3/directory/list/room/${encodeURIComponent(roomId)}`;
    return (await call(homeserver.url, 'GET', path, token)).body.visibility;
  };
  expect(await visibility('user')).toBe('private');
  expect(await visibility('root')).toBe('public');
});
