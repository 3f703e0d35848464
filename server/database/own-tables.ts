/** Tells a homeserver's database from another program's, which is never touched. */
import { ConfigurationError } from '../config/configuration-error.ts';
import { migrationNames } from './migrations.ts';

export const migrationList = 'kysely_migration';

/** The migrations of builds before 0.1.0, which `0001-initial` replaces. */
export const developmentMigrations = { first: '0001-accounts', last: '0043-empty-report-totals' };

export const isOfDevelopment = (names: ReadonlySet<string>): boolean =>
  names.has(developmentMigrations.first);

/** Returns the migrations that a list stands for: those of builds before 0.1.0 are `0001-initial`, once all have run. */
export const asReleased = (names: readonly string[]): readonly string[] =>
  names.includes(developmentMigrations.last) ? migrationNames.slice(0, 1) : names;

/**
 * Throws if a database has tables of another program.
 *
 * @param tables the names of all tables, except those of extensions
 * @param migrations the rows of the list of migrations, if that table exists
 * @param refusal the setting that names the database, what it is, and the fix
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
