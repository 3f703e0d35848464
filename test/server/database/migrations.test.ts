/** Migration tests use the data of version 0.1, which has rows in nearly every table. */
import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { deleteReport } from '../../../server/administration/reports/event-report-store.ts';
import { deleteUserReport } from '../../../server/administration/reports/user-report-store.ts';
import { insertNotifyingEvent } from '../../../server/conversation/notifications/notification-store.ts';
import { readUnreadCounts } from '../../../server/conversation/notifications/unread-counts.ts';
import { openDatabase } from '../../../server/platform/database/database.ts';
import { isPostgres } from '../../../server/platform/database/engine.ts';
import { migrationNames } from '../../../server/platform/database/migrate.ts';
import type { Schema } from '../../../server/platform/database/schema.ts';
import { inTransaction } from '../../../server/platform/database/transaction.ts';
import { makeDatabase, queryDatabase } from '../database.ts';
import { copyFixture } from './fixture.ts';

const onSqlite = sql<{ definition: string }>`
  select type || ' ' || tbl_name || ' ' || sql as definition from sqlite_schema
  where name not like 'sqlite%' and name not like 'kysely%' and sql is not null`;

const onPostgres = sql<{ definition: string }>`
  select concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default, identity_generation)
    as definition from information_schema.columns where table_schema = current_schema()
  union all select indexdef from pg_indexes where schemaname = current_schema()
  union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
    where connamespace = current_schema()::regnamespace and contype in ('f', 'u')
  union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all select proname || prosrc from pg_proc where pronamespace = current_schema()::regnamespace`;

/** Returns the table definitions, normalized for spacing and quoting. */
async function schemaOf(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await (isPostgres(db) ? onPostgres : onSqlite).execute(db);
  const spelled = ({ definition }: { definition: string }) =>
    definition
      .toLowerCase()
      .replace(/["'\s]+/g, '')
      .replace(/constraint\w+?_pkey(?=primarykey)/g, '');
  return rows.map(spelled).sort();
}

const runMigrations = (db: Kysely<Schema>) =>
  db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .orderBy('name')
    .execute();

test('a new database has the tables that data of version 0.1 has after it was opened', async () => {
  const { database, dataDir, remove } = await copyFixture('version-0.1');
  const earlier = await openDatabase(database);
  const own = await makeDatabase('C', 'empty');
  const fresh = await openDatabase(own?.config ?? { name: 'sqlite3', file: `${dataDir}/fresh.db` });
  expect(await schemaOf(earlier)).toEqual(await schemaOf(fresh));
  const names = migrationNames.map((name) => ({ name }));
  expect(await runMigrations(earlier)).toEqual(names);
  expect(await runMigrations(fresh)).toEqual(names);
  await earlier.destroy();
  await fresh.destroy();
  await own?.drop();
  await remove();
});

test('no report totals are left when all reports of version 0.1 are deleted', async () => {
  const { database, remove } = await copyFixture('version-0.1');
  if (database.name === 'psycopg2') {
    // Several processes leave several parts. SQLite has one part.
    await queryDatabase(
      database,
      'update event_report_totals set part = 3; update user_report_totals set part = 3',
    );
  }
  const db = await openDatabase(database);
  const events = await db.selectFrom('event_reports').select('id').execute();
  const users = await db.selectFrom('user_reports').select('id').execute();
  expect(events.length).toBeGreaterThan(0);
  expect(users.length).toBeGreaterThan(0);
  for (const { id } of events) await deleteReport(db, id);
  for (const { id } of users) await deleteUserReport(db, id);
  expect(await db.selectFrom('event_report_totals').selectAll().execute()).toEqual([]);
  expect(await db.selectFrom('user_report_totals').selectAll().execute()).toEqual([]);
  await db.destroy();
  await remove();
});

test('unread messages of version 0.1 are counted, and a new reply with those of its thread', async () => {
  const { database, remove } = await copyFixture('version-0.1');
  const db = await openDatabase(database);
  const thread = await db.selectFrom('threads').select(['room_id', 'root_id']).executeTakeFirstOrThrow();
  const { room_id: roomId, root_id: threadId } = thread;
  const unread = async (user: string) => {
    const counts = await readUnreadCounts(db, { userId: `@${user}:localhost` });
    const { main, threads } = counts.get(roomId) ?? {};
    return [main?.notifications, threads?.get(threadId)?.notifications];
  };
  // The counts from version 0.1.
  expect(await unread('bob')).toEqual([11, undefined]);
  expect(await unread('carol')).toEqual([16, 1]);
  expect(await unread('dora')).toEqual([23, 1]);
  const reply = { roomId, threadId, position: 1000, highlight: false, actions: ['notify'] as const };
  await inTransaction(db, (tx) => insertNotifyingEvent(tx, { ...reply, sender: '@carol:localhost' }));
  await inTransaction(db, (tx) =>
    insertNotifyingEvent(tx, { ...reply, position: 1001, threadId: '', sender: '@dora:localhost' }),
  );
  expect(await unread('bob')).toEqual([12, 1]);
  expect(await unread('carol')).toEqual([17, 1]);
  expect(await unread('dora')).toEqual([23, 2]);
  await db.destroy();
  await remove();
});

test('a migration that fails prevents the start, also the next one', async () => {
  const { database, remove } = await copyFixture('version-0.1');
  const before = await openDatabase(database);
  // They have run already, so the table that the first one replaces is missing.
  await sql`delete from kysely_migration where name <> ${migrationNames[0]}`.execute(before);
  await before.destroy();
  for (let twice = 0; twice < 2; twice++) {
    await expect(openDatabase(database)).rejects.toThrow('event_report_places');
  }
  await remove();
});

test('data of a newer version is refused in one line', async () => {
  const { database, remove } = await copyFixture('version-0.1');
  const before = await openDatabase(database);
  await sql`insert into kysely_migration (name, timestamp) values ('9999-later', ${new Date().toISOString()})`.execute(
    before,
  );
  await before.destroy();
  await expect(openDatabase(database)).rejects.toThrow(
    /^database: a newer version has migrated it, which .* can't read; run that version or a later one$/,
  );
  await remove();
});

test('data of a build before version 0.1 is refused in one line', async () => {
  const { database, remove } = await copyFixture('version-0.1');
  const list = await openDatabase(database);
  await sql`update kysely_migration set name = '0001-accounts' where name = '0001-initial'`.execute(list);
  await list.destroy();
  await expect(openDatabase(database)).rejects.toThrow(
    /^database: it was created by a build older than 0\.1\.0; use another database$/,
  );
  await remove();
});
