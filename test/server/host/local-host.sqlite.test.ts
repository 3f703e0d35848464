/** A server configured, restarted and reset over HTTP by the program that runs it. */
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeBackup } from '../../../server/administration/backup/write-backup.ts';
import { createLocalHost, type LocalHostOptions } from '../../../server/administration/host/local-host.ts';
import { temporaryServerCommand } from '../../../server/administration/host/temporary-server-command.ts';
import { createTemporaryServers } from '../../../server/administration/host/temporary-servers.ts';
import { checkConfigurationText } from '../../../server/administration/workbench/check-configuration.ts';
import { createHomeserver, type Homeserver } from '../../../server/app/homeserver.ts';
import { createUser } from '../../../server/identity/accounts/create-user.ts';
import { issueSignInToken } from '../../../server/identity/accounts/local-administrator.ts';
import { openSession } from '../../../server/identity/sessions/sessions.ts';
import { shareDirectory } from '../../../server/platform/cluster/claim.ts';
import { loadConfig } from '../../../server/platform/config/load.ts';
import { until } from '../../until.ts';
import { call, startHomeserver } from '../homeserver.ts';
import { connectTo } from '../raw-connection.ts';

let folder: string;
let dataDir: string;
let settings: string;
let homeserver: Homeserver | undefined;
let port = 0;
let token: string;
let options: LocalHostOptions;
let host: ReturnType<typeof createLocalHost>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-host-'));
  dataDir = join(folder, 'data');
  settings = join(dataDir, 'homeserver.yaml');
  await mkdir(dataDir, { mode: 0o700 });
  await writeFile(settings, 'server_name: localhost\n', { mode: 0o600 });
  options = {
    dataDir,
    temporaryServers: createTemporaryServers(
      temporaryServerCommand([process.execPath, join(import.meta.dirname, '../../../bin/gatehouse.js')]),
    ),
    check: (text, file) => checkConfigurationText({ text, file, dataDir }),
    runner: {
      async start(settingsFrom = settings) {
        const text = await readFile(settingsFrom, 'utf8');
        const config = await loadConfig({ dataDir, file: settings, text, port });
        homeserver = await createHomeserver(config, { host });
        await homeserver.start();
        port = Number(new URL(homeserver.url).port);
        return { url: homeserver.url };
      },
      async stop() {
        await homeserver?.stop();
        homeserver = undefined;
      },
      signInToken: (wanted) => issueSignInToken(services(), 60_000, wanted),
    },
  };
  host = createLocalHost(options);
  await host.start();
  const userId = await createUser(services(), { localpart: 'root', admin: true });
  token = (await openSession(services(), userId)).accessToken;
});
afterAll(async () => {
  await host.close();
  await rm(folder, { recursive: true });
});

function services() {
  if (!homeserver) throw new Error('it does not run');
  return homeserver.services;
}

const at = '/_gatehouse/v1/host';
const ask = (method: string, path: string, body?: unknown) =>
  call(`http://127.0.0.1:${port}`, method, at + path, token, body);
/** Returns the state once the server responds. */
const state = () =>
  ask('GET', '').then(
    ({ body }) => body,
    () => undefined,
  );
/** Returns the state once it's as expected. */
const stateWith = (expected: object) =>
  until(async () => {
    const now = await state();
    expect(now).toMatchObject(expected);
    return now;
  });

test('an invalid configuration is refused, and nothing changes', async () => {
  const before = await readFile(settings, 'utf8');
  const { body } = await ask('PUT', '/configuration', { text: 'jwt_config: {enabled: true}\n' });
  expect(body).toMatchObject({ outcome: 'refused', problems: [{ setting: 'jwt_config.secret' }] });
  expect(await readFile(settings, 'utf8')).toBe(before);
  expect((await ask('PUT', '/configuration', { text: '"'.repeat(300_000) })).body).toMatchObject({
    outcome: 'refused',
    problems: [{ line: 1, sentence: 'the file is larger than 256 KB; shorten it' }],
  });
});

test('a valid one is written, and the server runs with it', async () => {
  const text = 'server_name: localhost\nenable_set_displayname: false\n';
  expect((await ask('PUT', '/configuration', { text })).body).toEqual({ outcome: 'applied', problems: [] });
  await stateWith({ status: 'running', applied: { outcome: 'applied' } });
  expect(await readFile(settings, 'utf8')).toBe(text);
  expect((await stat(settings)).mode & 0o077).toBe(0);
  const capabilities = await call(`http://127.0.0.1:${port}`, 'GET', '/_chat/client/v3/capabilities', token);
  expect(capabilities.body.capabilities['m.set_displayname']).toEqual({ enabled: false });
});

