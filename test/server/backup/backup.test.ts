/** A server backed up during writes and restored elsewhere, on SQLite and PostgreSQL. */

import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { restoreBackup } from '../../../server/administration/backup/restore-backup.ts';
import { createHomeserver, type Homeserver } from '../../../server/app/homeserver.ts';
import type { DatabaseConfig, PostgresConfig } from '../../../server/platform/config/database.ts';
import { loadConfig } from '../../../server/platform/config/load.ts';
import { copyFixture } from '../database/fixture.ts';
import { makeDatabase } from '../database.ts';
import { gatehouse } from '../gatehouse.ts';
import { call, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { writeAltered } from './altered-archive.ts';

const client = '/_chat/client/v3';
const picture = Buffer.from('89504e470d0a1a0a', 'hex');

let directory: string;
let homeserver: TestHomeserver;
let target: Awaited<ReturnType<typeof makeDatabase>>;
let archive: string;
/** A server on the restored data. */
let again: Homeserver;
let roomId: string;
let mediaId: string;
/** Acknowledged writes before the backup, with their content. Some content needs escaping in a copy. */
const acknowledged = new Map<string, string>();
const awkward = ['a\tb\nc\\N \\. "', 'ü 🦆 漢字', "';--", '\\', '\u2028'];

/** Writes a configuration file that names a database. Returns its path. */
async function settingsFor(name: string, database: DatabaseConfig): Promise<string> {
  const file = join(directory, `${name}.yaml`);
  const args = database.name === 'psycopg2' && {
    ...{ user: database.user, password: database.password, dbname: database.database },
    ...{ host: database.host, port: database.port, cp_max: 5 },
  };
  const settings = { listeners: [{ type: 'http', port: 0 }] };
  await writeFile(
    file,
    JSON.stringify({ ...settings, ...(args && { database: { name: 'psycopg2', args } }) }),
  );
  return file;
}

const send = (text: string) =>
  homeserver
    .as('alice')
    .put(`${client}/rooms/${roomId}/send/m.room.message/${encodeURIComponent(`t${Math.random()}`)}`, {
      msgtype: 'm.text',
      body: text,
    });

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-backups-'));
  homeserver = await startHomeserver();
  const alice = homeserver.as('alice');
  roomId = (await alice.post(`${client}/createRoom`, { name: 'Kept' })).body.room_id;
  const uploaded = await fetch(`${homeserver.url}/_chat/media/v3/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${alice.accessToken}`, 'content-type': 'image/png' },
    body: picture,
  });
  mediaId = ((await uploaded.json()) as { content_uri: string }).content_uri.replace('mxc://', '');
  for (const text of awkward) acknowledged.set((await send(text)).body.event_id, text);
  for (const eventId of acknowledged.keys()) {
    await alice.post(`${client}/rooms/${roomId}/report/${eventId}`, { reason: 'a reason' });
  }

  const { dataDir, database } = homeserver.config;
  archive = join(directory, 'backup.tar');
  const settings = await settingsFor('source', database);
  let writing = true;
  const writers = ['one', 'other'].map(async (name) => {
    for (let number = 0; writing; number++) await send(`${name} ${number}`);
  });
  const made = await gatehouse('backup', archive, '--data-dir', dataDir, '--config', settings);
  writing = false;
  await Promise.all(writers);
  expect(made).toMatchObject({ code: 0, errors: '' });
  target = await makeDatabase('C', 'empty');
  const restored = await restore('restored', archive, target?.config);
  expect(restored).toMatchObject({ code: 0, errors: '' });
  again = await open(restored);
});
afterAll(async () => {
  await again.stop();
  await homeserver.remove();
  await target?.drop();
  await rm(directory, { recursive: true });
});

const restore = async (name: string, from: string, database: DatabaseConfig | undefined) => {
  const dataDir = join(directory, name);
  const file = await settingsFor(name, database ?? { name: 'sqlite3', file: '' });
  const restored = await gatehouse('restore', from, '--data-dir', dataDir, '--config', file);
  return { ...restored, dataDir, file };
};

