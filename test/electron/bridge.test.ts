import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Connection } from '../../shared/connection.ts';
import { type App, startApp } from './app.ts';
import { addressOf, mediaSamples, RemoteHomeserver } from './remote-homeserver.ts';

let app: App;
let remote: RemoteHomeserver;
let connection: Connection;

const credentials = (user = 'admin', password = remote.password) =>
  ({ type: 'password', user, password }) as const;

/** Connects and confirms the app's dialog. */
async function connect(address: string): Promise<Connection> {
  const added = app.invoke('connections:add', { address, credentials: credentials() });
  const dialog = await app.nextDialog();
  await dialog.answer('Connect');
  const outcome = await added;
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return outcome.value;
}

beforeAll(async () => {
  remote = await RemoteHomeserver.start();
  app = await startApp();
  connection = await connect(remote.url);
});
afterAll(async () => {
  await app?.dispose();
  await remote?.close();
});
beforeEach(() => {
  remote.received.length = 0;
});

const request = (path: string, more: object = {}) =>
  app.invoke('request', { connectionId: connection.id, method: 'GET', path, ...more });

test('a connection names the server and the user and has no secret', async () => {
  expect(connection).toEqual({
    id: expect.any(String),
    baseUrl: remote.url,
    dialect: 'matrix',
    userId: '@admin:remote',
    local: false,
  });
  expect(await app.invoke('connections:list', undefined)).toEqual({ ok: true, value: [connection] });
});

test('a request is sent with the token, which the page never sees', async () => {
  const outcome = await request('/_synapse/admin/v1/event_reports?limit=5');
  expect(outcome).toEqual({ ok: true, value: { status: 200, body: { event_reports: [], total: 0 } } });
  expect(remote.received).toMatchObject([
    { path: '/_synapse/admin/v1/event_reports?limit=5', authorization: `Bearer ${remote.tokens[0]}` },
  ]);
});

test('a body arrives unchanged', async () => {
  const body = { text: 'ünï\u2028', list: [1, null, true], nothing: {} };
  const outcome = await request('/_synapse/admin/v1/deactivate/echo', { method: 'POST', body });
  expect(outcome).toEqual({ ok: true, value: { status: 200, body: { body } } });
});

test.each([
  ['POST', '/_synapse/admin/v1/users/%40bob%3Aremote/shadow_ban', {}],
  ['PUT', '/_synapse/admin/v1/suspend/%40bob%3Aremote', { suspend: true }],
  ['DELETE', '/_synapse/admin/v1/event_reports/7', undefined],
] as const)('%s changes the meaning of a path', async (method, path, body) => {
  await request(path, { method, ...(body && { body }) });
  expect(remote.received).toMatchObject([{ method, path, body: body ? JSON.stringify(body) : '' }]);
});

test('an aborted request is canceled', async () => {
  const given = request('/_synapse/admin/v1/suspend/never', { method: 'PUT', requestId: 'one' });
  await expect.poll(() => remote.received.length).toBe(1);
  expect(await app.invoke('request:abort', { requestId: 'one' })).toMatchObject({ ok: true });
  expect(await given).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
});

test('an oversized body is refused before it is sent', async () => {
  const body = { text: 'x'.repeat(2 ** 21) };
  const outcome = await request('/_synapse/admin/v1/deactivate/echo', { method: 'POST', body });
  expect(outcome).toMatchObject({ ok: false, failure: { code: 'refused' } });
  expect(remote.received).toEqual([]);
});

test('a server error is returned as a reply', async () => {
  const body = { errcode: 'M_UNRECOGNIZED', error: 'Unrecognized request' };
  const outcome = await request('/_synapse/admin/v1/server_version');
  expect(outcome).toEqual({ ok: true, value: { status: 404, body } });
});

test("redirects aren't followed", async () => {
  expect(await request('/_synapse/admin/v1/rooms')).toMatchObject({ ok: true, value: { status: 302 } });
  expect(remote.received.map(({ path }) => path)).toEqual(['/_synapse/admin/v1/rooms']);
});

test('a reply with a token stays out of the page', async () => {
  const outcome = await request('/_synapse/admin/v1/whois/leak');
  expect(outcome).toMatchObject({ ok: false, failure: { code: 'refused' } });
  expect(JSON.stringify(outcome)).not.toContain('another-token');
});

