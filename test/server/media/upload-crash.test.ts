/** What a kill leaves of uploads: everything that was acknowledged, and nothing else. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeDatabase } from '../database.ts';
import { gatehouse, type Served, serve } from '../gatehouse.ts';
import { call } from '../homeserver.ts';

let dataDir: string;
let database: Awaited<ReturnType<typeof makeDatabase>>;
let source: string[];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-uploads-'));
  database = await makeDatabase();
  source = ['--data-dir', dataDir];
  if (database && database.config.name === 'psycopg2') {
    const { user, password, host, port, database: name } = database.config;
    const args = { user, password, host, port, database: name };
    const file = join(dataDir, 'homeserver.yaml');
    await writeFile(file, JSON.stringify({ database: { name: 'psycopg2', args } }));
    source.push('--config', file);
  }
  await gatehouse('users', 'add', 'alice', '--password', 'wonderland', '--admin', ...source);
});
afterEach(async () => {
  await database?.drop();
  await rm(dataDir, { recursive: true });
});

async function logIn(url: string): Promise<string> {
  const { body } = await call(url, 'POST', '/_matrix/client/v3/login', undefined, {
    type: 'm.login.password',
    identifier: { type: 'm.id.user', user: 'alice' },
    password: 'wonderland',
  });
  return body.access_token;
}

/** Everything in the media store, by its path in there. */
async function stored(): Promise<string[]> {
  const folder = join(dataDir, 'media_store');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Uploads one thing after the other until the server is gone, and gives what was acknowledged. */
async function uploadUntilTheEnd(url: string, token: string, acknowledged: Map<string, Buffer>) {
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

/** Sends the first half of an upload and gives back once the server has some of it. */
async function halfAnUpload(served: Served, token: string): Promise<void> {
  const before = (await stored().catch(() => [])).length;
  const upload = request(`${served.url}/_matrix/media/v3/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-length': 200_000 },
  });
  upload.on('error', () => {});
  upload.write(randomBytes(100_000));
  await expect.poll(async () => (await stored().catch(() => [])).length).toBeGreaterThan(before);
}

test('kills at any instant: what was acknowledged is there, and nothing that was not', async () => {
  const acknowledged = new Map<string, Buffer>();
  let token = '';
  for (const count of [1, 7, 20]) {
    const served = await serve(...source);
    token ||= await logIn(served.url);
    const enough = acknowledged.size + count;
    await halfAnUpload(served, token);
    const uploads = [1, 2, 3, 4].map(() => uploadUntilTheEnd(served.url, token, acknowledged));
    await expect.poll(() => acknowledged.size, { interval: 1, timeout: 20_000 }).toBeGreaterThan(enough);
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
  // One upload of each client may have been committed without its reply having arrived.
  const files = await stored();
  expect(files).toHaveLength(ids.length);
  await served.end('SIGTERM');
}, 90_000);