const open = async ({ dataDir, file }: { dataDir: string; file: string }): Promise<Homeserver> => {
  const again = await createHomeserver({ ...(await loadConfig({ dataDir, file })), console: false });
  await again.start();
  return again;
};

describe('a copy made during writes', () => {
  const ask = (method: string, path: string, person: string, body?: unknown) =>
    call(again.url, method, path, homeserver.as(person).accessToken, body);

  test('has everything acknowledged before it started', async () => {
    for (const [eventId, text] of acknowledged) {
      const { body } = await ask('GET', `${client}/rooms/${roomId}/event/${eventId}`, 'alice');
      expect(body.content?.body).toBe(text);
    }
    const download = `${again.url}/_chat/client/v1/media/download/${mediaId}`;
    const headers = { authorization: `Bearer ${homeserver.as('alice').accessToken}` };
    expect(Buffer.from(await (await fetch(download, { headers })).arrayBuffer())).toEqual(picture);
    const keys = (url: string) => call(url, 'GET', '/_chat/key/v2/server');
    expect((await keys(again.url)).body.verify_keys).toEqual((await keys(homeserver.url)).body.verify_keys);
  });

  test('can be served again', async () => {
    const sync = await ask('GET', `${client}/sync?timeout=0`, 'alice');
    const sent = await ask('PUT', `${client}/rooms/${roomId}/send/m.room.message/later`, 'alice', {
      msgtype: 'm.text',
      body: 'later',
    });
    expect(sent.status).toBe(200);
    const { body } = await ask('GET', `${client}/sync?timeout=0&since=${sync.body.next_batch}`, 'alice');
    expect(body.rooms.join[roomId].timeline.events).toMatchObject([{ event_id: sent.body.event_id }]);
    const reported = `${client}/rooms/${roomId}/report/${sent.body.event_id}`;
    expect(await ask('POST', reported, 'alice', { reason: 'new' })).toMatchObject({ status: 200 });
    const { body: reports } = await ask('GET', '/_service/admin/v1/event_reports', 'admin');
    expect(reports.total).toBe(acknowledged.size + 1);
    expect(reports.event_reports[0]).toMatchObject({ event_id: sent.body.event_id });
  });

  test('has the same constraints', async () => {
    if (target?.config.name !== 'psycopg2') return;
    expect(await rulesOf(target.config)).toEqual(await rulesOf(homeserver.config.database as PostgresConfig));
  });
});

test("an existing target isn't overwritten", async () => {
  const { code, errors, dataDir } = await restore(target ? 'second' : 'restored', archive, target?.config);
  expect({ code, errors }).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/^gatehouse: .* isn't empty; .*\n$/),
  });
  if (target) await expect(stat(dataDir)).rejects.toThrow('ENOENT');
});

test("a copy of one engine isn't restored into the other", async () => {
  const other: DatabaseConfig | undefined = target ? undefined : { ...nowhere };
  const { code, errors, dataDir } = await restore('other', archive, other);
  expect(code).toBe(1);
  expect(errors).toMatch(/^gatehouse: database.name: the backup contains a .* database.*\n$/);
  await expect(stat(dataDir)).rejects.toThrow('ENOENT');
});

test.each([
  ['no archive at all', () => Buffer.from('a letter '.repeat(1_000)), 'not a tar archive'],
  ['something short', () => Buffer.from('a letter'), 'not a tar archive'],
  ['compressed', gzipSync, 'decompress it first'],
  ['cut off', (whole: Buffer) => whole.subarray(0, whole.length - 8_000), 'truncated'],
  ['empty', () => Buffer.alloc(0), 'the file is truncated'],
  [
    'damaged',
    (whole: Buffer) => Buffer.concat([whole.subarray(0, -8_192), Buffer.alloc(8_192, 'x')]),
    'damaged',
  ],
])('a file that is %s is refused with one sentence', async (name, change: (whole: Buffer) => Buffer, why) => {
  const file = join(directory, `${name.replaceAll(' ', '-')}.tar`);
  await writeFile(file, change(await readFile(archive)));
  const { code, errors } = await restore('from-no-backup', file, target?.config);
  expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining(why) });
  expect(errors).toMatch(/^gatehouse: [^\n]*\n$/);
  // The archive reader's own error messages don't appear.
  expect(errors).not.toMatch(/maybe|header|unexpected/i);
});

