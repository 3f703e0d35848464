import { type IncomingHttpHeaders, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { connectTo } from '../raw-connection.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

describe.each([
  ['vendor', '/_service', '/_chat'],
  ['matrix', '/_synapse', '/_matrix'],
])('in the %s dialect', (_, administration, chat) => {
  test.each<[string, string, string, string, number, unknown]>([
    [
      'login under v3',
      'guest',
      'GET',
      `${chat}/client/v3/login`,
      200,
      { flows: expect.arrayContaining([{ type: 'm.login.password' }]) },
    ],
    ['login under r0', 'guest', 'GET', `${chat}/client/r0/login`, 200, {}],
    ['login under v1', 'guest', 'GET', `${chat}/client/v1/login`, 404, { errcode: 'M_UNRECOGNIZED' }],
    [
      'whoami without a token',
      'guest',
      'GET',
      `${chat}/client/v3/account/whoami`,
      401,
      { errcode: 'M_MISSING_TOKEN' },
    ],
    [
      'an unknown path',
      'admin',
      'GET',
      `${administration}/admin/v1/nope`,
      404,
      { errcode: 'M_UNRECOGNIZED' },
    ],
    [
      'a wrong method',
      'guest',
      'DELETE',
      `${administration}/admin/v1/event_reports`,
      405,
      { errcode: 'M_UNRECOGNIZED' },
    ],
    [
      'a wrong method on a path with a parameter',
      'guest',
      'PUT',
      `${administration}/admin/v1/event_reports/1`,
      405,
      { errcode: 'M_UNRECOGNIZED' },
    ],
  ])('%s', async (_, caller, method, path, status, body) => {
    const { accessToken } = homeserver.as(caller);
    expect(await call(homeserver.url, method, path, accessToken)).toMatchObject({ status, body });
  });
});

test.each(['/_chat/client/r0', '/_chat/client/v3', '/_matrix/client/r0', '/_matrix/client/v3'])(
  'values are complete under %s',
  async (client) => {
    const by = (method: string, path: string) =>
      call(homeserver.url, method, path, undefined, undefined, { translated: false });
    expect(await by('GET', `${client}/login?x=/_chat/client/r0/`)).toMatchObject({ status: 200 });
    const wrong = await by('DELETE', `${client}/login`);
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get('allow')).toBe('GET, POST');
    expect(await by('GET', `${client}/logins`)).toMatchObject({ status: 404 });
    // Clients that take the server for a proxy send the full URL.
    const [status] = await new Promise<[number?]>((resolve, reject) => {
      const sent = request(homeserver.url, { path: `${homeserver.url}${client}/login` });
      sent.once('response', (response) => resolve([response.resume().statusCode]));
      sent.once('error', reject).end();
    });
    expect(status).toBe(200);
  },
);

test.each([
  ['an object', 'guest', '/_chat/client/versions'],
  ['a list written as text', 'admin', '/_service/admin/v2/users'],
  ['a sync', 'bob', '/_chat/client/v3/sync'],
  ['the description of the API', 'guest', '/_service/openapi.json'],
  ['Developer tools', 'admin', '/_gatehouse/v1/inspector/requests'],
  ['an error', 'guest', '/_chat/client/v3/sync'],
  ['an unknown path', 'guest', '/_chat/nope'],
])('%s is application/json without a charset', async (_, caller, path) => {
  const { headers } = await homeserver.as(caller).get(path);
  expect(headers.get('content-type')).toBe('application/json');
});