test("one that doesn't start is reverted, and the server runs as before", async () => {
  const before = await readFile(settings, 'utf8');
  // Valid, but it doesn't match the data.
  await ask('PUT', '/configuration', { text: 'server_name: elsewhere.example\n' });
  const { applied } = await stateWith({ status: 'running', applied: { outcome: 'went_back' } });
  expect(applied.message).toMatch(/server_name/);
  expect(await readFile(settings, 'utf8')).toBe(before);
});

test("one that can't be written isn't applied, with the reason", async () => {
  const before = await readFile(settings, 'utf8');
  const { starts } = await state();
  // A directory in the way makes the write fail, like a full disk.
  await mkdir(`${settings}.next`);
  await ask('PUT', '/configuration', { text: 'server_name: localhost\nmax_upload_size: 5M\n' });
  // Waiting clients wait until the server has restarted.
  const { applied } = await stateWith({ starts: starts + 1 });
  expect(applied).toMatchObject({
    outcome: 'refused',
    message: expect.stringMatching(/couldn't write .*homeserver\.yaml: EISDIR/),
  });
  await rm(`${settings}.next`, { recursive: true });
  expect(await readFile(settings, 'utf8')).toBe(before);
  // No file is left that a later start would take for the previous configuration.
  expect((await readdir(dataDir)).filter((name) => name.startsWith('homeserver.yaml'))).toEqual([
    'homeserver.yaml',
  ]);
});

test("it isn't stopped for a restart that its file would prevent", async () => {
  const before = await readFile(settings, 'utf8');
  const { starts } = await state();
  await writeFile(settings, 'server_name: localhost\njwt_config: {enabled: true}\n');
  expect(await ask('POST', '/restart', {})).toMatchObject({
    status: 400,
    body: { error: expect.stringMatching(/homeserver\.yaml, line 2: jwt_config\.secret: missing/) },
  });
  await writeFile(settings, before);
  expect(await state()).toMatchObject({ status: 'running', starts });
});

test('it is restarted', async () => {
  const first = homeserver;
  const { starts } = await state();
  expect((await ask('POST', '/restart')).status).toBe(200);
  await expect.poll(() => homeserver !== undefined && homeserver !== first).toBe(true);
  // The count shows a restart even to clients that missed the stop.
  await stateWith({ status: 'running', starts: starts + 1 });
});

test('it is restarted even if the requester is gone before the reply', async () => {
  const { starts } = await state();
  const { write, socket } = await connectTo(`http://127.0.0.1:${port}`);
  await write(
    `POST ${at}/restart HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n` +
      'content-type: application/json\r\ncontent-length: 2\r\n\r\n{}',
  );
  socket.destroy();
  await stateWith({ status: 'running', starts: starts + 1 });
});

test("a reset that can't keep the old data leaves it, and the server keeps running", async () => {
  const before = await readFile(settings, 'utf8');
  const keptAt = join(folder, 'no-such-folder/kept');
  await expect(host.reset({ kept_at: keptAt, login_token: 'unused' })).rejects.toThrow(
    /Nothing has changed.*ENOENT/s,
  );
  expect(await state()).toMatchObject({ status: 'running' });
  expect(await readFile(settings, 'utf8')).toBe(before);
});

test("a reset doesn't wait for other users of the data, and refuses to take it from them", async () => {
  const before = await readFile(settings, 'utf8');
  const share = shareDirectory(dataDir);
  await expect(host.reset()).rejects.toThrow('is in use by');
  await share.release();
  expect(await state()).toMatchObject({ status: 'running' });
  expect(await readFile(settings, 'utf8')).toBe(before);
});

test('a reset keeps the old data aside and signs in the requester', async () => {
  const before = await readFile(settings, 'utf8');
  const { body } = await ask('POST', '/reset');
  expect(body).toMatchObject({ kept_at: expect.stringContaining(dataDir), login_token: expect.any(String) });
  const logIn = () =>
    call(`http://127.0.0.1:${port}`, 'POST', '/_chat/client/v3/login', undefined, {
      type: 'm.login.token',
      token: body.login_token,
    });
  // A login token works once, so the resulting session must be kept.
  const sessions: Awaited<ReturnType<typeof call>>[] = [];
  const tryToLogIn = async () => {
    const reply = await logIn().catch(() => undefined);
    if (reply?.status === 200) sessions.push(reply);
    return sessions.length;
  };
  await expect.poll(tryToLogIn).toBe(1);
  const [session] = sessions;
  expect(session?.body.user_id).toBe('@admin:localhost');
  expect(existsSync(join(body.kept_at, 'homeserver.db'))).toBe(true);
  expect(await readFile(settings, 'utf8')).toBe(before);
  token = session?.body.access_token;
  const users = await call(`http://127.0.0.1:${port}`, 'GET', '/_service/admin/v2/users', token);
  expect(users.body.total).toBe(1);
});

test('a backup is restored over HTTP, and the previous data can be restored', async () => {
  const newer = '/_service/admin/v2/users/@newer:localhost';
  const statusOfNewer = async () => (await call(`http://127.0.0.1:${port}`, 'GET', newer, token)).status;
  const send = (path: string, body: Blob) =>
    fetch(`http://127.0.0.1:${port}/_gatehouse/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body,
    });
  const before = await readFile(settings, 'utf8');
  const backup = await (await send('backup', new Blob(['{}'], { type: 'application/json' }))).blob();
  await createUser(services(), { localpart: 'newer' });
  expect(await statusOfNewer()).toBe(200);

  const broken = await send('host/restore', backup.slice(0, backup.size - 2000));
  expect({ status: broken.status, body: await broken.json() }).toMatchObject({
    status: 400,
    body: { error: expect.stringMatching(/^damaged backup/) },
  });
  expect(await statusOfNewer()).toBe(200);

  const planned = await (await send('host/restore', backup)).json();
  expect(planned).toMatchObject({ backup: { server_name: 'localhost' }, kept_at: expect.any(String) });
  const replaced = () => state().then((now) => now?.replaced);
  await expect.poll(replaced).toEqual({ outcome: 'replaced', kept_at: planned.kept_at });
  // The session is older than the backup, so it still works.
  expect(await statusOfNewer()).toBe(404);
  expect(existsSync(join(planned.kept_at, 'homeserver.db'))).toBe(true);
  expect(await readFile(settings, 'utf8')).toBe(before);

  const back = (await ask('POST', '/take-back')).body;
  await expect.poll(replaced).toEqual({ outcome: 'replaced', kept_at: back.kept_at });
  expect(await statusOfNewer()).toBe(200);
  expect(existsSync(planned.kept_at)).toBe(false);
  // Also applies to the program's next run.
  expect(createLocalHost(options).state().replaced).toEqual({ outcome: 'replaced', kept_at: back.kept_at });
  // The uploaded archive is deleted.
  const uploads = async () => (await readdir(dataDir)).filter((name) => name.endsWith('.tar'));
  await expect.poll(uploads).toEqual([]);
});

test("a backup that doesn't start is reverted", async () => {
  const elsewhere = await startHomeserver({ config: { serverName: 'elsewhere.example' } });
  const archive = join(folder, 'elsewhere.tar');
  await writeBackup(elsewhere.config, createWriteStream(archive));
  await elsewhere.remove();
  const { replaced } = createLocalHost(options).state();
  await expect(host.restore(archive)).rejects.toThrow(/elsewhere\.example/);
  expect(await state()).toMatchObject({
    status: 'running',
    replaced: { outcome: 'went_back', message: expect.stringContaining('elsewhere.example') },
  });
  expect((await ask('POST', '/take-back')).status).toBe(400);
  // The previous change can still be undone.
  expect(createLocalHost(options).state().replaced).toEqual(replaced);
});

test('additional servers are started and stopped by name', async () => {
  const { status, body } = await ask('POST', '/temporary-servers', { name: 'beside' });
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { name: 'beside', user_id: '@admin:localhost' },
  });
  expect((await ask('GET', '/temporary-servers')).body.servers).toEqual([body]);
  const whoAmI = await call(body.url, 'GET', '/_chat/client/v3/account/whoami', body.access_token);
  expect(whoAmI.status).toBe(200);
  expect(await ask('POST', '/temporary-servers', { name: 'beside' })).toMatchObject({ status: 400 });
  expect((await ask('DELETE', '/temporary-servers/beside')).status).toBe(200);
  expect(await ask('DELETE', '/temporary-servers/beside')).toMatchObject({ status: 404 });
});

test("an additional server that can't start doesn't end the program", async () => {
  const start = temporaryServerCommand([join(folder, 'no-such-program')]);
  await expect(start('none', () => {})).rejects.toThrow(/did not start.*ENOENT/s);
});
