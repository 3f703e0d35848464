/** Updates on Windows: an installer, here a script, runs after the app quits. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, startApp } from './app.ts';
import { builtShell, shellAlone } from './build.ts';

const root = mkdtempSync(join(tmpdir(), 'gatehouse-updates-'));
const installed = join(root, 'installed');
const cached = join(root, 'cache/pending/Gatehouse-0.2.0.exe');
const installer = `#!/bin/sh\necho "$*" > '${installed}'\n`;
const keys = generateKeyPairSync('ed25519');

const server = createServer(({ url = '' }, response) => {
  const path = url.split('?', 1)[0];
  if (path === '/Gatehouse-0.2.0.exe') return response.end(installer);
  if (path !== '/latest.yml') return response.writeHead(404).end();
  const sha512 = createHash('sha512').update(installer).digest('base64');
  const file = { url: 'Gatehouse-0.2.0.exe', sha512, size: installer.length };
  const text = `${JSON.stringify({ version: '0.2.0', files: [file], path: file.url, sha512 })}\n`;
  const signature = sign(null, Buffer.from(`Gatehouse latest.yml\n${text}`), keys.privateKey);
  response.end(`${text}# signature: ${signature.toString('base64')}\n`);
});
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const settings = { provider: 'generic', url, updaterCacheDirName: 'cache' };
  writeFileSync(join(root, 'app-update.yml'), JSON.stringify(settings));
  writeFileSync(join(root, 'update-key.pem'), keys.publicKey.export({ type: 'spki', format: 'pem' }));
});
afterAll(() => {
  server.close();
  rmSync(root, { recursive: true });
});

const start = ({ dist = shellAlone, profile }: { dist?: string; profile?: string } = {}) =>
  startApp({
    dist,
    ...(profile !== undefined && { profile }),
    settings: { packaged: true, resources: root, platform: 'win32' },
    environment: { LOCALAPPDATA: root },
  });

/** Starts an app and downloads an update that installs on quit. */
async function startWithUpdate(dist = shellAlone): Promise<App> {
  rmSync(installed, { force: true });
  const app = await start({ dist });
  await (await app.nextDialog()).answer('Download');
  await (await app.nextDialog()).answer('Close');
  chmodSync(cached, 0o755);
  return app;
}

test.skipIf(process.platform !== 'linux')(
  'a downloaded update is installed after the app exits',
  async () => {
    await using app = await startWithUpdate();
    expect(existsSync(installed)).toBe(false);
    expect(await app.quit(), app.output).toBe(0);
    await expect.poll(() => existsSync(installed) && readFileSync(installed, 'utf8')).toBe('--updated /S\n');
  },
);

test.skipIf(process.platform !== 'linux')('an update waits while the local server is busy', async () => {
  await using app = await startWithUpdate(builtShell);
  expect(await app.invoke('connections:add-local', undefined)).toMatchObject({ ok: true });
  const database = new Database(join(app.profile, 'homeserver/homeserver.db'));
  database.exec(
    "INSERT INTO scheduled_tasks (id, action, status, timestamp_ms, params) VALUES ('t', 'unknown', 'active', 0, '{}')",
  );
  database.close();
  expect(await app.quit(), app.output).toBe(0);
  await using next = await start({ profile: app.profile });
  expect((await next.nextDialog()).options.detail).toContain('may have been busy');
  expect(existsSync(installed)).toBe(false);
});

test.skipIf(process.platform !== 'linux').each([
  ['is gone', () => rmSync(cached)],
  ['is another by then', () => writeFileSync(cached, `${installer}# more\n`)],
])("an installer that %s isn't started, and the next start reports it", async (_, change) => {
  await using app = await startWithUpdate();
  change();
  expect(await app.quit(), app.output).toBe(0);
  await using next = await start({ profile: app.profile });
  expect((await next.nextDialog()).options.detail).toContain("couldn't be installed when you quit");
  expect(existsSync(installed)).toBe(false);
});