test("a body that isn't UTF-8 is refused without effect", async () => {
  const { accessToken, userId } = homeserver.as('alice');
  const path = `/_chat/client/v3/profile/${userId}/displayname`;
  const body = Buffer.concat([Buffer.from('{"displayname":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
  const reply = await fetch(`${homeserver.url}${path}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${accessToken}` },
    body,
  });
  expect({ status: reply.status, body: await reply.json() }).toMatchObject({
    status: 400,
    body: { errcode: 'M_NOT_JSON' },
  });
  expect((await homeserver.as('alice').get(path)).body.displayname).not.toContain('\ufffd');
});

test('a token in both header and query is refused', async () => {
  const { accessToken } = homeserver.as('bob');
  const path = `/_chat/client/v3/account/whoami?access_token=${accessToken}`;
  expect(await homeserver.as('bob').get(path)).toMatchObject({
    status: 401,
    body: { errcode: 'M_MISSING_TOKEN' },
  });
});

test('an empty since is refused', async () => {
  expect((await homeserver.as('bob').get('/_chat/client/v3/sync?since=')).status).toBe(400);
});

test('the first sync has your own presence, and a join brings that of the members', async () => {
  const [alice, bob] = [homeserver.as('alice'), homeserver.as('bob')];
  const presenceIn = ({ body }: { body: { presence?: { events: { sender: string }[] } } }) =>
    (body.presence?.events ?? []).map(({ sender }) => sender);
  const first = await bob.get('/_chat/client/v3/sync');
  expect(presenceIn(first)).toContain(bob.userId);
  const { body: room } = await alice.post('/_chat/client/v3/createRoom', { preset: 'public_chat' });
  await alice.get('/_chat/client/v3/sync');
  const between = await bob.get(`/_chat/client/v3/sync?since=${first.body.next_batch}&timeout=0`);
  expect(presenceIn(between)).not.toContain(alice.userId);
  await bob.post(`/_chat/client/v3/join/${encodeURIComponent(room.room_id)}`);
  const joined = await bob.get(`/_chat/client/v3/sync?since=${between.body.next_batch}&timeout=0`);
  expect(presenceIn(joined)).toContain(alice.userId);
  const from = joined.body.next_batch;
  const messages = `/_chat/client/v3/rooms/${encodeURIComponent(room.room_id)}/messages?dir=b&from=${from}`;
  expect((await bob.get(messages)).body.start).toBe(from);
  const filter = encodeURIComponent('{"related_by_senders":[],"related_by_rel_types":[]}');
  expect((await bob.get(`${messages}&filter=${filter}`)).body.chunk).not.toEqual([]);
});

test('the removed account listing is unrecognized', async () => {
  const reply = await homeserver.as('admin').get('/_service/admin/v1/users/@alice:localhost');
  expect(reply).toMatchObject({ status: 404, body: { errcode: 'M_UNRECOGNIZED' } });
});

test('a disabled dialect is absent', async () => {
  const vendorOnly = await startHomeserver({ config: { apiDialects: ['vendor'] } });
  const get = (path: string) =>
    call(vendorOnly.url, 'GET', path, undefined, undefined, { translated: false });
  expect((await get('/_chat/client/versions')).status).toBe(200);
  expect(await get('/_matrix/client/versions')).toMatchObject({
    status: 404,
    body: { errcode: 'M_UNRECOGNIZED' },
  });
  await vendorOnly.remove();
});

test('reports that it is healthy', async () => {
  expect(await homeserver.as('guest').get('/health')).toMatchObject({ status: 200, body: 'OK' });
});

test.each([
  ['an unknown token', 'Bearer nope', 'M_UNKNOWN_TOKEN'],
  ['another scheme', 'Basic YWxpY2U6cGFzcw==', 'M_MISSING_TOKEN'],
  ['an empty token', 'Bearer ', 'M_MISSING_TOKEN'],
])('refuses %s', async (_, authorization, errcode) => {
  const response = await fetch(`${homeserver.url}/_chat/client/v3/account/whoami`, {
    headers: { authorization },
  });
  expect({ status: response.status, body: await response.json() }).toMatchObject({
    status: 401,
    body: { errcode },
  });
});

test.each<[string, string, number, string]>([
  ['JSON that is deeper than any stack', `${'['.repeat(500_000)}${']'.repeat(500_000)}`, 400, 'M_BAD_JSON'],
  ['objects that are', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 400, 'M_BAD_JSON'],
  ['half a character', '{"type":"\\ud800"}', 400, 'M_BAD_JSON'],
  ['the other half', '{"type":"\\uDC00"}', 400, 'M_BAD_JSON'],
  ['two halves in the wrong order', '{"type":"\\ude00\\ud83d"}', 400, 'M_BAD_JSON'],
  ['two separate halves', '{"type":"\\ud83d \\ude00"}', 400, 'M_BAD_JSON'],
  ['half a character after a whole one', '{"type":"\\uD83D\\uDE00\\uD83D"}', 400, 'M_BAD_JSON'],
  ['a whole one, of an unknown type', '{"type":"\\ud83d\\ude00"}', 400, 'M_INVALID_PARAM'],
  ['a backslash, of an unknown type', '{"type":"\\\\ud800"}', 400, 'M_INVALID_PARAM'],
  ['half a character in a name', '{"\\ud800":"none"}', 400, 'M_BAD_JSON'],
  ['more than a megabyte', JSON.stringify({ type: 'x'.repeat(2_000_000) }), 413, 'M_TOO_LARGE'],
  ['an invalid number', '{"type":NaN}', 400, 'M_NOT_JSON'],
])('refuses a body of %s', async (_, body, status, errcode) => {
  expect(await homeserver.as('guest').post('/_chat/client/v3/login', body)).toMatchObject({
    status,
    body: { errcode },
  });
});

test('JSON is parsed with any content type', async () => {
  const response = await fetch(`${homeserver.url}/_chat/client/v3/login`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: '{"type":"m.login.nope"}',
  });
  expect(await response.json()).toMatchObject({ errcode: 'M_INVALID_PARAM' });
});

