/** Runs the migrations. Refuses another program's database without touching it. */
import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { ConfigurationError } from '../config/configuration-error.ts';
import { programVersion } from '../core/version.ts';
import * as initial from './migrations/0001-initial.ts';
import * as reportTotals from './migrations/0002-report-totals.ts';
import * as ownershipByLocks from './migrations/0003-ownership-by-locks.ts';
import * as unreadPerThread from './migrations/0004-unread-per-thread.ts';
import * as fewerReportIndexes from './migrations/0005-fewer-report-indexes.ts';
import type { Schema } from './schema.ts';

export const migrationList = 'kysely_migration';

/** The migrations of builds before 0.1.0, which `0001-initial` replaces. */
export const developmentMigrations = { first: '0001-accounts', last: '0043-empty-report-totals' };

const isOfDevelopment = (names: ReadonlySet<string>): boolean => names.has(developmentMigrations.first);

/** Replaces the migrations of builds before 0.1.0 by `0001-initial`, if all have run. */
export const asReleased = (names: readonly string[]): readonly string[] =>
  names.includes(developmentMigrations.last) ? migrationNames.slice(0, 1) : names;

/**
 * Throws if a database has tables of another program.
 *
 * @param tables the names of all tables, except those of extensions
 * @param migrations the rows of the list of migrations, if that table exists
 * @param refusal the setting that names the database, the other program, and the fix
 * @throws ConfigurationError
 */
export function requireOwnTables(
  tables: readonly string[],
  migrations: readonly { name?: unknown }[],
  [setting, what, fix]: readonly [setting: string, what: string, fix: string],
): void {
  const isOurs = migrations.some(
    ({ name }) => name === migrationNames[0] || name === developmentMigrations.first,
  );
  const isNew =
    migrations.length === 0 &&
    tables.every((name) => [migrationList, `${migrationList}_lock`].includes(name));
  if (isOurs || isNew) return;
  throw new ConfigurationError(setting, `${what} contains tables of another program`, fix);
}

/** In order. */
export const migrations: Record<string, Migration> = {
  '0001-initial': initial,
  '0002-report-totals': reportTotals,
  '0003-ownership-by-locks': ownershipByLocks,
  '0004-unread-per-thread': unreadPerThread,
  '0005-fewer-report-indexes': fewerReportIndexes,
};

export const migrationNames = Object.keys(migrations);

/**
 * Migrates the database to the newest schema, in one transaction. The server starts after it.
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

/** Replaces the migrations of builds before 0.1.0 in the database by `0001-initial`. */
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