test("a forged archive writes nothing outside the data directory, and is refused without a server's data", async () => {
  const outside = join(directory, 'home', 'authorized_keys');
  const settings = `server_name: ${homeserver.config.serverName}\nsigning_key_path: ${outside}\n`;
  const altered = (name: string, alteration: Parameters<typeof writeAltered>[2]) =>
    writeAltered(archive, join(directory, `${name}.tar`), alteration);
  const [escaping, without, otherKey, late, twice] = await Promise.all([
    altered('escaping', { settings }),
    altered('without', { change: (name, content) => (name === 'homeserver.db' ? 'none' : content) }),
    altered('other-key', {
      change: (name, content) => (name === 'signing.key' ? 'ssh-ed25519 AAAA evil' : content),
    }),
    altered('late', {
      change: (name, content) =>
        name === 'manifest.json'
          ? JSON.stringify({ ...JSON.parse(String(content)), made_ts: 1e300 })
          : content,
    }),
    altered('twice', { twice: 'signing.key' }),
  ]);
  const dataDir = join(directory, 'of-another');
  const escaped = await gatehouse('restore', escaping, '--data-dir', dataDir);
  expect(escaped).toMatchObject({
    code: 1,
    errors: expect.stringContaining('outside the data directory'),
  });
  if (!target) {
    for (const [from, why] of [
      [without, 'no database'],
      [otherKey, 'signing key'],
      [twice, 'duplicate entry in the archive'],
    ] as const) {
      const refused = await restore('of-another', from, undefined);
      expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining(why) });
    }
  }
  const refused = await restore('of-another', late, target?.config);
  expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining('the file is truncated') });
  await expect(stat(outside)).rejects.toThrow('ENOENT');
  await expect(stat(dataDir)).rejects.toThrow('ENOENT');
});

test.each([
  ['the data directory itself', { media_store_path: '.' }, 'outside the data directory'],
  ['the directory above', { media_store_path: '..' }, 'outside the data directory'],
  ['a directory beside it', { media_store_path: '../of-another-too' }, 'outside the data directory'],
  ['an absolute path', { media_store_path: '/tmp/media' }, 'outside the data directory'],
  ['the place of the configuration', { signing_key_path: 'homeserver.yaml' }, 'conflict'],
  ['the same place', { signing_key_path: 'media', media_store_path: 'media' }, 'conflict'],
  ['a place within the key', { signing_key_path: 'a', media_store_path: 'a/media' }, 'conflict'],
  ['the same place in another case', { signing_key_path: 'HomeServer.YAML' }, 'conflict'],
])('a configuration in a backup that puts a file at %s is refused', async (_, paths, why) => {
  const settings = JSON.stringify({ server_name: homeserver.config.serverName, ...paths });
  const from = await writeAltered(archive, join(directory, 'paths.tar'), { settings });
  const dataDir = join(directory, 'of-paths');
  await expect(restoreBackup(from, { dataDir })).rejects.toThrow(why);
  await expect(stat(dataDir)).rejects.toThrow('ENOENT');
});

test('a disconnected reader ends the copy', async () => {
  const leaving = new AbortController();
  const reply = await fetch(`${homeserver.url}/_gatehouse/v1/backup`, {
    method: 'POST',
    headers: { authorization: `Bearer ${homeserver.as('admin').accessToken}` },
    signal: leaving.signal,
  });
  expect(reply.status).toBe(200);
  leaving.abort();
  if (!target) return;
  const { rows } = await untilRows(homeserver.config.database as PostgresConfig, 0, copying);
  expect(rows).toEqual([]);
});

