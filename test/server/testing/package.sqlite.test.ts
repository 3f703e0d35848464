/** The npm package, used by a project that depends on it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { projectRoot } from '../../../electron/launch/build.ts';
import { buildPackage } from '../../../packages/homeserver/build.ts';
import type { Homeserver, startHomeserver } from '../../../packages/homeserver/index.ts';
import { call } from '../homeserver.ts';

let index: string;
let start: typeof startHomeserver;
let homeserver: Homeserver;
beforeAll(async () => {
  // The folder where it can resolve its dependencies.
  index = pathToFileURL(join(buildPackage(join(projectRoot, 'dist/packages/used')), 'index.js')).href;
  ({ startHomeserver: start } = await import(index));
  homeserver = await start({
    users: ['alice', 'bob'],
    serverName: 'tests.example',
    seed: {
      users: { carol: { token: 'carol-token' } },
      rooms: {
        lobby: { creator: 'carol', preset: 'public_chat', messages: [{ id: 'hi', by: 'carol', text: 'Hi' }] },
      },
    },
  });
});
afterAll(() => homeserver.stop());
beforeEach(() => homeserver.reset());

const client = '/_chat/client/v3';
const as = (name: string) => (method: string, path: string, body?: unknown) =>
  call(homeserver.url, method, path, homeserver.users[name]?.accessToken, body);
const joinLobby = () =>
  as('alice')('POST', `${client}/join/${encodeURIComponent(homeserver.rooms.lobby?.roomId ?? '')}`, {});

test("has the seed's users, rooms and events, which a reset keeps", async () => {
  expect(homeserver).toMatchObject({
    serverName: 'tests.example',
    admin: { userId: '@admin:tests.example' },
  });
  expect(homeserver.users.carol).toMatchObject({
    userId: '@carol:tests.example',
    accessToken: 'carol-token',
  });
  expect(homeserver.rooms.lobby?.events.hi).toMatch(/^\$/);
  expect((await joinLobby()).status).toBe(200);
  await homeserver.reset();
  expect((await as('alice')('GET', `${client}/joined_rooms`)).body).toEqual({ joined_rooms: [] });
});

test("creates tokens that log in and expire by the server's clock", async () => {
  const token = await homeserver.jwt('dora');
  const login = () =>
    call(homeserver.url, 'POST', `${client}/login`, undefined, { type: 'org.vendor.login.jwt', token });
  expect((await login()).body.user_id).toBe('@dora:tests.example');
  await homeserver.advance('2h');
  expect((await login()).status).toBe(403);
});

test('lists requests, waits for one, and reports the received ones after a timeout', async () => {
  const waiting = homeserver.waitForRequest({ path: '/join/*', user: 'alice' });
  await joinLobby();
  expect(await waiting).toMatchObject({
    method: 'POST',
    status: 200,
    body: {},
    userId: '@alice:tests.example',
  });
  expect(await homeserver.requests({ method: 'GET' })).toEqual([]);
  await expect(homeserver.waitForRequest({ path: '/leave', timeout: 10 })).rejects.toThrow(
    'No request {"path":"/leave"} within 10 ms',
  );
});

test('injects faults and restores snapshots', async () => {
  const fault = await homeserver.fail({ path: '/join/*', retryAfter: 2000, times: 1 });
  expect(await joinLobby()).toMatchObject({ status: 429, body: { retry_after_ms: 2000 } });
  expect(await fault.applied()).toBe(1);
  expect((await joinLobby()).status).toBe(200);
  const snapshot = await homeserver.snapshot();
  await homeserver.reset();
  await snapshot.restore();
  expect((await as('alice')('GET', `${client}/joined_rooms`)).body.joined_rooms).toHaveLength(1);
});

test('creates users and rooms later', async () => {
  const user = await homeserver.createUser('erin', { admin: true });
  expect(user).toMatchObject({ userId: '@erin:tests.example', password: expect.any(String) });
  const { rooms } = await homeserver.seed({ users: { fay: {} }, rooms: { own: { creator: 'fay' } } });
  expect(rooms.own?.roomId).toMatch(/^!/);
});

test("says why a server doesn't start", async () => {
  await expect(start({ seed: { users: { A: {} } } })).rejects.toThrow('users.A: User ID can only contain');
  await expect(start({ config: { server_name: 5 } })).rejects.toThrow('server_name: must be a host name');
});

test('a server ends with a killed program, and a program that forgets its server ends', async () => {
  const place = mkdtempSync(join(tmpdir(), 'gatehouse-package-'));
  const run = (more: string) =>
    spawn(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `const { startHomeserver } = await import(${JSON.stringify(index)});
         const { api } = await startHomeserver();
         process.stdout.write((await api('GET', '/backup')).data_dir);
         ${more}`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, TMPDIR: place } },
    );
  for (const more of ['setInterval(() => {}, 1000)', '']) {
    const program = run(more);
    const [folder] = (await once(program.stdout, 'data')) as [Buffer];
    if (more) program.kill('SIGKILL');
    if (program.exitCode === null && program.signalCode === null) await once(program, 'exit');
    await expect.poll(() => existsSync(`${folder}`)).toBe(false);
  }
  rmSync(place, { recursive: true });
});
