/** Restores a dump into an empty PostgreSQL database, in one transaction. */
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
  connectUnlimited,
  migrationTables,
  notOfExtension,
  type PostgresContent,
  quoteName,
  sequencesOf,
  tablesOf,
} from './copy-postgres.ts';
import { broken } from './read-backup.ts';

/** Writes a chunk of rows; all chunks of a table must be consecutive. */
export type WriteRows = (table: string, rows: Readable) => Promise<void>;

/**
 * Creates the tables as of the backup and fills them.
 *
 * @param archive name for error messages
 * @param fill writes all chunks, and does the rest of the restore; then everything is committed
 * @returns tables in the backup that don't belong to a homeserver, which are skipped
 * @throws ConfigurationError if the database isn't empty or the backup can't be restored; nothing is changed then
 */
export async function restorePostgres(
  archive: string,
  config: PostgresConfig,
  content: PostgresContent,
  fill: (write: WriteRows) => Promise<void>,
): Promise<string[]> {
  const run = asReleased(content.migrations);
  requireKnown(run);
  const client = await connectUnlimited(config);
  // Kysely must use this connection, which holds the transaction.
  const pool = { connect: async () => Object.assign(client, { release() {} }), end: async () => {} };
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: pool as never }) });
  try {
    return await db.transaction().execute(async (trx) => {
      await client.query('select pg_advisory_xact_lock($1)', [restoring]);
      await requireEmpty(client);
      await createTables(trx, run);
      return fillTables(archive, client, content, fill);
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

/** Advisory lock during a restore, even after the program that started it has died. */
const restoring = '5714409320117740642';

/** Returns whether a restore was committed, once it has ended. */
export async function isRestored(config: PostgresConfig): Promise<boolean> {
  const client = await connectUnlimited(config);
  try {
    await client.query('select pg_advisory_lock($1)', [restoring]);
    return await hasRelations(client);
  } finally {
    await client.end();
  }
}

async function hasRelations(client: Client): Promise<boolean> {
  const { rows } = await client.query(
    `select 1 from pg_class c where relnamespace = current_schema()::regnamespace
      and relkind not in ('c', 'i', 'I') and ${notOfExtension('c.oid')} limit 1`,
  );
  return rows.length > 0;
}

async function requireEmpty(client: Client): Promise<void> {
  if (!(await hasRelations(client))) return;
  throw new ConfigurationError(
    'database.args',
    "the database isn't empty",
    'create an empty database and set it in the file given with --config',
  );
}

/** Runs only the backup's migrations; the next start runs newer ones. */
async function createTables(trx: Transaction<unknown>, names: readonly string[]): Promise<void> {
  const wanted = Object.fromEntries(Object.entries(migrations).filter(([name]) => names.includes(name)));
  const migrator = new Migrator({ db: trx, provider: { getMigrations: async () => wanted } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

/** Fills the tables that the migrations have created, with triggers, keys and indexes disabled. Skips other tables. */
async function fillTables(
  archive: string,
  client: Client,
  { tables, sequences }: PostgresContent,
  fill: (write: WriteRows) => Promise<void>,
): Promise<string[]> {
  const created = await tablesOf(client);
  const isOurs = (table: string) => Object.hasOwn(created, table) && !migrationTables.includes(table);
  const ours = Object.keys(tables).filter(isOurs);
  if (ours.length === 0) throw broken(archive, "the database isn't a homeserver database");
  for (const table of ours) {
    if (tables[table]?.every((column) => created[table]?.includes(column))) continue;
    throw broken(archive, `unknown column in table ${table}`);
  }
  const names = ours.map((name) => quoteName(client, name));
  const restoreStatements = await dropKeysAndIndexes(client);
  for (const name of names) await client.query(`alter table ${name} disable trigger user`);
  // The migrations have inserted some rows.
  await client.query(`truncate ${names.join(', ')}`);

  const writer = createWriter(client, (table) => {
    const columns = tables[table] ?? [];
    return `copy ${quoteName(client, table)} (${columns.map((name) => quoteName(client, name)).join(', ')})
      from stdin (encoding 'UTF8')`;
  });
  await fill(async (table, rows) => {
    if (!ours.includes(table)) return;
    try {
      await writer.write(table, rows);
    } catch (error) {
      throw refused(archive, error);
    }
  });
  await writer.end();

  for (const statement of restoreStatements) await client.query(statement);
  for (const name of names) await client.query(`alter table ${name} enable trigger user`);
  const createdSequences = (await sequencesOf(client)).map(({ name }) => name);
  for (const { name, value, called } of sequences) {
    if (!createdSequences.includes(name)) continue;
    await client.query('select setval($1::regclass, $2::bigint, $3)', [
      quoteName(client, name),
      value,
      called,
    ]);
  }
  await client.query('analyze');
  return Object.keys(tables).filter((table) => !isOurs(table));
}

/** Makes filling the tables several times faster. Returns the statements that recreate them. */
async function dropKeysAndIndexes(client: Client): Promise<string[]> {
  const { rows: keys } = await client.query<Record<'table' | 'name' | 'definition', string>>(`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace
      and ${notOfExtension('conrelid')}`);
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  const { rows: indexes } = await client.query<Record<'name' | 'definition', string>>(`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = current_schema()::regnamespace and ${notOfExtension('i.indrelid')}
      and not exists (select from pg_constraint where conindid = i.indexrelid)`);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  return [
    ...indexes.map(({ definition }) => definition),
    ...keys.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`),
  ];
}

function createWriter(client: Client, statementFor: (table: string) => string) {
  let current: { table: string; stream: ReturnType<typeof copyFrom>; finished: Promise<void> } | undefined;

  async function end(): Promise<void> {
    const ended = current;
    current = undefined;
    ended?.stream.end();
    await ended?.finished;
  }

  return {
    async write(table: string, rows: Readable): Promise<void> {
      if (current?.table !== table) {
        await end();
        const stream = client.query(copyFrom(statementFor(table)));
        const written = finished(stream);
        // The next wait throws it.
        written.catch(() => {});
        current = { table, stream, finished: written };
      }
      const { stream, finished: written } = current;
      for await (const chunk of rows) {
        if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), written]);
      }
    },
    end,
  };
}

/** Invalid rows and constraint violations. */
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
