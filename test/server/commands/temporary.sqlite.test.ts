/** Temporary servers, as scripts use them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryServerCommand } from '../../../server/administration/host/temporary-server-command.ts';
import { createTemporaryServers } from '../../../server/administration/host/temporary-servers.ts';
import { mintToken } from '../../../server/identity/login/jwt-token.ts';
import { makeFailingCalls } from '../failing-calls.ts';
import { collect, ending, type StartOptions, start } from '../gatehouse.ts';
import { call } from '../homeserver.ts';

let place: string;
let env: NodeJS.ProcessEnv;
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'gatehouse-temporary-'));
  env = { ...process.env, TMPDIR: place };
});
afterEach(() => rm(place, { recursive: true }));

const startTemporary = (...args: string[]) => startTemporaryWith({}, ...args);

async function startTemporaryWith(options: StartOptions, ...args: string[]) {
  const child = start(['serve', '--temporary', '--json', ...args], { env: { ...options.env, ...env } });
  return { child, facts: await firstLine(child) };
}

async function firstLine(child: ChildProcess) {
  if (!child.stdout) throw new Error('there is no output');
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line);
}

test('prints its addresses and credentials, and its data is deleted with it, even after a kill', async () => {
  const { child, facts } = await startTemporary('--name', 'one', '--secrets');
  const isBuilt = existsSync(join(import.meta.dirname, '../../../dist/renderer'));
  expect(facts.console_url).toBe(isBuilt ? `${facts.url}/console/` : undefined);
  expect(facts).toMatchObject({ name: 'one', user_id: '@admin:localhost', pid: expect.any(Number) });
  const users = await call(facts.url, 'GET', '/_service/admin/v2/users', facts.access_token);
  expect(users).toMatchObject({ status: 200, body: { total: 1 } });
  // The inspector shows requests made before it was opened.
  const inspected = await call(facts.url, 'GET', '/_gatehouse/v1/inspector/requests', facts.access_token);
  expect(inspected.body.requests).toMatchObject([{ path: '/_service/admin/v2/users' }]);
  const token = await mintToken({ claims: { sub: 'alice' }, algorithm: 'HS256', key: facts.jwt_secret });
  const login = { type: 'org.vendor.login.jwt', token };
  expect(await call(facts.url, 'POST', '/_chat/client/v3/login', undefined, login)).toMatchObject({
    status: 200,
  });
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(existsSync(facts.data_dir)).toBe(true);

  const next = await startTemporary('--no-console');
  expect(existsSync(facts.data_dir)).toBe(false);
  expect(next.facts.console_url).toBeUndefined();
  expect(next.facts.registration_shared_secret).toBeUndefined();
  next.child.kill('SIGTERM');
  expect(await once(next.child, 'exit')).toEqual([0, null]);
  expect(existsSync(next.facts.data_dir)).toBe(false);
  const [folder = ''] = await readdir(place);
  expect(await readdir(join(place, folder))).toEqual([]);
});

test.each([
  ['HS512', { registration_shared_secret: 'ours, too', jwt_secret: 'ours' }],
  // The public key can't sign login tokens.
  ['RS256', { registration_shared_secret: 'ours, too', jwt_secret: undefined }],
])('the printed secrets match its configuration with %s', async (algorithm, secrets) => {
  const config = join(place, `${algorithm}.yaml`);
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const secret = algorithm === 'HS512' ? 'ours' : publicKey.export({ type: 'spki', format: 'pem' });
  const jwt = { enabled: true, algorithm, secret };
  await writeFile(config, JSON.stringify({ registration_shared_secret: 'ours, too', jwt_config: jwt }));
  const { child, facts } = await startTemporary('--secrets', '--config', config);
  child.kill();
  const { registration_shared_secret, jwt_secret } = facts;
  expect({ registration_shared_secret, jwt_secret }).toEqual(secrets);
  await once(child, 'exit');
});

test.skipIf(process.platform === 'win32')(
  'repeated stop signals, as npm passes them on, end it cleanly',
  async () => {
    const { child, facts } = await startTemporary();
    const ended = once(child, 'exit');
    while (existsSync(facts.data_dir) && child.signalCode === null) {
      child.kill('SIGINT');
      await nextTurn();
    }
    expect(await ended).toEqual([0, null]);
    expect(existsSync(facts.data_dir)).toBe(false);
  },
);

test('stopped while creating its tables, it leaves nothing', async () => {
  const own = await mkdtemp(join(place, 'first-'));
  const hook = fileURLToPath(new URL('../database/kill-at-statement.ts', import.meta.url));
  const child = start(['serve', '--temporary'], {
    env: {
      ...env,
      TMPDIR: own,
      NODE_OPTIONS: `--import ${hook}`,
      KILL_AT_STATEMENT: '60',
      KILL_WITH: 'SIGTERM',
    },
  });
  expect(await ending(child)).toEqual({ code: 0, output: '', errors: '' });
  const [folder = ''] = await readdir(own);
  expect(await readdir(join(own, folder))).toEqual([]);
});

test('files created while its data is deleted are deleted too', async ({ skip }) => {
  const calls = await makeFailingCalls('FILE_COMES_LATE');
  if (!calls) return skip('there is no compiler to make such a moment with');
  const { child, facts } = await startTemporaryWith(calls.options);
  const errors = collect(child.stderr);
  await calls.fail();
  child.kill();
  expect([await once(child, 'exit'), await errors]).toEqual([[0, null], '']);
  expect(existsSync(facts.data_dir)).toBe(false);
  await expect(calls.succeed(), 'no file came late').rejects.toThrow('ENOENT');
  await calls.remove();
});

test("a closed output pipe doesn't end it", async () => {
  const child = start(['serve', '--port', '0', '--data-dir', join(place, 'unread')], { env });
  let said = '';
  const url = await new Promise<string>((resolve) => {
    child.stdout?.on('data', (chunk) => {
      said += chunk;
      const [found] = /http:\S+:\d+(?=\s)/.exec(said) ?? [];
      if (found) resolve(found);
    });
  });
  child.stdout?.destroy();
  child.stderr?.destroy();
  // Each request has a log line.
  for (let request = 0; request < 5; request++) {
    expect(await call(url, 'GET', '/_chat/client/versions')).toMatchObject({ status: 200 });
  }
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('several named ones run at once for a program that ends them', async () => {
  const bin = join(import.meta.dirname, '../../../bin/gatehouse.js');
  const before = process.env.TMPDIR;
  process.env.TMPDIR = place;
  const temporaryServers = createTemporaryServers(temporaryServerCommand([process.execPath, bin]));
  const [one, other] = await Promise.all([temporaryServers.start('first'), temporaryServers.start()]);
  process.env.TMPDIR = before;
  expect(await temporaryServers.list()).toHaveLength(2);
  expect(one.url).not.toBe(other.url);
  await expect(temporaryServers.start('first')).rejects.toThrow('exists');
  await temporaryServers.stop('first');
  expect(await temporaryServers.list()).toEqual([other]);
  await expect(temporaryServers.stop('first')).rejects.toThrow('No server named first');
  await temporaryServers.stopAll();
  expect(await temporaryServers.list()).toEqual([]);
});

test('an invalid name is refused', async () => {
  const child = spawn(process.execPath, [
    join(import.meta.dirname, '../../../bin/gatehouse.js'),
    ...['serve', '--temporary', '--name', '../x'],
  ]);
  expect(await once(child, 'exit')).toEqual([1, null]);
});

test('registration and JWT login are open and nothing is rate-limited, unless configured', async () => {
  const config = join(place, 'limits.yaml');
  await writeFile(config, 'rc_login: {address: {per_second: 0.001, burst_count: 1}}\n');
  const { child, facts } = await startTemporary('--config', config);
  const post = (path: string, body: object, token?: string) =>
    call(facts.url, 'POST', `/_chat/client/v3/${path}`, token, body);
  const auth = { type: 'm.login.dummy' };
  const { status, body } = await post('register', { username: 'ann', password: 'pa', auth });
  expect(status).toBe(200);
  const rooms = await Promise.all(
    Array.from({ length: 120 }, () => post('createRoom', {}, body.access_token)),
  );
  expect(new Set(rooms.map((room) => room.status))).toEqual(new Set([200]));
  const password = {
    type: 'm.login.password',
    identifier: { type: 'm.id.user', user: 'ann' },
    password: 'pa',
  };
  expect([(await post('login', password)).status, (await post('login', password)).status]).toEqual([
    200, 429,
  ]);
  child.kill();

  const closed = join(place, 'closed.yaml');
  const settings = [
    'rc_mesage: {per_second: 5}',
    'enable_registration: false',
    'jwt_config: {enabled: false}',
  ];
  await writeFile(closed, settings.join('\n'));
  const other = await startTemporary('--secrets', '--config', closed);
  const errors = collect(other.child.stderr);
  const refused = await call(other.facts.url, 'POST', '/_chat/client/v3/register', undefined, { auth });
  expect(refused.status).toBe(403);
  expect(other.facts.jwt_secret).toBeUndefined();
  const login = await call(other.facts.url, 'GET', '/_chat/client/v3/login');
  expect(JSON.stringify(login.body.flows)).not.toContain('jwt');
  other.child.kill();
  // The unknown setting is reported.
  expect(await errors).toMatch(/^warning: rc_mesage: unknown setting.*\n$/);
});

test.each([['what started it ends'], ['its input is closed']])('ends when %s', async (how) => {
  const bin = join(import.meta.dirname, '../../../bin/gatehouse.js');
  const command = [bin, 'serve', '--temporary', '--json', '--until-stdin-ends'];
  const starter =
    how === 'its input is closed'
      ? spawn(process.execPath, command, { env })
      : spawn(
          process.execPath,
          [
            '--input-type=module',
            '--eval',
            `import { spawn } from 'node:child_process';
             const [program, ...args] = ${JSON.stringify([process.execPath, ...command])};
             spawn(program, args, { stdio: ['pipe', 'inherit', 'inherit'] });`,
          ],
          { env },
        );
  const facts = await firstLine(starter);
  if (how === 'its input is closed') starter.stdin?.end();
  else starter.kill('SIGKILL');
  await expect.poll(() => existsSync(facts.data_dir)).toBe(false);
});
