/** Several hosts for one PostgreSQL database, in libpq's syntax. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../../server/platform/config/load.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-hosts-'));
});
afterAll(() => rm(dataDir, { recursive: true }));

async function load(args: object) {
  const file = join(dataDir, 'homeserver.yaml');
  await writeFile(file, JSON.stringify({ database: { name: 'psycopg2', args } }));
  const { database } = await loadConfig({ file, dataDir });
  if (database.name === 'sqlite3') throw new Error('this is not PostgreSQL');
  const { host, port, others } = database;
  return [{ host, port }, ...others];
}

test.each<[string, object, object[]]>([
  ['none', {}, [{ host: undefined, port: undefined }]],
  ['one', { host: 'a', port: 5433 }, [{ host: 'a', port: 5433 }]],
  [
    'two on one port',
    { host: 'a,b', port: 5433 },
    [
      { host: 'a', port: 5433 },
      { host: 'b', port: 5433 },
    ],
  ],
  [
    'two on their ports',
    { host: 'a,b', port: '5433,5434', target_session_attrs: 'read-write' },
    [
      { host: 'a', port: 5433 },
      { host: 'b', port: 5434 },
    ],
  ],
])('%s', async (_, args, places) => {
  expect(await load(args)).toEqual(places);
});

test.each<[string, object, RegExp]>([
  ['an empty one', { host: 'a,,b' }, /^database\.args\.host: contains an empty host name/],
  ['too many ports', { host: 'a,b', port: '1,2,3' }, /^database\.args\.port: 3 ports for 2 hosts/],
  ['too large a port', { host: 'a,b', port: '1,99999' }, /^database\.args\.port: contains an invalid port/],
  ['an invalid port', { host: 'a,b', port: '1,x' }, /^database\.args\.port/],
  [
    'one that only reads',
    { host: 'a,b', target_session_attrs: 'standby' },
    /^database\.args\.target_session/,
  ],
])('refused: %s', async (_, args, refusal) => {
  await expect(load(args)).rejects.toThrow(refusal);
});
