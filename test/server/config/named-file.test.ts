/** Special files in the configuration: a pipe would block on open, and a device never ends. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSigningKey } from '../../../server/conversation/rooms/signing-key.ts';
import type { Config } from '../../../server/platform/config/config.ts';
import { loadConfig } from '../../../server/platform/config/load.ts';
import { encryptionsOf } from '../../../server/platform/database/postgres/postgres-tls.ts';
import { openSqlite } from '../../../server/platform/database/sqlite/sqlite.ts';
import { readTlsFiles } from '../../../server/platform/http/listen.ts';

let directory: string;
let pipe: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-named-'));
  pipe = join(directory, 'pipe');
  execFileSync('mkfifo', [pipe]);
});
afterAll(() => rm(directory, { recursive: true }));

const load = (text: string) => loadConfig({ dataDir: directory, file: join(directory, 'c.yaml'), text });
const tls = (path: string) => readTlsFiles({ certificatePath: path, privateKeyPath: path });

async function connect(path: string): Promise<void> {
  const { database } = await load(
    `database: {name: psycopg2, args: {host: db.example, sslmode: verify-full, sslrootcert: ${path}}}`,
  );
  encryptionsOf(database as Extract<Config['database'], { name: 'psycopg2' }>, 'db.example');
}

test.each<[string, (path: string) => unknown]>([
  ['the registration of an application service', (path) => load(`app_service_config_files: [${path}]`)],
  ['a signing key', loadSigningKey],
  ['a certificate', tls],
  ['a certificate of a database', connect],
])('%s', async (_, read) => {
  for (const path of [pipe, '/dev/zero']) {
    await expect((async () => read(path))()).rejects.toThrow(/can't( be)? read .*\(a pipe or a device\)/);
  }
  const long = join(directory, 'long');
  await writeFile(long, ' '.repeat(2 ** 20 + 1));
  await expect((async () => read(long))()).rejects.toThrow(/can't( be)? read .*\(EFBIG\)/);
});

test('a log format', async () => {
  const { warnings } = await load(`log_config: ${pipe}`);
  expect(warnings).toEqual([expect.stringContaining('a pipe or a device')]);
});

test('a database', async () => {
  await expect(openSqlite(pipe)).rejects.toThrow(
    /database\.args\.database: can't read and write .*pipe \(not a regular file\)/,
  );
});
