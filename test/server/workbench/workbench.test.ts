/** The other developer tools: log, metrics, configuration, users, sample data, backup. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { manualClock } from '../../manual-clock.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

const at = '/_gatehouse/v1';
const clock = manualClock();
let homeserver: TestHomeserver;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-workbench-'));
  const file = join(directory, 'homeserver.yaml');
  await writeFile(file, 'server_name: localhost\n');
  homeserver = await startHomeserver({ clock, config: { file }, log: () => {} });
});
afterAll(async () => {
  await homeserver.remove();
  await rm(directory, { recursive: true });
});
const admin = () => homeserver.as('admin');

test('a user created in one click can sign in with each of the returned credentials', async () => {
  const { status, body } = await admin().post(`${at}/users`, { name: 'made', admin: true });
  expect({ status, body }).toMatchObject({ status: 200, body: { user_id: '@made:localhost' } });
  const login = (credentials: object) => homeserver.as('guest').post('/_chat/client/v3/login', credentials);
  const byPassword = { type: 'm.login.password', identifier: { type: 'm.id.user', user: 'made' } };
  expect((await login({ ...byPassword, password: body.password })).status).toBe(200);
  const whoAmI = await fetch(`${homeserver.url}/_chat/client/v3/account/whoami`, {
    headers: { authorization: `Bearer ${body.access_token}` },
  });
  expect(await whoAmI.json()).toMatchObject({ user_id: '@made:localhost', device_id: body.device_id });
  const { body: link } = await admin().post(`${at}/sign-in-link`, { user: '@made:localhost' });
  expect(await login({ type: 'm.login.token', token: link.login_token })).toMatchObject({ status: 200 });
  expect(await admin().post(`${at}/users`, { name: 'made' })).toMatchObject({ status: 400 });
  expect((await admin().post(`${at}/users`, {})).body.user_id).toMatch(/^@tester-/);
  expect(await admin().post(`${at}/sign-in-link`, { user: 'nobody' })).toMatchObject({ status: 404 });
});

test('a sign-in link names the console only for those who may use it', async () => {
  const withConsole = await startHomeserver({ config: { console: true } });
  const linkOf = async (user: string) =>
    (await withConsole.as('admin').post(`${at}/sign-in-link`, { user })).body;
  withConsole.as('alice');
  const alices = await linkOf('alice');
  expect(alices).toEqual({ login_token: expect.any(String), expires_ts: expect.any(Number) });
  const own = await linkOf('admin');
  expect(own.console_url).toBe(`${withConsole.url}/console/#login_token=${own.login_token}`);
  await withConsole.remove();
});

test.each<[string, string, object[]]>([
  ['valid settings', 'server_name: example.org\n', []],
  [
    'a value that can not be',
    '# first\njwt_config:\n  enabled: 5\n',
    [{ severity: 'error', setting: 'jwt_config.enabled', line: 3, column: 3 }],
  ],
  [
    'missing settings',
    'server_name: a\njwt_config:\n  enabled: true\n  algorithm: HS256\n',
    [
      {
        severity: 'error',
        setting: 'jwt_config.secret',
        line: 2,
        column: 1,
        sentence: expect.stringMatching(/^missing/),
      },
    ],
  ],
  [
    'an item of a list',
    'listeners:\n  - port: 1\n  - port: 70000\n',
    [{ severity: 'error', line: 3, column: 5 }],
  ],
  [
    'all errors with their positions',
    [
      'server_nam: x',
      'jwt_config:',
      '  enabled: true',
      '  algorithm: none',
      '  issuer: 5',
      'listeners:',
      '  - port: 70000',
      '  - type: replication',
      '    port: 1',
      'max_upload_size: much',
      'media_store_path: 7',
    ].join('\n'),
    [
      { severity: 'warning', setting: 'server_nam', line: 1 },
      { severity: 'error', setting: 'jwt_config.algorithm', line: 4 },
      { severity: 'error', setting: 'jwt_config.issuer', line: 5 },
      { severity: 'error', setting: 'listeners.0.port', line: 7 },
      { severity: 'error', setting: 'listeners[1].type', line: 8 },
      { severity: 'error', setting: 'max_upload_size', line: 10 },
      { severity: 'error', setting: 'media_store_path', line: 11 },
    ],
  ],
  [
    'settings in two places that depend on each other',
    'jwt_config:\n  enabled: true\n  algorithm: HS256\nlisteners:\n  - {type: replication, port: 1}\n',
    [
      { severity: 'error', setting: 'jwt_config.secret', line: 1 },
      { severity: 'error', setting: 'listeners[0].type', line: 5 },
    ],
  ],
  ['invalid YAML', 'a: [\n', [{ severity: 'error', setting: '' }]],
  ['endless nesting', '['.repeat(20_000), [{ severity: 'error', setting: '' }]],
  ['lists within lists', `a: ${'['.repeat(9000)}${']'.repeat(9000)}`, [{ severity: 'error', setting: '' }]],
  [
    'text that expands when it is read',
    [...Array(12).keys()].map((n) => `a${n}: &a${n} [${`*a${n - 1},`.repeat(n && 12)}]\n`).join(''),
    [{ severity: 'error', setting: '' }],
  ],
  [
    'devices without end',
    'log_config: /dev/zero\napp_service_config_files: [/dev/zero]\n',
    [
      {
        severity: 'warning',
        setting: 'log_config',
        line: 1,
        sentence: expect.stringContaining('a pipe or a device'),
      },
      {
        severity: 'error',
        setting: 'app_service_config_files[0]',
        sentence: expect.stringContaining('a pipe or a device'),
      },
    ],
  ],
  [
    'a slip of the pen',
    'server_nam: x\n',
    [
      {
        severity: 'warning',
        setting: 'server_nam',
        line: 1,
        sentence: 'unknown setting; did you mean server_name?',
      },
    ],
  ],
  [
    'a slip that the server does not start with',
    'jwt_config:\n  algoritm: HS256\n',
    [
      {
        severity: 'error',
        setting: 'jwt_config.algoritm',
        line: 2,
        sentence: expect.stringContaining('did you mean algorithm?'),
      },
    ],
  ],
])('a configuration is checked: %s', async (_, text, problems) => {
  const { status, body } = await admin().post(`${at}/configuration/check`, { text });
  expect(status).toBe(200);
  expect(body.problems).toMatchObject(problems);
  expect(body.problems).toHaveLength(problems.length);
});

test('thousands of unknown settings are reported, each with its position', async () => {
  const text = Array.from({ length: 3_000 }, (_, index) => `k${index}: 1`).join('\n');
  const { body } = await admin().post(`${at}/configuration/check`, { text });
  expect(body.problems).toHaveLength(3_000);
  expect(body.problems.at(-1)).toMatchObject({ severity: 'warning', setting: 'k2999', line: 3_000 });
});

test('says in which dialects the server responds', async () => {
  expect((await admin().get(`${at}/dialects`)).body).toEqual({ dialects: ['vendor', 'matrix'] });
});

test('the configuration comes with its editable settings', async () => {
  const { body } = await admin().get(`${at}/configuration`);
  expect(body).toMatchObject({ path: join(directory, 'homeserver.yaml'), text: 'server_name: localhost\n' });
  expect(body.schema.properties.jwt_config.properties.algorithm).toMatchObject({
    enum: expect.arrayContaining(['HS256']),
    description: expect.any(String),
  });
});

test('the configuration is empty if its file is gone since the start', async () => {
  const file = join(directory, 'homeserver.yaml');
  const text = await readFile(file, 'utf8');
  await rm(file);
  expect(await admin().get(`${at}/configuration`)).toMatchObject({
    status: 200,
    body: { path: file, text: '' },
  });
  await writeFile(file, text);
});

const points = async () => (await admin().get(`${at}/figures`)).body.points;
/** Advances the clock by ten seconds and returns the new data point. */
async function nextPoint() {
  const { length } = await points();
  clock.advance(10_000);
  await expect.poll(points).toHaveLength(length + 1);
  return (await points()).at(-1);
}