test.each([
  ['a path outside the dialect', '/_service/admin/v1/event_reports'],
  ['dots', '/_synapse/admin/../../etc'],
  ['encoded dots', '/_synapse/admin/%2e%2e/x'],
  ['two slashes', '/_synapse//evil.example/'],
  ['a line break', '/_synapse/admin/v1/x\r\nX-Evil: 1'],
  ['a login', '/_matrix/client/v3/login'],
  ['a login as another user', '/_synapse/admin/v1/users/%40bob%3Aremote/login'],
  ['a registration', '/_synapse/admin/v1/register'],
  ['its own password', '/_synapse/admin/v1/reset_password/%40admin%3Aremote'],
  ['keys', '/_matrix/client/v3/keys/query'],
  ['an endpoint that the console never requests', '/_synapse/admin/v1/account_validity/validity'],
  ['an endpoint of the local server only', '/_gatehouse/v1/requests'],
])('%s is refused before anything is sent', async (_, path) => {
  expect(await request(path)).toMatchObject({ ok: false, failure: { code: 'refused' } });
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const outcome = await request(path, { method, body: {} });
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'refused' } });
  }
  expect(remote.received).toEqual([]);
});

test('developer tools are for the local server only', async () => {
  const { id: connectionId } = connection;
  await app.command('willSaveTo', { path: `${app.profile}/backup.tar` });
  for (const outcome of [
    await app.invoke('workbench:follow', { connectionId, path: '/_gatehouse/v1/log/stream', streamId: 'a' }),
    await app.invoke('workbench:backup', { connectionId, name: 'backup.tar' }),
    await app.invoke('workbench:try-login', { connectionId, token: 'a.b.c' }),
  ]) {
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'refused' } });
  }
  expect(remote.received).toEqual([]);
});

test('an unknown connection is refused', async () => {
  const outcome = await request('/_synapse/admin/v1/event_reports', { connectionId: 'nobody' });
  expect(outcome).toMatchObject({ ok: false, failure: { code: 'no_such_connection' } });
});

test.each([
  ['a request without a method', 'request', { connectionId: 'x', path: '/_matrix/client/versions' }],
  ['a method that the bridge has not', 'request', { connectionId: 'x', method: 'PATCH', path: '/_matrix/x' }],
  ['an absolute address', 'request', { connectionId: 'x', method: 'GET', path: 'https://evil.example/' }],
  ['a path that is not text', 'request', { connectionId: 'x', method: 'GET', path: ['/_matrix/x'] }],
  ['nothing', 'request', undefined],
  ['text', 'connections:add', 'https://example.org'],
  ['unknown credentials', 'connections:add', { address: 'x', credentials: { type: 'cookie' } }],
  ['an unexpected value', 'connections:list', { all: true }],
  ['media of a web address', 'media', { connectionId: 'x', uri: 'https://evil.example/a.png' }],
  ['a link that is not https', 'open-external', { url: 'http://example.org/' }],
  ['a prototype', 'connections:remove', { __proto__: { connectionId: 'x' } }],
])('input of the wrong shape is refused: %s', async (_, channel, input) => {
  const answer = await app.command('sendRaw', { from: 'page', channel, values: [input] });
  expect(answer).toMatchObject({ ok: true, value: { ok: false, failure: { code: 'refused' } } });
});

test("a frame in the page can't send requests", async () => {
  await app.page.evaluate(() => {
    document.body.append(document.createElement('iframe'));
  });
  const answer = await app.command('sendRaw', { from: 'frame', channel: 'connections:list', values: [] });
  expect(answer).toMatchObject({ ok: true, value: { ok: false, failure: { code: 'refused' } } });
  await app.page.evaluate(() => document.querySelector('iframe')?.remove());
});

test("another page in the window can't send requests", async () => {
  const address = app.page.url();
  await app.page.goto('about:blank');
  await expect.poll(() => app.command('windows')).toMatchObject([{ url: 'about:blank' }]);
  const answer = await app.command('sendRaw', { from: 'page', channel: 'connections:list', values: [] });
  await app.page.goto(address);
  await expect.poll(() => app.command('windows')).toMatchObject([{ url: 'app://gatehouse/console/' }]);
  expect(answer).toMatchObject({ ok: true, value: { ok: false, failure: { code: 'refused' } } });
});

test('an unknown channel has no handler', async () => {
  const inPage = app.page.evaluate(() => window.gatehouse?.invoke('vault:read' as never, undefined as never));
  await expect(inPage).rejects.toThrow("The bridge has no channel 'vault:read'");
  expect(await app.command('sendRaw', { from: 'page', channel: 'vault:read', values: [] })).toMatchObject({
    ok: false,
    value: expect.stringContaining('No handler registered'),
  });
});

