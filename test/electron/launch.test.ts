import { exec, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { portNumber } from '../../electron/homeserver/listeners.ts';
import { projectRoot } from '../../electron/launch/build.ts';
import { until } from '../until.ts';

const root = mkdtempSync(join(tmpdir(), 'gatehouse-launch-'));
afterAll(() => rmSync(root, { recursive: true }));
let directories = 0;
const newDirectory = () => join(root, String(++directories));

/** Runs `npm start` with arguments in the given environment. */
function start(args: string[], environment: Record<string, string> = {}) {
  const { DISPLAY: _x11, WAYLAND_DISPLAY: _wayland, ...env } = process.env;
  const child = spawn(process.execPath, [join(projectRoot, 'electron/launch/launch.ts'), ...args], {
    env: { ...env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const running = { output: '', errors: '', child };
  const listening = Promise.withResolvers<string>();
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  child.stdout.on('data', (chunk) => {
    running.output += chunk;
    const [, link] = /^Sign in: +(\S+)$/m.exec(running.output) ?? [];
    if (link) listening.resolve(link);
  });
  child.stderr.on('data', (chunk) => {
    running.errors += chunk;
  });
  void ended.then(() => listening.reject(new Error(`It ended:\n${running.output}${running.errors}`)));
  listening.promise.catch(() => {});
  return Object.assign(running, { link: listening.promise, ended });
}

async function logIn(link: string) {
  const { origin, hash } = new URL(link);
  const token = new URLSearchParams(hash.slice(1)).get('login_token');
  const response = await fetch(`${origin}/_chat/client/r0/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'm.login.token', token }),
  });
  return { status: response.status, body: (await response.json()) as { access_token: string } };
}

async function reportCount(link: string, token?: string): Promise<number> {
  const accessToken = token ?? (await logIn(link)).body.access_token;
  const response = await fetch(`${new URL(link).origin}/_service/admin/v1/event_reports?limit=1`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  return ((await response.json()) as { total: number }).total;
}

test.skipIf(process.platform !== 'linux')(
  'without a display it says why, serves the console to the browser, and stops cleanly with the terminal',
  async () => {
    const dataDir = newDirectory();
    const app = start(['--data-dir', dataDir, '--port', '0', '--empty']);
    const link = await app.link;
    expect(app.output).toMatch(/^No window: this computer has no display\. .*browser/m);
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/#login_token=[\w-]{20,}$/);
    const page = await fetch(link);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).toContain('<div id="root">');
    expect(app.errors).toBe('');
    app.child.stdout.destroy();
    app.child.stderr.destroy();
    app.child.kill('SIGHUP');
    expect(await app.ended).toBe(0);
    expect(existsSync(join(dataDir, 'homeserver.db'))).toBe(true);
    expect(existsSync(join(dataDir, 'homeserver.db-wal'))).toBe(false);
  },
);

test('--empty creates an empty server, its link signs in once, and a failed restart says why and exits', async () => {
  const dataDir = newDirectory();
  const app = start(['--browser', '--data-dir', dataDir, '--port', '0', '--empty']);
  const link = await app.link;
  expect(app.output).not.toContain('No window');
  const { status, body } = await logIn(link);
  expect({ status, body }).toMatchObject({ status: 200, body: { user_id: '@admin:localhost' } });
  expect(await logIn(link)).toMatchObject({ status: 403 });
  expect(await reportCount(link, body.access_token)).toBe(0);
  // Valid on its own, but doesn't match the data.
  writeFileSync(join(dataDir, 'homeserver.yaml'), 'server_name: elsewhere.example\n');
  await fetch(new URL('/_gatehouse/v1/host/restart', link), {
    method: 'POST',
    headers: { authorization: `Bearer ${body.access_token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  expect(await app.ended).toBe(1);
  expect(app.output).toMatch(/^The homeserver couldn't start: server_name.*$/m);
});

/** A first start that fails because its port is taken. */
async function failedStart(dataDir: string): Promise<void> {
  const other = createServer();
  const port = await new Promise<number>((resolve) => {
    other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port));
  });
  const failed = start(['--browser', '--data-dir', dataDir, '--port', String(port)]);
  expect(await failed.ended).toBe(1);
  other.close();
  expect(failed.errors).toMatch(
    new RegExp(`^gatehouse: .*${port} is in use.*\\nTo use a free port: npm start -- --port 0\\n$`),
  );
}

/** Kills the start after a failed one while it adds sample data. Retries if all data was already added. */
async function killedWhileFilling(): Promise<{ dataDir: string; file: string }> {
  for (let isFirst = true; ; isFirst = false) {
    const dataDir = newDirectory();
    const file = `${dataDir}-elsewhere.db`;
    mkdirSync(dataDir, { mode: 0o700 });
    const database = { name: 'sqlite3', args: { database: file } };
    writeFileSync(join(dataDir, 'homeserver.yaml'), JSON.stringify({ database }));
    if (isFirst) await failedStart(dataDir);
    const read = (query: string) => {
      const opened = new Database(file, { readonly: true });
      try {
        return opened.prepare(query).pluck().get();
      } finally {
        opened.close();
      }
    };
    const killed = start(['--browser', '--data-dir', dataDir, '--port', '0']);
    await until(() => read('select 1 from users limit 1') ?? expect.fail('nobody is there yet'));
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(killed.output).toContain('Adding sample data to the new server');
    if (Number(read('select count(*) from event_reports')) < 250) return { dataDir, file };
  }
}

test('sample data left by a failed first start and interrupted by a kill is completed at the next start, and added only once', async () => {
  const { dataDir, file } = await killedWhileFilling();

  const next = start(['--browser', '--data-dir', dataDir, '--port', '0']);
  expect(await reportCount(await next.link)).toBe(250);
  expect(next.output).toContain('was interrupted');
  next.child.kill('SIGTERM');
  expect(await next.ended).toBe(0);
  expect(existsSync(`${file}-wal`)).toBe(false);
  const filled = new Database(file, { readonly: true });
  const statuses = 'select distinct status from scheduled_tasks order by status';
  expect(filled.prepare(statuses).pluck().all()).toEqual(
    expect.arrayContaining(['complete', 'failed', 'scheduled']),
  );
  filled.close();

  const last = start(['--browser', '--data-dir', dataDir, '--port', '0']);
  expect(await reportCount(await last.link)).toBe(250);
  expect(last.output).not.toContain('sample data');
  last.child.kill('SIGTERM');
  await last.ended;
});

test.each(['http', '70000', '-1', '8.5'])("%s isn't a port", (port) => {
  expect(() => portNumber(port)).toThrow('is not a port');
});

/** Returns the environment of a machine with a display, a non-root user, and this script as its runtime. */
function withRuntime(script: string, mode = 0o755): Record<string, string> {
  const runtime = newDirectory();
  mkdirSync(runtime, { recursive: true });
  writeFileSync(join(runtime, 'electron'), `#!/bin/sh\n${script}\n`, { mode });
  return {
    DISPLAY: ':99',
    ELECTRON_OVERRIDE_DIST_PATH: runtime,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent('process.getuid = () => 1000')}`,
  };
}

test.skipIf(process.platform !== 'linux')(
  'with a runtime and a display the app starts with the given options',
  async () => {
    const environment = withRuntime('echo "arguments: $*"; exit 7');
    const app = start(['--data-dir', '/somewhere', '--port', '1234'], environment);
    expect(await app.ended).toBe(7);
    expect(app.output).toContain(`arguments: ${projectRoot} --data-dir=/somewhere --port=1234 --sample-data`);
  },
);

test.skipIf(process.platform !== 'linux').each([
  [
    'lacks a library',
    ', and the console is served to the browser',
    'echo "electron: error while loading shared libraries: libgtk-3.so.0" >&2; exit 127',
    0o755,
  ],
  ['has no sandbox', '', 'echo "FATAL: The SUID sandbox helper binary was found" >&2; kill -TRAP $$', 0o755],
  ['may not be run', '', 'exit 7', 0o644],
])('a runtime that %s is reported in one line%s', async (_, served, script, mode) => {
  const app = start(['--data-dir', newDirectory(), '--port', '0', '--empty'], withRuntime(script, mode));
  await expect
    .poll(() => app.output)
    .toMatch(
      /^No window: the Electron runtime couldn't start \(.+\)\. Opening the console in the browser instead\.$/m,
    );
  if (served) await app.link;
  expect(app.errors).not.toContain('    at ');
  app.child.kill(served ? 'SIGTERM' : 'SIGKILL');
  expect(await app.ended).toBe(served ? 0 : null);
});

test.skipIf(process.platform !== 'linux')('an invalid port opens no window', async () => {
  const app = start(['--data-dir', newDirectory(), '--port', 'http'], withRuntime('echo opened'));
  expect(await app.ended).toBe(1);
  expect(app.output).toBe('');
  expect(app.errors).toMatch(/^gatehouse: --port.*\n$/);
});

test.skipIf(process.platform !== 'linux')(
  'Ctrl+C, which the terminal also sends to the app, lets it finish',
  async () => {
    const held = newDirectory();
    mkdirSync(held);
    // A second signal would end it at once, as in Electron.
    const finish = `trap - TERM; echo asked to end; while [ -e ${held} ]; do sleep 0.1; done; exit 7`;
    const told = `trap 'echo cut off' INT; trap '${finish}' TERM; echo up; while :; do sleep 0.1; done`;
    const app = start([], withRuntime(told));
    await expect.poll(() => app.output).toContain('up');
    app.child.kill('SIGINT');
    await expect.poll(() => app.output).toContain('asked to end');
    // npm forwards signals that the terminal already sent to the whole group.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) app.child.kill(signal);
    rmSync(held, { recursive: true });
    expect(await app.ended).toBe(7);
    expect(app.output).toBe('up\nasked to end\n');
  },
);

test.skipIf(process.platform !== 'linux')('a missing runtime is reported in one line', async () => {
  const environment = { DISPLAY: ':99', ELECTRON_SKIP_BINARY_DOWNLOAD: '1' };
  const app = start(['--data-dir', newDirectory(), '--port', '0', '--empty'], environment);
  await expect
    .poll(() => app.output)
    .toMatch(/^No window: (no Electron runtime|Electron can't run as root)/m);
  app.child.kill('SIGKILL');
  await app.ended;
});

test('an installed server needs no build tools', async () => {
  const project = newDirectory();
  for (const part of ['package.json', 'electron/launch']) {
    cpSync(join(projectRoot, part), join(project, part), { recursive: true });
  }
  await promisify(exec)('npm run prepare', { cwd: project });
  expect(existsSync(join(project, 'dist'))).toBe(false);
});
