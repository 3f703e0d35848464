/** Dumps a PostgreSQL database from one snapshot, while others write. */
import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type Static, Type } from 'typebox';
import type { PostgresConfig } from '../../platform/config/database.ts';
import { findPrimary, withoutTimeouts } from '../../platform/database/postgres/postgres-connection.ts';

export const postgresEntry = 'postgres.json';
/** In bytes: it is read into memory. */
export const largestPostgresEntry = 1024 * 1024;

/** Name of a chunk of rows in `COPY` format, such as `postgres/events/000001`. */
const rowsEntry = (table: string, number: number) => `postgres/${table}/${String(number).padStart(6, '0')}`;
export const rowsName = /^postgres\/([a-z_]{1,63})\/\d{6,9}$/;
/** Matches all of our tables. */
const tableName = /^[a-z_]{1,63}$/;

export const PostgresContent = Type.Object({
  /** Names of the completed migrations. */
  migrations: Type.Array(Type.String()),
  /** Table names with their columns, except generated ones. */
  tables: Type.Record(Type.String(), Type.Array(Type.String())),
  /** `value` is text, because numbers aren't exact for 64 bits. */
  sequences: Type.Array(Type.Object({ name: Type.String(), value: Type.String(), called: Type.Boolean() })),
});
export type PostgresContent = Static<typeof PostgresContent>;

export const migrationTables: readonly string[] = ['kysely_migration', 'kysely_migration_lock'];

/** Approximate size of a chunk of rows, in bytes. It is kept in memory. */
const partSize = 4 * 1024 * 1024;

/**
 * Connects without statement timeouts.
 *
 * @throws ConfigurationError if the database is unreachable
 */
export async function connectUnlimited(config: PostgresConfig): Promise<Client> {
  const { settings } = await findPrimary(config);
  const client = new Client({ ...settings, options: `${settings.options} ${withoutTimeouts}` });
  // The running statement reports it.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/**
 * Yields the archive entries of a database.
 *
 * @throws ConfigurationError if it is unreachable
 */
export async function* partsOfPostgres(
  config: PostgresConfig,
): AsyncGenerator<{ name: string; content: Buffer }> {
  const client = await connectUnlimited(config);
  try {
    await client.query('begin isolation level repeatable read read only');
    const tables = await tablesOf(client);
    const names = Object.keys(tables).filter(
      (name) => tableName.test(name) && !migrationTables.includes(name),
    );
    for (const table of names) yield* partsOfTable(client, table, tables[table] ?? []);
    // Not part of the snapshot, but they only grow, so none is behind the rows.
    const content: PostgresContent = {
      migrations: migrationTables.every((name) => tables[name]) ? await migrationsOf(client) : [],
      tables: Object.fromEntries(names.map((name) => [name, tables[name] ?? []])),
      sequences: await sequencesOf(client),
    };
    await client.query('commit');
    yield { name: postgresEntry, content: Buffer.from(JSON.stringify(content)) };
  } finally {
    // Not awaited: if the caller stops early, the rest of a copy would have to arrive first.
    void client.end().catch(() => {});
  }
}

async function* partsOfTable(client: Client, table: string, columns: readonly string[]) {
  const rows = client.query(
    copyTo(`copy ${quoteName(client, table)} (${columns.map((name) => quoteName(client, name)).join(', ')})
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

/** SQL condition: no extension has created the relation. Some hosts have extensions in every database. */
export const notOfExtension = (oid: string) =>
  `not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = ${oid} and deptype = 'e')`;

/** Returns all tables of the schema with their columns, except generated ones. Other programs may have tables there. */
export async function tablesOf(client: Client): Promise<Record<string, string[]>> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(`
    select c.relname::text as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attnum) as columns
    from pg_class c
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and ${notOfExtension('c.oid')}
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
    where c.relkind = 'S' and c.relnamespace = current_schema()::regnamespace and ${notOfExtension('c.oid')} order by c.relname`);
  const sequences: PostgresContent['sequences'] = [];
  for (const { name } of rows) {
    const { rows: states } = await client.query<{ value: string; called: boolean }>(
      `select last_value::text as value, is_called as called from ${quoteName(client, name)}`,
    );
    sequences.push(...states.map((state) => ({ name, ...state })));
  }
  return sequences;
}

export const quoteName = (client: Client, name: string) => client.escapeIdentifier(name);
