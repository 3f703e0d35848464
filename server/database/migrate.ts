import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { ConfigurationError } from '../config/configuration-error.ts';
import { migrations } from './migrations.ts';
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
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (!error) return noteBuild(db);
  if (isOfNewerBuild(error)) throw await newerBuildRefusal(db);
  throw isHalfMade(error) ? await halfMadeRefusal(db) : error;
}

/** The migrator says so of a migration that was run here and that it doesn't know. */
const isOfNewerBuild = (error: unknown) =>
  error instanceof Error && /previously executed migration \S+ is missing/.test(error.message);

const isHalfMade = (error: unknown) =>
  error instanceof Error && /already exists|duplicate column name/.test(error.message);

/** A first start writes the server's name when all tables are there: without it nothing was ever kept in them. */
async function halfMadeRefusal(db: Kysely<Schema>): Promise<ConfigurationError> {
  const used = await readFact(db, 'server_name').catch(() => undefined);
  return new ConfigurationError(
    'database',
    used === undefined
      ? 'a first start of an earlier build was killed while it made this database, and nothing was kept in it yet'
      : 'an earlier build was killed while it changed the tables of this database',
    used === undefined ? 'delete it and start again' : 'restore it from the backup made before that upgrade',
  );
}
