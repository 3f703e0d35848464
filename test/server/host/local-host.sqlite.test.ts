/** A server that is set up, restarted and reset by the program that runs it, over HTTP. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser } from '../../../server/accounts/create-user.ts';
import { issueSignInToken } from '../../../server/accounts/local-administrator.ts';
import { openSession } from '../../../server/accounts/sessions.ts';
import { loadConfig } from '../../../server/config/load.ts';
import { createHomeserver, type Homeserver } from '../../../server/homeserver.ts';
import { createLocalHost } from '../../../server/host/local-host.ts';
import { throwawayCommand } from '../../../server/host/throwaway-command.ts';
import { createThrowaways } from '../../../server/host/throwaways.ts';
import { problemsIn } from '../../../server/workbench/configuration-problems.ts';
import { call } from '../homeserver.ts';

let folder: string;
let dataDir: string;
let settings: string;
let homeserver: Homeserver | undefined;
let port = 0;
let token: string;
let host: ReturnType<typeof createLocalHost>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-host-'));
  dataDir = join(folder, 'data');
  settings = join(dataDir, 'homeserver.yaml');
  await mkdir(dataDir, { mode: 0o700 });
  await writeFile(settings, 'server_name: localhost\n', { mode: 0o600 });
  host = createLocalHost({
    dataDir,
    throwaways: createThrowaways(
      throwawayCommand([process.execPath, join(import.meta.dirname, '../../../bin/gatehouse.js')]),
    ),
    check: (text, file) => problemsIn(text, file, dataDir),
    runner: {
      async start() {
        homeserver = await createHomeserver(await loadConfig({ dataDir, file: settings, port }), { host });
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
  });
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
/** Once the server is there again. */
const state = () =>
  ask('GET', '').then(
    ({ body }) => body,
    () => undefined,
  );

test('a configuration that is wrong is refused, and nothing changes', async () => {
  const { body } = await ask('PUT', '/configuration', { text: 'jwt_config: {enabled: true}\n' });
  expect(body).toMatchObject({ outcome: 'refused', problems: [{ setting: 'jwt_config.secret' }] });
  expect(await readFile(settings, 'utf8')).toBe('server_name: localhost\n');
});

test('one that is right is written, and the server runs with it', async () => {
  const text = 'server_name: localhost\nenable_set_displayname: false\n';
  expect((await ask('PUT', '/configuration', { text })).body).toEqual({ outcome: 'applied', problems: [] });
  await expect.poll(async () => (await state())?.applied?.outcome).toBe('applied');
  expect((await state()).status).toBe('running');
  expect(await readFile(settings, 'utf8')).toBe(text);
  expect((await stat(settings)).mode & 0o077).toBe(0);
  const capabilities = await call(`http://127.0.0.1:${port}`, 'GET', '/_chat/client/v3/capabilities', token);
  expect(capabilities.body.capabilities['m.set_displayname']).toEqual({ enabled: false });
});

test('one with which it does not start is taken back, and it runs as before', async () => {
  const before = await readFile(settings, 'utf8');
  // Right by itself, but the data says otherwise.
  await ask('PUT', '/configuration', { text: 'server_name: elsewhere.example\n' });
  await expect.poll(async () => (await state())?.applied?.outcome).toBe('went_back');
  expect((await state()).applied.message).toMatch(/server_name/);
  expect(await readFile(settings, 'utf8')).toBe(before);
  expect((await state()).status).toBe('running');
});

test('it is restarted', async () => {
  const first = homeserver;
  expect((await ask('POST', '/restart')).status).toBe(200);
  await expect.poll(() => homeserver !== undefined && homeserver !== first).toBe(true);
  await expect.poll(async () => (await state())?.status).toBe('running');
});

test('a reset that can not keep the old data leaves it, and the server runs on', async () => {
  const keptAt = join(folder, 'no-such-folder/kept');
  await expect(host.reset({ kept_at: keptAt, login_token: 'unused' })).rejects.toThrow(
    /could not be moved.*ENOENT/s,
  );
  expect(await state()).toMatchObject({ status: 'running' });
  expect(await readFile(settings, 'utf8')).toContain('enable_set_displayname');
});

test('a reset keeps the old data beside, and lets in whoever asked for it', async () => {
  const { body } = await ask('POST', '/reset');
  expect(body).toMatchObject({ kept_at: expect.stringContaining(dataDir), login_token: expect.any(String) });
  const logIn = () =>
    call(`http://127.0.0.1:${port}`, 'POST', '/_chat/client/v3/login', undefined, {
      type: 'm.login.token',
      token: body.login_token,
    });
  // A login token is good once: whoever gets in has to keep what came of it.
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
  expect(await readFile(settings, 'utf8')).toContain('enable_set_displayname');
  token = session?.body.access_token;
  const users = await call(`http://127.0.0.1:${port}`, 'GET', '/_service/admin/v2/users', token);
  expect(users.body.total).toBe(1);
});

test('servers beside it are started and stopped by name', async () => {
  const { status, body } = await ask('POST', '/throwaways', { name: 'beside' });
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { name: 'beside', user_id: '@admin:localhost' },
  });
  expect((await ask('GET', '/throwaways')).body.servers).toEqual([body]);
  const whoAmI = await call(body.url, 'GET', '/_chat/client/v3/account/whoami', body.access_token);
  expect(whoAmI.status).toBe(200);
  expect(await ask('POST', '/throwaways', { name: 'beside' })).toMatchObject({ status: 400 });
  expect((await ask('DELETE', '/throwaways/beside')).status).toBe(200);
  expect(await ask('DELETE', '/throwaways/beside')).toMatchObject({ status: 404 });
});