test('figures have a point per ten seconds', async () => {
  await admin().get('/_chat/client/v3/account/whoami');
  const point = await nextPoint();
  expect(point).toMatchObject({ waiting_syncs: 0, tasks: {}, p50_ms: expect.any(Number) });
  expect(point.requests_per_second).toBeGreaterThan(0);
  expect(point.database_bytes).toBeGreaterThan(10_000);
  expect((await admin().get(`${at}/figures?after=${point.at}`)).body.points).toEqual([]);
});

test("figures continue without the system's memory file", async () => {
  const before = await nextPoint();
  const memoryUsage = vi.spyOn(process, 'memoryUsage').mockImplementation(() => {
    throw Object.assign(new Error('EMFILE: too many open files, uv_resident_set_memory'), { code: 'EMFILE' });
  });
  const after = await nextPoint();
  memoryUsage.mockRestore();
  expect(after.rss_bytes).toBe(before.rss_bytes);
});

test('the log streams from a level on', async () => {
  const read = async (query: string, until: string) => {
    const leaving = new AbortController();
    const stream = await fetch(`${homeserver.url}${at}/log/stream${query}`, {
      headers: { authorization: `Bearer ${admin().accessToken}` },
      signal: leaving.signal,
    });
    homeserver.services.log.warn('something to know, access_token=abcdef');
    homeserver.services.log.error('something to do');
    let text = '';
    for await (const chunk of stream.body ?? []) {
      text += new TextDecoder().decode(chunk);
      if (text.includes(until)) break;
    }
    leaving.abort();
    return text;
  };
  // Unique query strings identify these requests, since other tests sent similar ones.
  await admin().get('/_chat/client/v3/account/whoami?once');
  const all = await read('', 'something to do');
  expect(all).toMatch(/"level":"info".*whoami\?once/);
  expect(all).toContain('something to know');
  expect(all).not.toContain('abcdef');
  expect((await admin().get(`${at}/log`)).body).toEqual({ level: 'info' });
  expect(await read('?level=error', 'something to do')).not.toContain('something to know');

  // The filter hides the viewing admin's own requests, except those from another program.
  await homeserver.as('alice').get('/_chat/client/v3/joined_rooms');
  await admin().get('/_service/admin/v2/users?limit=7');
  await fetch(`${homeserver.url}/_chat/client/v3/devices`, {
    headers: { authorization: `Bearer ${admin().accessToken}`, 'user-agent': 'a client' },
  });
  // A page's scripts and fonts are requested with an `Origin` header.
  await fetch(`${homeserver.url}/console/assets/index.js`, { headers: { origin: homeserver.url } });
  const others = await read('?own=false', 'something to do');
  expect(others).not.toContain('/console/');
  expect(others).toContain('joined_rooms');
  expect(others).toContain('v3/devices');
  expect(others).not.toContain('admin/v2/users?limit=7');
  expect(others).not.toContain('whoami?once');
});

