/** A database that also contains other data: an operator's own tables and a host's extensions. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { writeBackup } from '../../../server/administration/backup/write-backup.ts';
import { createHomeserver } from '../../../server/app/homeserver.ts';
import type { PostgresConfig } from '../../../server/platform/config/database.ts';
import { loadConfig } from '../../../server/platform/config/load.ts';
import { makeDatabase } from '../database.ts';
import { gatehouse } from '../gatehouse.ts';
import { call, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { writeAltered } from './altered-archive.ts';

const onPostgres = test.skipIf(!inject('postgres'));

let directory: string;
let homeserver: TestHomeserver;
let archive: string;
let number = 0;

beforeAll(async () => {
  if (!inject('postgres')) return;
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-beside-'));
  homeserver = await startHomeserver();
  await ask(
    homeserver.config.database,
    `create table notes (id serial primary key, text text);
     insert into notes (text) values ('of an administrator');
     create table "Notes of 2024" (text text);
     create view named as select user_id from users;
     create function counted() returns bigint language sql as 'select count(*) from users';
     create schema others; create table others.users (name text); insert into others.users values ('x');
     create extension bloom; create extension pg_stat_statements`,
  );
  archive = join(directory, 'backup.tar');
  await writeBackup(homeserver.config, createWriteStream(archive));
});
afterAll(async () => {
  if (!inject('postgres')) return;
  await homeserver.remove();
  await rm(directory, { recursive: true });
});

async function ask(config: unknown, statement: string): Promise<unknown[]> {
  const client = new Client({ ...(config as PostgresConfig) });
  await client.connect();
  const found = await client.query(statement).finally(() => client.end());
  return found.rows;
}

/** Runs statements in a new database, then restores into it. */
async function restore(from: string, before: string, options?: string) {
  const empty = await makeDatabase('C', 'empty');
  if (empty?.config.name !== 'psycopg2') throw new Error('There is no PostgreSQL');
  const { user, password, database: dbname, host, port } = empty.config;
  await ask(empty.config, before);
  const dataDir = join(directory, `restored-${++number}`);
  const file = `${dataDir}.yaml`;
  const args = { user, password, dbname, host, port, cp_max: 5, ...(options && { options }) };
  const listeners = [{ type: 'http', port: 0 }];
  await writeFile(file, JSON.stringify({ listeners, database: { name: 'psycopg2', args } }));
  const restored = await gatehouse('restore', from, '--data-dir', dataDir, '--config', file);
  return { ...restored, ...empty, dataDir, file };
}

onPostgres('a server is put back without what somebody kept beside it, and that is said', async () => {
  // Some hosts install extensions with views in every database.
  const before =
    'create extension pg_stat_statements; create extension tablefunc; create schema others; create table others.users (x int)';
  const { code, output, errors, config, dataDir, file, drop } = await restore(archive, before);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(output).toContain('Skipped unknown tables: "notes"\n');
  const again = await createHomeserver({ ...(await loadConfig({ dataDir, file })), console: false });
  await again.start();
  const { accessToken } = homeserver.as('alice');
  const whoami = await call(again.url, 'GET', '/_chat/client/v3/account/whoami', accessToken);
  expect(whoami.body).toMatchObject({ user_id: '@alice:localhost' });
  await again.stop();
  expect(await ask(config, "select to_regclass('notes') as notes, to_regclass('named') as named")).toEqual([
    { notes: null, named: null },
  ]);
  await drop();
});

onPostgres('an archive touches nothing beside the tables of the server, whatever it names', async () => {
  const content = (name: string, bytes: Buffer) => {
    if (name !== 'postgres.json') return bytes;
    const { tables, sequences, ...rest } = JSON.parse(String(bytes));
    const named = { ...tables, victims: ['name'], pg_authid: ['rolname'], kysely_migration: ['name'] };
    const moved = [...sequences, { name: 'places', value: '77', called: true }];
    return JSON.stringify({ ...rest, tables: named, sequences: moved });
  };
  const altered = await writeAltered(archive, join(directory, 'altered.tar'), { change: content });
  const { code, errors, config, drop } = await restore(
    altered,
    `create table victims (name text); insert into victims values ('a'); create sequence places;
     create schema gatehouse`,
    '-c search_path=gatehouse,public',
  );
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(await ask(config, 'select name, last_value::int from public.victims, public.places')).toEqual([
    { name: 'a', last_value: 1 },
  ]);
  expect(await ask(config, 'select count(*) > 0 as there from gatehouse.kysely_migration')).toEqual([
    { there: true },
  ]);
  await drop();
});

onPostgres.each<[string, (content: { tables: object; sequences: object[] }) => object, string]>([
  ['no table at all', (content) => ({ ...content, tables: {} }), "the database isn't a homeserver database"],
  [
    'a foreign column',
    (content) => ({ ...content, tables: { ...content.tables, users: ['user_id', 'note'] } }),
    'unknown column in table users',
  ],
  [
    'an invalid number',
    (content) => ({
      ...content,
      sequences: content.sequences.map((each) => ({ ...each, value: '9'.repeat(30) })),
    }),
    'the database is damaged',
  ],
])('an archive with %s is refused with a reason and leaves nothing', async (_, change, why) => {
  const altered = await writeAltered(archive, join(directory, `altered-${++number}.tar`), {
    change: (name, bytes) =>
      name === 'postgres.json' ? JSON.stringify(change(JSON.parse(String(bytes)))) : bytes,
  });
  const { code, errors, config, dataDir, drop } = await restore(altered, 'select 1');
  expect({ code, errors }).toEqual({
    code: 1,
    errors: `gatehouse: ${altered}: damaged backup: ${why}; use another backup; nothing was changed\n`,
  });
  await expect(stat(dataDir)).rejects.toThrow('ENOENT');
  expect(
    await ask(config, "select relname from pg_class where relnamespace = 'public'::regnamespace"),
  ).toEqual([]);
  await drop();
});
