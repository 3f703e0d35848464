import type { Kysely } from 'kysely';
import type { DatabaseConfig } from '../config/database.ts';
import type { Schema } from './schema.ts';

/**
 * Opens the configured database. Each engine is loaded where it is used: a start pays for one only.
 *
 * @throws ConfigurationError where it can't be used as it is
 */
export async function openDatabase(config: DatabaseConfig): Promise<Kysely<Schema>> {
  if (config.name === 'sqlite3') {
    const { openSqlite } = await import('./sqlite.ts');
    return openSqlite(config.file);
  }
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres(config);
}