test.each([
  ['not well encoded', '/_service/admin/v1/event_reports/%E0%A4%A'],
  ['with a long segment', `/_service/admin/v1/rooms/${'%C3%A4'.repeat(600)}`],
  ['with a segment that is too long for the router', `/_service/admin/v1/rooms/${'x'.repeat(2000)}`],
])('a path %s is refused with CORS headers', async (_, path) => {
  const { status, headers, body } = await rawRequest('GET', path);
  expect({ status, ...headers, body: JSON.parse(body) }).toMatchObject({
    status: 400,
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
    body: { errcode: 'M_INVALID_PARAM' },
  });
  // Browsers send the request only after a successful preflight.
  expect(await rawRequest('OPTIONS', path)).toMatchObject({
    status: 204,
    headers: { 'access-control-allow-origin': '*', 'access-control-allow-methods': expect.any(String) },
  });
});

/** Sends a path exactly as given; fetch would normalize it. */
function rawRequest(
  method: string,
  path: string,
): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(homeserver.url);
    const outgoing = request({ method, hostname, port, path }, (incoming) => {
      const { statusCode: status = 0, headers } = incoming;
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk) => chunks.push(chunk));
      incoming.on('end', () => resolve({ status, headers, body: Buffer.concat(chunks).toString() }));
    });
    outgoing.on('error', reject).end();
  });
}

test('cross-origin requests are allowed', async () => {
  const response = await fetch(`${homeserver.url}/_chat/client/v3/login`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://chat.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  });
  expect(response.status).toBe(204);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization');
});

test('preflight requests are answered for any origin', async () => {
  const response = await fetch(`${homeserver.url}/_chat/client/v3/sync`, { method: 'OPTIONS' });
  expect(response.status).toBe(204);
  expect(response.headers.get('access-control-allow-methods')).toContain('PUT');
});

test("HEAD returns GET's headers without the body", async () => {
  const [get, head] = await Promise.all(
    ['GET', 'HEAD'].map((method) => fetch(`${homeserver.url}/_chat/client/versions`, { method })),
  );
  expect(head?.status).toBe(200);
  expect(head?.headers.get('content-length')).toBe(get?.headers.get('content-length'));
  expect(await head?.text()).toBe('');
});

test('a malformed body leaves the connection usable', async () => {
  const connection = await connectTo(homeserver.url);
  const head = 'host: localhost\r\ncontent-length: 5';
  await connection.write(`POST /_matrix/client/v3/login HTTP/1.1\r\n${head}\r\n\r\n{"a":`);
  await connection.write(
    'GET /_matrix/client/versions HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n',
  );
  const replies = await connection.closed;
  expect(replies.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400', 'HTTP/1.1 200']);
});