test.each([
  ['https://[', 'bad_address'],
  ['https://user:password@example.org', 'bad_address'],
  ['file:///etc/passwd', 'bad_address'],
  [`https://${'a.'.repeat(130)}example.org`, 'bad_address'],
])("%s isn't an address, and no request is sent", async (address, code) => {
  const outcome = await app.invoke('connections:add', { address, credentials: credentials() });
  expect(outcome).toMatchObject({ ok: false, failure: { code } });
  expect(app.openDialogs).toBe(0);
});

test('a new address needs confirmation before anything is sent to it', async () => {
  await using other = await RemoteHomeserver.start();
  const added = app.invoke('connections:add', { address: other.url, credentials: credentials() });
  const dialog = await app.nextDialog();
  expect(dialog.options.message).toBe(`Connect to ${new URL(other.url).host}?`);
  expect(dialog.options.detail).not.toContain("isn't encrypted");
  expect(other.received).toEqual([]);
  await dialog.answer('Cancel');
  expect(await added).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
  expect(other.received).toEqual([]);
});

test.each([
  ['http://server.invalid', true],
  ['https://server.invalid', false],
  ['http://localhost.server.invalid', true],
])('%s: the dialog warns about plain text: %s', async (address, warns) => {
  const added = app.invoke('connections:add', { address, credentials: credentials() });
  const dialog = await app.nextDialog();
  expect(dialog.options.detail?.includes("isn't encrypted")).toBe(warns);
  await dialog.answer('Cancel');
  expect(await added).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
});

test('a known address needs no confirmation, and a wrong password leaves nothing behind', async () => {
  const outcome = await app.invoke('connections:add', {
    address: remote.url,
    credentials: credentials('admin', 'guess'),
  });
  expect(outcome).toMatchObject({ ok: false, failure: { code: 'bad_credentials' } });
  expect(JSON.stringify(outcome)).not.toContain('guess');
  expect(app.openDialogs).toBe(0);
  expect(await app.invoke('connections:list', undefined)).toEqual({ ok: true, value: [connection] });
});

test('an access token with invalid characters is refused and not quoted', async () => {
  const outcome = await app.invoke('connections:add', {
    address: remote.url,
    credentials: { type: 'access_token', accessToken: 'half of it\nand the rest' },
  });
  expect(outcome).toMatchObject({ ok: false, failure: { code: 'bad_credentials' } });
  expect(JSON.stringify(outcome)).not.toMatch(/half of|the rest/);
});

test("a user who isn't an admin is refused and signed out", async () => {
  const before = remote.tokens;
  const outcome = await app.invoke('connections:add', {
    address: remote.url,
    credentials: credentials('alice'),
  });
  expect(outcome).toMatchObject({ ok: false, failure: { code: 'not_administrator' } });
  expect(remote.tokens).toEqual(before);
});

test('a stopped server is unreachable', async () => {
  const gone = await RemoteHomeserver.start();
  const { url } = gone;
  await gone.close();
  const added = app.invoke('connections:add', { address: url, credentials: credentials() });
  await (await app.nextDialog()).answer('Connect');
  expect(await added).toMatchObject({ ok: false, failure: { code: 'unreachable' } });
});

test('removing a connection signs out and deletes it', async () => {
  await using other = await RemoteHomeserver.start();
  const added = await connect(other.url);
  expect(other.tokens).toHaveLength(1);
  const { id: connectionId } = added;
  expect(await app.invoke('connections:remove', { connectionId })).toMatchObject({ ok: true });
  expect(other.tokens).toEqual([]);
  expect(await app.invoke('connections:remove', { connectionId })).toMatchObject({
    ok: false,
    failure: { code: 'no_such_connection' },
  });
});

test('signing in again keeps the connection with its statuses and notes', async () => {
  await using other = await RemoteHomeserver.start();
  const { id: connectionId } = await connect(other.url);
  expect(await app.invoke('connections:remove', { connectionId })).toMatchObject({ ok: true });
  expect(
    await app.invoke('connections:add', { address: other.url, credentials: credentials() }),
  ).toMatchObject({ ok: true, value: { id: connectionId } });
  await app.invoke('connections:remove', { connectionId });
});

