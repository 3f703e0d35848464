/** Putting a PostgreSQL database back: all of it in one transaction, where nothing is yet. */
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { ConfigurationError } from '../../platform/config/configuration-error.ts';
import type { PostgresConfig } from '../../platform/config/database.ts';
import { asReleased, migrations } from '../../platform/database/migrate.ts';
import {
  connectForLong,
  migrationTables,
  ofNoExtension,
  type PostgresContent,
  quoted,
  sequencesOf,
  tablesOf,
} from './copy-postgres.ts';
import { broken } from './read-backup.ts';

/** Takes the next part of a table's rows; parts of one table come one after the other. */
export type TakeRows = (table: string, rows: Readable) => Promise<void>;

/**
 * Makes the tables as they were, and has them filled.
 *
 * @param archive is named where what is in it can't be put in
 * @param fill gives every part, and does whatever else belongs to the restore: when it is over, all is committed
 * @returns tables in it that are none of a homeserver, which were left out
 * @throws ConfigurationError where something is there already, or the backup can't be put in; nothing is changed then
 */
export async function restorePostgres(
  archive: string,
  config: PostgresConfig,
  content: PostgresContent,
  fill: (take: TakeRows) => Promise<void>,
): Promise<string[]> {
  const run = asReleased(content.migrations);
  requireKnown(run);
  const client = await connectForLong(config);
  // Everything goes over the one connection.
  const pool = { connect: async () => Object.assign(client, { release() {} }), end: async () => {} };
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: pool as never }) });
  try {
    return await db.transaction().execute(async (trx) => {
      await client.query('select pg_advisory_xact_lock($1)', [restoring]);
      await requireEmpty(client);
      await makeTables(trx, run);
      return putIn(archive, client, content, fill);
    });
  } catch (error) {
    throw error instanceof ConfigurationError || (error as NodeJS.ErrnoException).syscall
      ? error
      : refused(archive, error);
  } finally {
    await client.end().catch(() => {});
  }
}

function requireKnown(names: readonly string[]): void {
  if (names.length > 0 && names.every((name) => Object.hasOwn(migrations, name))) return;
  throw new ConfigurationError(
    'database',
    'the backup was created by a newer version',
    'restore it with that version or a later one',
  );
}

/** Held for as long as a restore is under way, also where the program that began it has gone. */
const restoring = '5714409320117740642';

/** Whether a restore was committed: waits until it is one or the other. */
export async function holdsRestored(config: PostgresConfig): Promise<boolean> {
  const client = await connectForLong(config);
  try {
    await client.query('select pg_advisory_lock($1)', [restoring]);
    return await holdsSomething(client);
  } finally {
    await client.end();
  }
}

async function holdsSomething(client: Client): Promise<boolean> {
  const { rows } = await client.query(
    `select 1 from pg_class c where relnamespace = current_schema()::regnamespace
      and relkind not in ('c', 'i', 'I') and ${ofNoExtension('c.oid')} limit 1`,
  );
  return rows.length > 0;
}

async function requireEmpty(client: Client): Promise<void> {
  if (!(await holdsSomething(client))) return;
  throw new ConfigurationError(
    'database.args',
    "the database isn't empty",
    'create an empty database and set it in the file given with --config',
  );
}

/** By the migrations that had been run: what a newer build has beside them, its start brings. */
async function makeTables(trx: Transaction<unknown>, names: readonly string[]): Promise<void> {
  const wanted = Object.fromEntries(Object.entries(migrations).filter(([name]) => names.includes(name)));
  const migrator = new Migrator({ db: trx, provider: { getMigrations: async () => wanted } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

/**
 * What a table's rows are checked and completed with as they come is there again when all of them are. What the
 * migrations did not make is left alone, wherever it is, and left out.
 */
async function putIn(
  archive: string,
  client: Client,
  { tables, sequences }: PostgresContent,
  fill: (take: TakeRows) => Promise<void>,
): Promise<string[]> {
  const made = await tablesOf(client);
  const isOurs = (table: string) => Object.hasOwn(made, table) && !migrationTables.includes(table);
  const ours = Object.keys(tables).filter(isOurs);
  if (ours.length === 0) throw broken(archive, "the database isn't a homeserver database");
  for (const table of ours) {
    if (tables[table]?.every((column) => made[table]?.includes(column))) continue;
    throw broken(archive, `unknown column in table ${table}`);
  }
  const names = ours.map((name) => quoted(client, name));
  const makeAgain = await takeOffKeysAndIndexes(client);
  for (const name of names) await client.query(`alter table ${name} disable trigger user`);
  // Migrations write some rows.
  await client.query(`truncate ${names.join(', ')}`);

  const writer = createWriter(client, (table) => {
    const columns = tables[table] ?? [];
    return `copy ${quoted(client, table)} (${columns.map((name) => quoted(client, name)).join(', ')})
      from stdin (encoding 'UTF8')`;
  });
  await fill(async (table, rows) => {
    if (!ours.includes(table)) return;
    try {
      await writer.take(table, rows);
    } catch (error) {
      throw refused(archive, error);
    }
  });
  await writer.end();

  for (const statement of makeAgain) await client.query(statement);
  for (const name of names) await client.query(`alter table ${name} enable trigger user`);
  const madeSequences = (await sequencesOf(client)).map(({ name }) => name);
  for (const { name, value, called } of sequences) {
    if (!madeSequences.includes(name)) continue;
    await client.query('select setval($1::regclass, $2::bigint, $3)', [quoted(client, name), value, called]);
  }
  await client.query('analyze');
  return Object.keys(tables).filter((table) => !isOurs(table));
}

/** To fill tables without them takes a part of the time. Gives what makes them again. */
async function takeOffKeysAndIndexes(client: Client): Promise<string[]> {
  const { rows: keys } = await client.query<Record<'table' | 'name' | 'definition', string>>(`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace
      and ${ofNoExtension('conrelid')}`);
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  const { rows: indexes } = await client.query<Record<'name' | 'definition', string>>(`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = current_schema()::regnamespace and ${ofNoExtension('i.indrelid')}
      and not exists (select from pg_constraint where conindid = i.indexrelid)`);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  return [
    ...indexes.map(({ definition }) => definition),
    ...keys.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`),
  ];
}

function createWriter(client: Client, statementFor: (table: string) => string) {
  let current: { table: string; stream: ReturnType<typeof copyFrom>; over: Promise<void> } | undefined;

  async function end(): Promise<void> {
    const ended = current;
    current = undefined;
    ended?.stream.end();
    await ended?.over;
  }

  return {
    async take(table: string, rows: Readable): Promise<void> {
      if (current?.table !== table) {
        await end();
        const stream = client.query(copyFrom(statementFor(table)));
        const over = finished(stream);
        // Whoever waits for it next is told.
        over.catch(() => {});
        current = { table, stream, over };
      }
      const { stream, over } = current;
      for await (const chunk of rows) {
        if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), over]);
      }
    },
    end,
  };
}

/** Rows that are none, or that contradict each other or the rules of their table. */
const damage = /^(22003|22P0[24]|23)/;

function refused(archive: string, error: unknown): ConfigurationError {
  const { code, message } = error as { code?: string; message: string };
  if (damage.test(code ?? '')) return broken(archive, 'the database is damaged');
  return new ConfigurationError(
    'database.args',
    `couldn't write to the database (${code ?? message})`,
    'check the connection and the disk space, then try again; nothing was changed',
  );
}
