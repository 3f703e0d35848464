/** What an archive says of a PostgreSQL database beside its rows. */

import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type Static, Type } from 'typebox';
import type { PostgresConfig } from '../../platform/config/database.ts';
import { findPrimary } from '../../platform/database/postgres/postgres-connection.ts';

export const postgresEntry = 'postgres.json';
/** Its size has a bound, in bytes: it is read into memory. */
export const largestPostgresEntry = 1024 * 1024;

/** A part of a table's rows, as `COPY` writes them: `postgres/events/000001`. */
const rowsEntry = (table: string, number: number) => `postgres/${table}/${String(number).padStart(6, '0')}`;
export const rowsName = /^postgres\/([a-z_]{1,63})\/\d{6,9}$/;
/** Ours are called nothing else. */
const tableName = /^[a-z_]{1,63}$/;

export const PostgresContent = Type.Object({
  /** Those that had been run. */
  migrations: Type.Array(Type.String()),
  /** By their columns, but those that are made from others. */
  tables: Type.Record(Type.String(), Type.Array(Type.String())),
  /** `value` as text: it may be longer than a number is exact. */
  sequences: Type.Array(Type.Object({ name: Type.String(), value: Type.String(), called: Type.Boolean() })),
});
export type PostgresContent = Static<typeof PostgresContent>;

/** What the migrations themselves keep. */
export const migrationTables: readonly string[] = ['kysely_migration', 'kysely_migration_lock'];

/** Copying a PostgreSQL database as it is at one moment, while others write. */

/** About how much of a table is in one part, in bytes. It is held in memory. */
const partSize = 4 * 1024 * 1024;

/** What our own connections are bound to: a copy takes as long as it takes. */
const unlimited = '-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0';

/**
 * Connects once, for something that takes long.
 *
 * @throws ConfigurationError where the database can't be reached
 */
export async function connectForLong(config: PostgresConfig): Promise<Client> {
  const { settings } = await findPrimary(config);
  const client = new Client({ ...settings, options: `${settings.options} ${unlimited}` });
  // What is under way on it fails, and says so.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/**
 * Gives the files of an archive that hold the database, one after the other.
 *
 * @throws ConfigurationError where it can't be reached
 */
export async function* partsOfPostgres(
  config: PostgresConfig,
): AsyncGenerator<{ name: string; content: Buffer }> {
  const client = await connectForLong(config);
  try {
    await client.query('begin isolation level repeatable read read only');
    const tables = await tablesOf(client);
    const names = Object.keys(tables).filter(
      (name) => tableName.test(name) && !migrationTables.includes(name),
    );
    for (const table of names) yield* partsOfTable(client, table, tables[table] ?? []);
    // They are no part of the moment, and only grow: every number that the rows have is taken.
    const content: PostgresContent = {
      migrations: migrationTables.every((name) => tables[name]) ? await migrationsOf(client) : [],
      tables: Object.fromEntries(names.map((name) => [name, tables[name] ?? []])),
      sequences: await sequencesOf(client),
    };
    await client.query('commit');
    yield { name: postgresEntry, content: Buffer.from(JSON.stringify(content)) };
  } finally {
    // Whoever stops listening ends a copy in its midst, and nobody waits for the rest of it.
    void client.end().catch(() => {});
  }
}

async function* partsOfTable(client: Client, table: string, columns: readonly string[]) {
  const rows = client.query(
    copyTo(`copy ${quoted(client, table)} (${columns.map((name) => quoted(client, name)).join(', ')})
      to stdout (encoding 'UTF8')`),
  );
  let chunks: Buffer[] = [];
  let size = 0;
  let number = 0;
  for await (const chunk of rows) {
    chunks.push(chunk);
    size += chunk.length;
    if (size < partSize) continue;
    yield { name: rowsEntry(table, ++number), content: Buffer.concat(chunks) };
    chunks = [];
    size = 0;
  }
  if (size > 0) yield { name: rowsEntry(table, ++number), content: Buffer.concat(chunks) };
}

/** Holds where no extension has brought it, as some hosts have them in every database. `oid` is of a relation. */
export const ofNoExtension = (oid: string) =>
  `not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = ${oid} and deptype = 'e')`;

/** Every table in our schema, by the columns that have values of their own. Somebody may have others there, too. */
export async function tablesOf(client: Client): Promise<Record<string, string[]>> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(`
    select c.relname::text as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attnum) as columns
    from pg_class c
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and ${ofNoExtension('c.oid')}
    order by c.relname`);
  return Object.fromEntries(rows.map(({ name, columns }) => [name, columns]));
}

async function migrationsOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name');
  return rows.map(({ name }) => name);
}

export async function sequencesOf(client: Client): Promise<PostgresContent['sequences']> {
  const { rows } = await client.query<{ name: string }>(`
    select c.relname::text as name from pg_class c
    where c.relkind = 'S' and c.relnamespace = current_schema()::regnamespace and ${ofNoExtension('c.oid')} order by c.relname`);
  const sequences: PostgresContent['sequences'] = [];
  for (const { name } of rows) {
    const { rows: found } = await client.query<{ value: string; called: boolean }>(
      `select last_value::text as value, is_called as called from ${quoted(client, name)}`,
    );
    sequences.push(...found.map((place) => ({ name, ...place })));
  }
  return sequences;
}

export const quoted = (client: Client, name: string) => client.escapeIdentifier(name);
