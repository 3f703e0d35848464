/** Uploads after a kill: all acknowledged ones are there, and nothing else. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openServices } from '../../../server/app/services.ts';
import { createUser } from '../../../server/identity/accounts/create-user.ts';
import { openSession } from '../../../server/identity/sessions/sessions.ts';
import type { DatabaseConfig } from '../../../server/platform/config/database.ts';
import { loadConfig } from '../../../server/platform/config/load.ts';
import { isMatrix } from '../../matrix.ts';
import { makeDatabase } from '../database.ts';
import { makeFailingCalls } from '../failing-calls.ts';
import { type Served, type StartOptions, serve, serveWith } from '../gatehouse.ts';
import { call } from '../homeserver.ts';

let dataDir: string;
let database: Awaited<ReturnType<typeof makeDatabase>>;
/** The server's configuration options. */
let source: string[];
let token: string;
let store: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-uploads-'));
  database = await makeDatabase();
  const file = join(dataDir, 'homeserver.yaml');
  await writeFile(file, JSON.stringify(database ? { database: asSettings(database.config) } : {}));
  source = ['--data-dir', dataDir, '--config', file];
  const config = await loadConfig({ dataDir, file });
  store = config.mediaStorePath;
  const services = await openServices(config);
  const userId = await createUser(services, { localpart: 'alice', admin: true });
  token = (await openSession(services, userId)).accessToken;
  await services.db.destroy();
});
afterEach(async () => {
  await database?.drop();
  await rm(dataDir, { recursive: true });
});

function asSettings(config: DatabaseConfig): object {
  if (config.name === 'sqlite3') throw new Error('SQLite is where there are no settings');
  const { name, user, password, host, port, database: dbname } = config;
  return { name, args: { user, password, host, port, dbname } };
}

/** Returns all files in the media store, as relative paths. */
async function stored(): Promise<string[]> {
  const entries = await readdir(store, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Uploads files one after another until the server is killed. Records the acknowledged ones. */
async function uploadUntilTheEnd(url: string, acknowledged: Map<string, Buffer>) {
  for (;;) {
    const content = randomBytes(20_000);
    try {
      const response = await fetch(`${url}/_matrix/media/v3/upload`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
        body: new Blob([content]),
      });
      const { content_uri: uri } = (await response.json()) as { content_uri: string };
      acknowledged.set(uri.replace('mxc://localhost/', ''), content);
    } catch {
      return;
    }
  }
}

/** Sends the first half of an upload. Returns when the server has received some of it. */
async function halfAnUpload(served: Served): Promise<void> {
  const before = (await stored().catch(() => [])).length;
  const upload = request(`${served.url}/_matrix/media/v3/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-length': 200_000 },
  });
  upload.on('error', () => {});
  upload.write(randomBytes(100_000));
  await expect.poll(async () => (await stored().catch(() => [])).length).toBeGreaterThan(before);
}

test('a kill at any instant keeps exactly the acknowledged uploads', async () => {
  await expectKillsToLoseNothing({}, isMatrix ? [1, 7, 20] : [7]);
});

test('the same on a file system without hard links', async ({ skip }) => {
  const links = await makeFailingCalls('LINKS_FAIL');
  if (!links) return skip('there is no compiler to make such a file system with');
  await links.fail();
  await expectKillsToLoseNothing(links.options, [3]);
  await links.remove();
});

/** @param counts number of further acknowledged uploads before each kill */
async function expectKillsToLoseNothing(options: StartOptions, counts: number[]): Promise<void> {
  const acknowledged = new Map<string, Buffer>();
  for (const count of counts) {
    const served = await serveWith(options, ...source);
    const enough = acknowledged.size + count;
    await halfAnUpload(served);
    const uploads = [1, 2, 3, 4].map(() => uploadUntilTheEnd(served.url, acknowledged));
    await expect.poll(() => acknowledged.size, { interval: 1 }).toBeGreaterThan(enough);
    await served.end('SIGKILL');
    await Promise.all(uploads);
  }

  const served = await serve(...source);
  const known = await call(
    served.url,
    'GET',
    '/_synapse/admin/v1/users/@alice:localhost/media?limit=1000',
    token,
  );
  const ids: string[] = known.body.media.map((media: { media_id: string }) => media.media_id);
  for (const [mediaId, content] of acknowledged) {
    const response = await fetch(`${served.url}/_matrix/client/v1/media/download/localhost/${mediaId}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(content), mediaId).toBe(true);
  }
  // Some may be stored although their replies were lost.
  expect(await stored()).toHaveLength(ids.length);
  await served.end('SIGTERM');
}