test('the log stream ends when its reader is no longer an admin', async () => {
  const { body: made } = await admin().post(`${at}/users`, { name: 'for-a-while', admin: true });
  const stream = await fetch(`${homeserver.url}${at}/log/stream`, {
    headers: { authorization: `Bearer ${made.access_token}` },
  });
  expect(stream.status).toBe(200);
  await admin().put(`/_service/admin/v2/users/${made.user_id}`, { admin: false });
  clock.advance(15_000);
  // The stream ends.
  await stream.text();
});

test('sample data is added with progress and can be stopped', async () => {
  const job = `${at}/sample-data`;
  expect((await admin().get(job)).body).toEqual({ status: 'idle', done: 0, total: 0 });
  expect(await admin().post(job, { reports: 1_000_001 })).toMatchObject({ status: 400 });
  expect(await admin().post(job, { reports: 1_000_000 })).toMatchObject({ body: { status: 'running' } });
  expect(await admin().post(job, {})).toMatchObject({ status: 409 });
  await expect.poll(async () => (await admin().get(job)).body.done).toBeGreaterThan(0);
  const { body } = await admin().delete(job);
  expect(body).toMatchObject({ status: 'stopped', total: expect.any(Number) });
  expect(body.done).toBeLessThan(body.total);

  await admin().post(job, { reports: 10, users: 3 });
  await expect.poll(async () => (await admin().get(job)).body.status).toBe('complete');
  expect((await admin().get('/_service/admin/v2/users/@person-3:localhost')).status).toBe(200);
});
