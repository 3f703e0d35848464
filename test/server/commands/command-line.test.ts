import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withServices } from '../../../server/app/commands/with-services.ts';
import { createUser } from '../../../server/identity/accounts/create-user.ts';
import { isRunning } from '../../../server/platform/core/process.ts';
import { programVersion } from '../../../server/platform/core/version.ts';
import { isMatrix } from '../../matrix.ts';
import { ending, gatehouse, serve, serveWith, start } from '../gatehouse.ts';
import { call } from '../homeserver.ts';
import { png } from '../media/images.ts';
import { refusedStart } from '../refused-start.ts';
import { makeSmallDisk } from '../small-disk.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-cli-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

const logIn = (url: string, user: string, password: string) =>
  call(url, 'POST', '/_chat/client/v3/login', undefined, { type: 'm.login.password', user, password });

test.each(isMatrix ? (['SIGTERM', 'SIGINT', 'SIGHUP'] as const) : (['SIGHUP'] as const))(
  'serve needs no configuration, and %s stops it cleanly',
  async (signal) => {
    const server = await serve('--data-dir', dataDir);
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await call(server.url, 'GET', '/_chat/client/versions')).status).toBe(200);
    expect(await server.end(signal)).toBe(0);
  },
);

test
  .runIf(process.platform === 'linux')
  .each(isMatrix ? (['SIGTERM', 'SIGKILL'] as const) : (['SIGTERM'] as const))(
  'a server started by npm ends when npm gets %s',
  async (signal) => {
    const npm = spawn('npm', ['run', 'gatehouse', '--', 'serve', '--temporary', '--json'], {
      cwd: join(import.meta.dirname, '../../..'),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let pid = 0;
    for await (const line of createInterface({ input: npm.stdout })) {
      if (line.startsWith('{')) pid = JSON.parse(line).pid;
      if (pid) break;
    }
    expect(isRunning(pid)).toBe(true);
    npm.kill(signal);
    await expect.poll(() => isRunning(pid)).toBe(false);
  },
);

/** Creates a user without the command line, which takes longer. */
async function addUser(localpart: string): Promise<void> {
  await withServices({ dataDir }, async (services) => {
    await createUser(services, { localpart });
  });
}

test('users sign-in-link prints links that sign in once, with the URL of the running server, the configured one, or --console', async () => {
  const file = join(dataDir, 'homeserver.yaml');
  const run = (...more: string[]) =>
    gatehouse('users', 'sign-in-link', '--data-dir', dataDir, '--config', file, ...more);
  await addUser('first');
  await writeFile(file, "listeners: [{port: 8123, bind_addresses: ['::1']}]\n");
  expect((await run()).output).toMatch(/^http:\/\/\[::1\]:8123\/console\/#login_token=\S+\n$/);
  await writeFile(file, 'listeners: [{port: 0}]\n');
  const requiresUrl = { code: 1, errors: expect.stringContaining('--console') };
  expect(await run()).toMatchObject(requiresUrl);

  const link = async () => {
    const made = await run('--console', 'http://console.example/');
    expect(made.code).toBe(0);
    const [, token] = /^http:\/\/console\.example\/#login_token=(\S+)\n$/.exec(made.output) ?? [];
    return token;
  };
  const before = await link();
  const server = await serve('--data-dir', dataDir, '--config', file);
  const redeem = (token: string | undefined) =>
    call(server.url, 'POST', '/_chat/client/v3/login', undefined, { type: 'm.login.token', token });
  const users: string[] = [];
  for (const token of [before, await link()]) {
    const { status, body } = await redeem(token);
    expect(status).toBe(200);
    users.push(body.user_id);
    const reports = await call(server.url, 'GET', '/_service/admin/v1/event_reports', body.access_token);
    expect(reports.status).toBe(200);
    expect((await redeem(token)).status).toBe(403);
  }
  expect(users).toEqual(['@admin:localhost', '@admin:localhost']);

  expect((await run()).output).toMatch(new RegExp(`^${server.url}/console/#login_token=\\S+\n$`));
  // A killed server doesn't count as running.
  await server.end('SIGKILL');
  expect(await run()).toMatchObject(requiresUrl);
});

test('users add creates users while the server runs or not, and reads the password from standard input', async () => {
  const add = (name: string, ...more: string[]) =>
    gatehouse('users', 'add', name, '--password', 'pass-word', '--data-dir', dataDir, ...more);
  const addPiped = (input: string) => {
    const child = start(['users', 'add', 'piped', '--password-stdin', '--data-dir', dataDir], {}, 'pipe');
    child.stdin?.end(input);
    return ending(child);
  };

  expect(await add('before', '--admin')).toMatchObject({
    code: 0,
    output: 'Created @before:localhost (server admin)\n',
  });
  expect(await addPiped('\n')).toMatchObject({
    code: 1,
    errors: expect.stringContaining('password is empty'),
  });
  expect(await addPiped('pass-word\n')).toMatchObject({ code: 0, output: 'Created @piped:localhost\n' });
  const server = await serve('--data-dir', dataDir);
  expect(await add('during')).toMatchObject({ code: 0, output: 'Created @during:localhost\n' });

  const admin = await logIn(server.url, 'before', 'pass-word');
  expect(admin.status).toBe(200);
  for (const name of ['during', 'piped'])
    expect((await logIn(server.url, name, 'pass-word')).status).toBe(200);
  const reports = await call(server.url, 'GET', '/_service/admin/v1/event_reports', admin.body.access_token);
  expect(reports).toMatchObject({ status: 200, body: { event_reports: [], total: 0 } });

  expect(await add('during')).toMatchObject({ code: 1, errors: 'gatehouse: User ID already taken.\n' });
  expect(await gatehouse('users', 'list', '--data-dir', dataDir)).toMatchObject({
    code: 0,
    output: '@before:localhost (server admin)\n@during:localhost\n@piped:localhost\n',
  });
  await server.end('SIGTERM');

  // Other tests make passwords cheap in their own process. The command line must store real ones.
  const database = new SqliteDatabase(join(dataDir, 'homeserver.db'), { readonly: true });
  const hashes = database.prepare('select password_hash from users').pluck().all();
  database.close();
  expect(hashes).toEqual([1, 2, 3].map(() => expect.stringMatching(/^scrypt\$32768\$8\$3\$/)));
});

test('users sign-in-link and restore create nothing without data', async () => {
  const missing = join(dataDir, 'missing');
  expect(await gatehouse('users', 'sign-in-link', '--data-dir', missing)).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/^gatehouse: --data-dir: no homeserver data in .*\n$/),
  });
  expect(await gatehouse('restore', `${missing}.tar`, '--data-dir', missing)).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/^gatehouse: .*missing\.tar: file not found; .*\n$/),
  });
  expect(await readdir(dataDir)).toEqual([]);
});

