import type { Kysely } from 'kysely';
import type { DatabaseConfig } from '../config/database.ts';
import type { Log } from '../core/log.ts';
import { migrate } from './migrate.ts';
import type { Schema } from './schema.ts';

/**
 * Opens the configured database and migrates it. Imports only that engine, which makes the start faster.
 *
 * @param log gets broken connections
 * @throws ConfigurationError if the database can't be used
 */
export async function openDatabase(config: DatabaseConfig, log?: Log): Promise<Kysely<Schema>> {
  if (config.name === 'sqlite3') {
    const { asRefusal, openSqlite } = await import('./sqlite.ts');
    const db = await openSqlite(config.file, config.synchronous);
    try {
      await migrate(db);
      return db;
    } catch (error) {
      await db.destroy();
      throw asRefusal(error, config.file);
    }
  }
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres(config, log);
}

/** Returns the error with which a failed command ends; names the database and the fix if that is the cause. */
export async function asCommandRefusal(error: unknown, config: DatabaseConfig): Promise<unknown> {
  if (config.name !== 'sqlite3') return error;
  const { asRefusal } = await import('./sqlite.ts');
  return asRefusal(error, config.file);
}
