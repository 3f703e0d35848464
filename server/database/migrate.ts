import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { ConfigurationError } from '../config/configuration-error.ts';
import { programVersion } from '../core/program-version.ts';
import { migrationNames, migrations } from './migrations.ts';
import { developmentMigrations, isOfDevelopment } from './own-tables.ts';
import type { Schema } from './schema.ts';

/**
 * Brings the database to the newest schema, in one transaction. The server doesn't start before. Interface: "Upgrade
 * rules" 2.
 *
 * @throws ConfigurationError if a newer version has migrated the database, or if it is older than the first schema
 */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  const done = await migrationsOf(db);
  if (isOfDevelopment(done)) await adopt(db, done);
  // Most starts find nothing to do; the migrator would read the whole schema first.
  else if (done.size === migrationNames.length && migrationNames.every((name) => done.has(name))) return;
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
  }).migrateToLatest();
  if (error) throw isOfNewerVersion(error) ? newerVersion() : error;
}

type List = { kysely_migration: { name: string; timestamp: string } };

async function migrationsOf(db: Kysely<Schema>): Promise<ReadonlySet<string>> {
  const rows = await db
    .withTables<List>()
    .selectFrom('kysely_migration')
    .select('name')
    .execute()
    .catch(() => []);
  return new Set(rows.map(({ name }) => name));
}

/** Replaces the migrations of the builds before 0.1.0 by the one that stands for all of them. */
async function adopt(db: Kysely<Schema>, done: ReadonlySet<string>): Promise<void> {
  if (!done.has(developmentMigrations.last)) {
    throw new ConfigurationError(
      'database',
      'it was created by a build older than 0.1.0',
      'use another database',
    );
  }
  const [name = ''] = migrationNames;
  await db
    .withTables<List>()
    .transaction()
    .execute(async (tx) => {
      // Several processes may start at once.
      await tx.deleteFrom('kysely_migration').where('name', 'not in', migrationNames).execute();
      await tx
        .insertInto('kysely_migration')
        .values({ name, timestamp: new Date().toISOString() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await tx.withTables<Schema>().deleteFrom('server_facts').where('name', '=', 'newest_build').execute();
    });
}

/** Matches Kysely's error for a migration that ran but isn't in this version's list. */
const isOfNewerVersion = (error: unknown) =>
  error instanceof Error && /previously executed migration \S+ is missing/.test(error.message);

const newerVersion = () =>
  new ConfigurationError(
    'database',
    `a newer version has migrated it, which ${programVersion} can't read`,
    'run that version or a later one',
  );