test('--version prints the version of the program', async () => {
  expect(await gatehouse('--version')).toEqual({ code: 0, output: `${programVersion}\n`, errors: '' });
});

test('an invalid configuration: exit code 1 and one line', async () => {
  const file = join(dataDir, 'homeserver.yaml');
  await writeFile(file, 'enable_registration: true\n');
  const { code, output, errors } = await gatehouse(
    'serve',
    '--config',
    file,
    '--data-dir',
    dataDir,
    '--port',
    '0',
  );
  expect({ code, output }).toEqual({ code: 1, output: '' });
  expect(errors).toMatch(/^gatehouse: enable_registration: .*enable_registration_without_verification.*\n$/);
});

test('a second server on the same data is refused', async () => {
  const first = await serve('--data-dir', dataDir);
  const second = await gatehouse('serve', '--data-dir', dataDir, '--port', '0');
  expect(second).toMatchObject({ code: 1, errors: expect.stringContaining('another homeserver is using') });
  expect(await first.end('SIGTERM')).toBe(0);
  const third = await serve('--data-dir', dataDir);
  expect(await third.end('SIGTERM')).toBe(0);
});

test('data with another server name is refused', async () => {
  await addUser('someone');
  const file = join(dataDir, 'homeserver.yaml');
  await writeFile(file, 'server_name: elsewhere.org\n');
  const refused = await gatehouse('serve', '--config', file, '--data-dir', dataDir, '--port', '0');
  expect(refused).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/^gatehouse: server_name: .*localhost/),
  });
});

test.each([
  [['frobnicate'], /unknown command/],
  [['serve', '--port', 'eighty'], /whole number/],
  [['serve', '--port', '65536'], /--port.*from 0 to 65535/],
  [['serve', '--data-dir', ''], /--data-dir.*must not be empty/],
  [['plan', '--from', '1.98.0', '--config', ''], /--config.*must not be empty/],
  [['serve', '--json'], /--json.*requires --temporary/],
  [['serve', '--secrets'], /--secrets.*requires --temporary/],
  [['serve', '--name', 'x'], /--name.*requires --temporary/],
  [['serve', '--temporary', '--processes', '2'], /--processes.*cannot be used with.*--temporary/],
  [['users', 'add', 'x'], /add --password-stdin/],
  [['users', 'add', 'x', '--password', ''], /password is empty/],
  [['users', 'add', 'x', '--password', 'y', '--password-stdin'], /cannot be used with/],
  [['users', 'sign-in-link', '--console', 'nonsense'], /--console.*must be a URL/i],
  [['users', 'sign-in-link', '--console', 'javascript:alert(1)'], /--console.*must be a URL/i],
])('names the error in %j', async (args, message) => {
  const { code, errors } = await gatehouse(...args);
  expect(code).toBe(1);
  expect(errors).toMatch(message);
});

