import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, inject, test } from 'vitest';
import { openDatabase } from '../../../server/platform/database/database.ts';
import { makeDatabase, queryDatabase } from '../database.ts';
import { gatehouse } from '../gatehouse.ts';
import { makeData } from './data.ts';

const account = ['users', 'add', 'alice', '--password', 'x'];

/** Other programs' contents of a database. */
const contents = [
  ['users of another program', "create table users (name text); insert into users values ('bob')"],
  [
    'an empty table of a homeserver among foreign ones',
    'create table users (name text); create table notes (x int)',
  ],
  ['only tables with other names', 'create table notes (x int)'],
  [
    'migrations of another program',
    "create table kysely_migration (name text); insert into kysely_migration values ('1')",
  ],
  [
    'a list of migrations of another kind',
    'create table kysely_migration (id int); insert into kysely_migration values (1)',
  ],
] as const;

test.runIf(!inject('postgres'))(
  'a file of another program is refused unchanged, without advice to delete it',
  async () => {
    const data = await makeData({}, 'empty');
    const file = join(data.dataDir, 'homeserver.db');
    for (const [what, statements] of contents) {
      await writeFile(file, '');
      const database = new SqliteDatabase(file);
      database.exec(statements);
      database.close();
      const before = await readFile(file);
      await expect(openDatabase({ name: 'sqlite3', file }), what).rejects.toThrow(
        /^database\.args\.database: \S+homeserver\.db contains tables of another program; choose another file/,
      );
      expect((await readFile(file)).equals(before), what).toBe(true);
    }
    const { code, output, errors } = await gatehouse(...account, ...data.source);
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toMatch(
      /^gatehouse: database\.args\.database: .*; choose another file; it's created [^\n]*\n$/,
    );
    await data.remove();
  },
);

test.runIf(inject('postgres'))("another program's database is refused unchanged", async () => {
  const database = await makeDatabase('C', 'empty');
  if (!database) throw new Error('this is no PostgreSQL');
  for (const [index, [what, statements]] of contents.entries()) {
    const schema = `s${index}`;
    await queryDatabase(
      database.config,
      `create schema ${schema}; set search_path = ${schema}; ${statements}`,
    );
    const config = { ...database.config, options: `-c search_path=${schema}` };
    await expect(openDatabase(config), what).rejects.toThrow(
      /^database\.args: the database contains tables of another program; use another, empty database/,
    );
    await queryDatabase(
      database.config,
      `do $$ begin if to_regclass('${schema}.kysely_migration_lock') is not null then raise 'touched'; end if; end $$`,
    );
  }
  await database.drop();
});

test.runIf(inject('postgres'))("other schemas and extensions' objects don't interfere", async () => {
  const database = await makeDatabase('C', 'empty');
  if (!database) throw new Error('this is no PostgreSQL');
  await queryDatabase(
    database.config,
    'create schema others; create table others.users (x int); create extension pg_stat_statements; create table kept (x int); alter extension pg_stat_statements add table kept',
  );
  const db = await openDatabase(database.config);
  expect(await db.selectFrom('users').selectAll().execute()).toEqual([]);
  await db.destroy();
  await database.drop();
});
