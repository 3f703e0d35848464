/** Updates on macOS, installed by Squirrel. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp } from './app.ts';
import { shellAlone } from './build.ts';
import type { Settings } from './stand-in/settings.ts';

const root = mkdtempSync(join(tmpdir(), 'gatehouse-updates-'));
const installed = join(root, 'installed');
const newer = 'the new one';
const keys = generateKeyPairSync('ed25519');

const server = createServer(({ url = '' }, response) => {
  const path = url.split('?', 1)[0];
  if (path === '/Gatehouse-0.2.0.zip') return response.end(newer);
  if (path !== '/latest-mac.yml') return response.writeHead(404).end();
  const sha512 = createHash('sha512').update(newer).digest('base64');
  const file = { url: 'Gatehouse-0.2.0.zip', sha512, size: newer.length };
  const text = `${JSON.stringify({ version: '0.2.0', files: [file], path: file.url, sha512 })}\n`;
  const signature = sign(null, Buffer.from(`Gatehouse latest-mac.yml\n${text}`), keys.privateKey);
  response.end(`${text}# signature: ${signature.toString('base64')}\n`);
});
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  // A cache for this test, relative to the user's cache folder.
  const updaterCacheDirName = relative(join(homedir(), 'Library/Caches'), join(root, 'cache'));
  const settings = { provider: 'generic', url, updaterCacheDirName };
  writeFileSync(join(root, 'app-update.yml'), JSON.stringify(settings));
  writeFileSync(join(root, 'update-key.pem'), keys.publicKey.export({ type: 'spki', format: 'pem' }));
});
afterAll(() => {
  server.close();
  rmSync(root, { recursive: true });
});

test.skipIf(process.platform !== 'linux').each([
  ['is idle is installed', 'SELECT 1', newer],
  [
    'is at work waits',
    "INSERT INTO scheduled_tasks (id, action, status, timestamp_ms, params) VALUES ('t', 'unknown', 'active', 0, '{}')",
    'the old one',
  ],
])('an update downloaded while the local server %s', async (_, begin, expected) => {
  writeFileSync(installed, 'the old one');
  await using app = await startApp({
    settings: { packaged: true, resources: root, platform: 'darwin', installed },
  });
  await (await app.nextDialog()).answer('Download');
  await (await app.nextDialog()).answer('Close');
  expect(await app.invoke('connections:add-local', undefined)).toMatchObject({ ok: true });
  const database = new Database(join(app.profile, 'homeserver/homeserver.db'));
  database.exec(begin);
  database.close();
  expect(readFileSync(installed, 'utf8')).toBe('the old one');
  expect(await app.quit(), app.output).toBe(0);
  expect(readFileSync(installed, 'utf8'), app.output).toBe(expected);
});

test.skipIf(process.platform !== 'linux')(
  'an update refused by Squirrel leaves the app unchanged, and the next start reports it',
  async () => {
    writeFileSync(installed, 'the old one');
    const settings: Partial<Settings> = { packaged: true, resources: root, platform: 'darwin', installed };
    await using app = await startApp({ dist: shellAlone, settings });
    await (await app.nextDialog()).answer('Download');
    await (await app.nextDialog()).answer('Close');
    writeFileSync(join(root, 'cache/pending/Gatehouse-0.2.0.zip'), '');
    expect(await app.quit(), app.output).toBe(0);
    expect(readFileSync(installed, 'utf8')).toBe('the old one');
    await using next = await startApp({ dist: shellAlone, settings, profile: app.profile });
    expect((await next.nextDialog()).options.detail).toContain("couldn't be installed when you quit");
  },
);