test('a backup of version 0.1 is restored', async () => {
  const earlier = await copyFixture('version-0.1');
  const late = await makeDatabase('C', 'empty');
  const old = join(directory, 'earlier.tar');
  const settings = late ? ['--config', await settingsFor('earlier', earlier.database)] : [];
  const made = await gatehouse('backup', old, '--data-dir', earlier.dataDir, ...settings);
  expect(made).toMatchObject({ code: 0, errors: '' });
  const restored = await restore('late', old, late?.config);
  expect(restored).toMatchObject({ code: 0, errors: '' });
  await (await open(restored)).stop();
  if (late) {
    expect(await rulesOf(late.config as PostgresConfig)).toEqual(
      await rulesOf(homeserver.config.database as PostgresConfig),
    );
  }
  await late?.drop();
  await earlier.remove();
});

test('a restore that loses its database leaves nothing', async () => {
  if (!target) return;
  const empty = await makeDatabase('C', 'empty');
  if (empty?.config.name !== 'psycopg2') return;
  // Migrations wait for this lock.
  const holder = new Client({ ...empty.config });
  await holder.connect();
  await holder.query('select pg_advisory_lock(3853314791062309107)');
  const restoring = restore('never', archive, empty.config);
  await untilRows(empty.config, 1, waiting);
  await holder.query(`select pg_terminate_backend(pid) from (${waiting}) as waiting`);
  await holder.end();
  const { code, errors, dataDir } = await restoring;
  expect(code).toBe(1);
  expect(errors).toMatch(/^gatehouse: database.args: couldn't write to the database.*\n$/);
  expect((await untilRows(empty.config, 0, tables)).rows).toEqual([]);
  await expect(stat(dataDir)).rejects.toThrow('ENOENT');
  await empty.drop();
});

const nowhere: PostgresConfig = {
  ...{
    name: 'psycopg2',
    user: 'u',
    password: undefined,
    database: 'd',
    host: '127.0.0.1',
    port: 1,
    others: [],
  },
  ...{ applicationName: 'a', options: undefined, poolSize: 1, queueTimeout: 1, connectTimeout: 1 },
  ...{ keepAliveIdle: undefined, allowUnsafeLocale: false },
  tls: { mode: 'disable', rootCertificate: undefined, certificate: undefined, key: undefined },
};

const here = 'datname = current_database() and pid <> pg_backend_pid()';
const copying = `select pid from pg_stat_activity where ${here} and query ilike 'copy%'`;
const waiting = `select pid from pg_stat_activity where ${here} and wait_event = 'advisory'`;
const tables = "select relname from pg_class where relnamespace = 'public'::regnamespace";

async function withClient<Made>(
  config: PostgresConfig,
  work: (client: Client) => Promise<Made>,
): Promise<Made> {
  const connected = new Client({ ...config });
  await connected.connect();
  return work(connected).finally(() => connected.end());
}

const untilRows = (config: PostgresConfig, count: number, query: string) =>
  withClient(config, async (connected) => {
    await expect.poll(async () => (await connected.query(query)).rowCount).toBe(count);
    return connected.query(query);
  });

/** Returns a database's keys, indexes, triggers and columns. */
const rulesOf = (config: PostgresConfig) =>
  withClient(config, async (connected) => {
    const { rows } = await connected.query(`
      select indexdef as rule from pg_indexes where schemaname = 'public'
      union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || convalidated::text
        from pg_constraint where connamespace = 'public'::regnamespace
      union all select pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal
      union all select table_name || ' ' || column_name || ' ' || data_type || coalesce(identity_generation, '')
        from information_schema.columns where table_schema = 'public'
      union all select name from kysely_migration
      order by 1`);
    return rows.map(({ rule }) => rule);
  });
