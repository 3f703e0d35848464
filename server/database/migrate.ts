import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { ConfigurationError } from '../config/configuration-error.ts';
import { migrationNames, migrations } from './migrations.ts';
import { newerBuildRefusal, noteBuild } from './newest-build.ts';
import type { Schema } from './schema.ts';
import { readFact } from './server-facts.ts';

/**
 * Brings the database to the newest schema; the server does not start until it is. Interface: "Upgrade rules" 2.
 * All that is missing is one transaction on one connection, so whoever is killed on the way has changed nothing.
 *
 * @throws ConfigurationError where a newer build has migrated it, and where an earlier one, that did without a
 *   transaction, was killed on the way
 */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  // As most starts find it: the migrator would look at every table and column there is first.
  if (await isNewest(db)) return noteBuild(db);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (!error) return noteBuild(db);
  if (isOfNewerBuild(error)) throw await newerBuildRefusal(db);
  throw isHalfMade(error) ? await halfMadeRefusal(db) : error;
}

/** Whether all migrations were run here, and no other; what can't be read is for the migrator to make, or to fail at. */
async function isNewest(db: Kysely<Schema>): Promise<boolean> {
  const run = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .execute()
    .catch(() => []);
  const names = new Set(run.map(({ name }) => name));
  return names.size === migrationNames.length && migrationNames.every((name) => names.has(name));
}

/** The migrator says so of a migration that was run here and that it doesn't know. */
const isOfNewerBuild = (error: unknown) =>
  error instanceof Error && /previously executed migration \S+ is missing/.test(error.message);

const isHalfMade = (error: unknown) =>
  error instanceof Error && /already exists|duplicate column name/.test(error.message);

/**
 * A first start writes the server's name when all tables are there. How much is in those of one that didn't, nobody has
 * looked at: what certainly is empty was refused before.
 */
async function halfMadeRefusal(db: Kysely<Schema>): Promise<ConfigurationError> {
  const used = await readFact(db, 'server_name').catch(() => undefined);
  return new ConfigurationError(
    'database',
    used === undefined
      ? 'an earlier build was killed while it made the tables of this database'
      : 'an earlier build was killed while it changed the tables of this database',
    used === undefined
      ? 'name another one, or restore this one from a backup'
      : 'restore it from the backup made before that upgrade',
  );
}