test('data below a file is refused with one line', async () => {
  const file = join(dataDir, 'file');
  await writeFile(file, '');
  const refusal = await refusedStart({ dataDir: join(file, 'below') });
  expect(refusal).toMatch(/^--data-dir: can't create \S+ \(ENOTDIR\); .+$/);
});

test.runIf(process.platform === 'linux').each([
  ['--data-dir', {}, '/proc/x/y'],
  ['media_store_path', { media_store_path: '/proc/x/y' }, undefined],
  ['signing_key_path', { signing_key_path: '/proc/x/y/signing.key' }, undefined],
])('%s where no directory can be created is refused with one line', async (setting, settings, place) => {
  const file = join(dataDir, 'homeserver.yaml');
  await writeFile(file, JSON.stringify(settings));
  expect(await refusedStart({ file, dataDir: place ?? join(dataDir, 'data') })).toMatch(
    new RegExp(`^${setting}: can't (create|use) /proc/x/y .+$`),
  );
});

test('a full disk is reported in one line', async ({ skip }) => {
  const disk = await makeSmallDisk(2 * 1024 ** 2);
  if (!disk) return skip('only root can make a disk that is small enough to fill');
  const { code, errors } = await gatehouse('sample-data', '--data-dir', join(disk.directory, 'data'));
  expect(code).toBe(1);
  expect(errors).toMatch(/^gatehouse: .*its disk is full.*\n$/);
});

/** Makes a process report an older Node version, but not its children. */
function onOlderNode(): NodeJS.ProcessEnv {
  const older =
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })";
  const { NODE_COMPILE_CACHE: _tests, ...env } = process.env;
  return { ...env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(older)}` };
}

test('an older Node runs the command line, with its compile cache in the build', async () => {
  const { NODE_OPTIONS: _older, ...env } = onOlderNode();
  const compiled = join(import.meta.dirname, '../../../dist/server/compiled');
  for (const options of [{ env: onOlderNode() }, { env }]) {
    await rm(compiled, { recursive: true, force: true });
    const { code, output, errors } = await ending(start(['--help'], options));
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(output).toContain('serve');
    expect(await readdir(compiled)).not.toEqual([]);
  }
});

test.runIf(isMatrix)('a server started by an older Node ends when that is killed', async () => {
  const server = await serveWith({ env: onOlderNode() }, '--data-dir', dataDir);
  await server.end('SIGKILL');
  const answers = () =>
    call(server.url, 'GET', '/_chat/client/versions').then(
      () => true,
      () => false,
    );
  await expect.poll(answers).toBe(false);
  const again = await serve('--data-dir', dataDir);
  expect(await again.end('SIGTERM')).toBe(0);
});

test('a server started by an older Node stops with it', async () => {
  const server = await serveWith({ env: onOlderNode() }, '--data-dir', dataDir);
  expect(await server.end('SIGTERM')).toBe(0);
  expect(await server.errors).not.toContain('rror');
});

test.runIf(isMatrix)('a temporary server started by an older Node stops with its parent', async () => {
  const bin = join(import.meta.dirname, '../../../bin/gatehouse.js');
  const child = fork(bin, ['serve', '--temporary'], { env: onOlderNode(), silent: true });
  await once(child.stdout as Readable, 'data');
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test.runIf(isMatrix)('worker threads run under an older Node', async () => {
  const options = { env: onOlderNode() };
  const run = (...args: string[]) => ending(start([...args, '--data-dir', dataDir], options));
  expect(await run('users', 'add', 'alice', '--password', 'pass-word')).toMatchObject({
    code: 0,
    errors: '',
  });
  expect(await run('backup', join(dataDir, 'backup.tar'))).toMatchObject({ code: 0, errors: '' });

  const server = await serveWith(options, '--data-dir', dataDir);
  const { access_token: token } = (await logIn(server.url, 'alice', 'pass-word')).body;
  const send = (path: string, request: RequestInit = {}) =>
    fetch(`${server.url}/_chat/${path}`, { ...request, headers: { authorization: `Bearer ${token}` } });
  const uploaded = await send('media/v3/upload', { method: 'POST', body: png(200, 200).slice() });
  const [, picture] = /^{"content_uri":"mxc:\/\/(.*)"}$/.exec(await uploaded.text()) ?? [];
  const thumbnail = await send(`client/v1/media/thumbnail/${picture}?width=96&height=96`);
  await server.end('SIGTERM');
  expect(thumbnail.status).toBe(200);
});
