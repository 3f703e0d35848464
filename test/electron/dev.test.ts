/** `npm run dev` with a runtime, here the stand-in. */
import { execFile } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../electron/launch/build.ts';
import { runRestarting } from '../../electron/launch/run-restarting.ts';
import { patience } from '../patience.ts';
import { appArguments, appEnvironment, newProfile, startApp } from './app.ts';
import { shellAlone } from './build.ts';

/** Bundles that tests can modify. Inside the project, so that they resolve their packages. */
const dist = join(projectRoot, 'dist/test-development');
const asked: string[] = [];
const vite = createServer((request, response) => {
  asked.push(request.url ?? '');
  response.setHeader('content-type', 'text/html');
  response.end('<!doctype html><title>Served</title><script>document.title = "Worked on"</script>');
});
let address: string;

beforeAll(async () => {
  rmSync(dist, { recursive: true, force: true });
  cpSync(shellAlone, dist, { recursive: true });
  await new Promise<void>((resolve) => vite.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(vite.address() as AddressInfo).port}`;
});
afterAll(() => {
  vite.close();
  rmSync(dist, { recursive: true, force: true });
});

test('the development console is used, and windows reload with a changed preload script', async () => {
  await using app = await startApp({ dist, arguments: [`--console-from=${address}`] });
  // A script in the page, like Vite's client.
  await app.page.waitForFunction(() => document.title === 'Worked on');
  expect(asked).toContain('/console/');
  await app.page.evaluate(() => Object.assign(window, { before: true }));
  appendFileSync(join(dist, 'electron/preload.cjs'), '\n// Another one.\n');
  await app.page.waitForFunction(() => !('before' in window) && window.gatehouse !== undefined);
});

test('an installed app always uses its own console', async () => {
  await using app = await startApp({
    dist: shellAlone,
    arguments: [`--console-from=${address}`],
    settings: { packaged: true },
  });
  await app.page.waitForFunction(() => document.title === 'Ready');
});

test.skipIf(process.platform === 'win32')('the development app is separate from the built one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-dev-'));
  const runtime = join(folder, 'electron');
  // A runtime that prints its arguments and exits.
  writeFileSync(runtime, '#!/bin/sh\necho "app: $1"; echo "told: $*"\n', { mode: 0o755 });
  const built = listing(join(projectRoot, 'dist/electron'));
  const script = `const { developInWindow } = await import(${JSON.stringify(
    pathToFileURL(join(projectRoot, 'electron/launch/dev-window.ts')).href,
  )}); await developInWindow(${JSON.stringify(runtime)}, { dataDir: ${JSON.stringify(
    join(folder, 'data'),
  )}, port: 1234, empty: true });`;
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--eval', script], {
      env: { ...process.env, NODE_ENV: 'development' },
    });
    const [, path = ''] = /^app: (.+)$/m.exec(stdout) ?? [];
    const { main, productName } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    expect(existsSync(join(path, main)), stderr).toBe(true);
    expect(productName).toBe('Gatehouse');
    expect(stdout).toMatch(
      new RegExp(`^told: .* --data-dir=${join(folder, 'data')} --port=1234 --disable-features`, 'm'),
    );
    expect(listing(join(projectRoot, 'dist/electron'))).toEqual(built);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.skipIf(process.platform === 'win32')("a runtime that can't be started ends the command", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-dev-'));
  writeFileSync(join(folder, 'electron'), 'no program');
  const development = promisify(execFile)(
    process.execPath,
    [join(projectRoot, 'electron/launch/dev.ts'), '--data-dir', join(folder, 'data')],
    {
      timeout: 2 * patience,
      env: {
        ...process.env,
        NODE_ENV: 'development',
        DISPLAY: ':99',
        ELECTRON_OVERRIDE_DIST_PATH: folder,
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent('process.getuid = () => 1000')}`,
      },
    },
  );
  await expect(development).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^gatehouse: spawn .*electron EACCES$/m),
  });
  rmSync(folder, { recursive: true });
});

const listing = (folder: string) =>
  readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mtimeMs]);

test('a changed main script restarts the app, and its own exit ends the command', async () => {
  const profile = newProfile();
  const starts = () => {
    try {
      return readFileSync(join(profile, 'logs/gatehouse.log'), 'utf8').split(' started\n').length - 1;
    } catch {
      return 0;
    }
  };
  const running = runRestarting({
    program: process.execPath,
    arguments: appArguments({ dist, profile }),
    folder: join(dist, 'electron'),
    environment: appEnvironment({ profile }),
  });
  try {
    await expect.poll(starts).toBe(1);
    appendFileSync(join(dist, 'electron/main.js'), '\n// Another one.\n');
    await expect.poll(starts).toBe(2);
    running.stop();
    expect(await running.ended).toBe(0);
  } finally {
    running.stop();
    rmSync(profile, { recursive: true, force: true });
    rmSync(`${profile}.keychain`, { force: true });
  }
});

test.skipIf(process.platform === 'win32')(
  'a second stop signal is passed on, and the app ends on its own',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-dev-'));
    const file = (name: string) => join(folder, name);
    // A second signal would end it at once, as in Electron.
    const finish = `trap - TERM; : > ${file('told')}; while [ ! -e ${file('go')} ]; do sleep 0.1; done; exit 7`;
    const script = `trap '${finish}' TERM; : > ${file('up')}; while :; do sleep 0.1; done`;
    const running = runRestarting({ program: '/bin/sh', arguments: ['-c', script], folder });
    try {
      await expect.poll(() => existsSync(file('up'))).toBe(true);
      running.stop();
      await expect.poll(() => existsSync(file('told'))).toBe(true);
      running.stop();
      writeFileSync(file('go'), '');
      expect(await running.ended).toBe(7);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