test('the page receives changes until it unsubscribes', async () => {
  const heard = await app.page.evaluateHandle(() => {
    const commands: unknown[] = [];
    const stop = window.gatehouse?.listen('menu:command', (payload) => commands.push(payload));
    return { commands, stop };
  });
  await app.command('chooseMenuItem', { id: 'palette' });
  await app.page.waitForFunction(({ commands }) => commands.length === 1, heard);
  await heard.evaluate(({ stop }) => stop?.());
  await app.command('chooseMenuItem', { id: 'settings' });
  // Messages are in order: this reply arrives after a second notification would.
  await app.invoke('connections:list', undefined);
  expect(await heard.evaluate(({ commands }) => commands)).toEqual([{ command: 'palette' }]);
});

const media = (uri: string) =>
  app.page.evaluate(
    async ([connectionId, address]) => {
      const outcome = await window.gatehouse?.invoke('media', { connectionId, uri: address });
      if (!outcome?.ok) return outcome;
      const { contentType, bytes } = outcome.value;
      return { contentType, isBuffer: bytes instanceof ArrayBuffer, text: [...new Uint8Array(bytes)] };
    },
    [connection.id, uri] as const,
  );

test.each([
  ['png', 'image/png'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
])('a %s image is detected by its content', async (id, contentType) => {
  const text = [...(mediaSamples[id]?.bytes ?? [])];
  expect(await media(`mxc://remote/${id}`)).toEqual({ contentType, isBuffer: true, text });
});

test('quarantined media is only requested with the explicit parameter', async () => {
  const wanted = { connectionId: connection.id, uri: 'mxc://remote/png' };
  await app.invoke('media', { ...wanted, quarantined: undefined });
  await app.invoke('media', { ...wanted, quarantined: true });
  const path = '/_matrix/client/v1/media/download/remote/png';
  expect(remote.received.map((each) => each.path)).toEqual([
    path,
    `${path}?admin_unsafely_bypass_quarantine=true`,
  ]);
});

test.each(['svg', 'svg-as-png', 'html', 'huge', 'missing'])("%s isn't shown as an image", async (id) => {
  expect(await media(`mxc://remote/${id}`)).toMatchObject({ ok: false, failure: { code: 'refused' } });
});

test.each([
  'mxc://remote/../../admin',
  'mxc://../png',
  'mxc://remote/png?x=1',
  'mxc://remote/a/b',
  'mxc://remote/png#',
  'mxc://remote/%2e%2e',
  'mxc://user@remote/png',
])("%s isn't a media address", async (uri) => {
  expect(await media(uri)).toMatchObject({ ok: false, failure: { code: 'refused' } });
  expect(remote.received).toEqual([]);
});

const upload = (bytes: unknown, connectionId = connection.id) =>
  app.page.evaluate(
    ([id, given]) =>
      window.gatehouse?.invoke('media:upload', {
        connectionId: id,
        bytes: (Array.isArray(given) ? new Uint8Array(given).buffer : given) as ArrayBuffer,
      }),
    [connectionId, bytes] as const,
  );

test('an image is uploaded unchanged, with its detected type and the token', async () => {
  const bytes = mediaSamples.png?.bytes ?? new Uint8Array();
  const uri = `mxc://remote/${addressOf('image/png', bytes)}`;
  expect(await upload([...bytes])).toEqual({ ok: true, value: { uri } });
  expect(remote.received).toMatchObject([{ method: 'POST', authorization: `Bearer ${remote.tokens[0]}` }]);
});

test.each([
  ['a drawing that can hold scripts', [...(mediaSamples.svg?.bytes ?? [])]],
  ['a page', [...(mediaSamples.html?.bytes ?? [])]],
  ['nothing', []],
  ['text', 'PNG'],
  ['no bytes at all', { byteLength: 8 }],
])("%s isn't uploaded", async (_, bytes) => {
  expect(await upload(bytes)).toMatchObject({ ok: false, failure: { code: 'refused' } });
  expect(remote.received).toEqual([]);
});

test("an oversized image isn't uploaded", async () => {
  const outcome = await app.page.evaluate((connectionId) => {
    const bytes = new Uint8Array(10 * 1024 * 1024 + 1);
    bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    return window.gatehouse?.invoke('media:upload', { connectionId, bytes: bytes.buffer });
  }, connection.id);
  expect(outcome).toMatchObject({ ok: false, failure: { code: 'refused', values: { megabytes: 10 } } });
  expect(remote.received).toEqual([]);
});

test('uploads need a session on the server', async () => {
  const outcome = await upload([...(mediaSamples.png?.bytes ?? [])], 'nobody');
  expect(outcome).toMatchObject({ ok: false, failure: { code: 'no_such_connection' } });
});
