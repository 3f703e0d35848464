import type { Kysely } from 'kysely';
import type { DatabaseConfig } from '../config/database.ts';
import type { Log } from '../core/log.ts';
import { migrate } from './migrate.ts';
import type { Schema } from './schema.ts';

/**
 * Opens the configured database with the newest schema. Each engine is loaded where it is used: a start pays for
 * one only.
 *
 * @param log is told of connections that break
 * @throws ConfigurationError where it can't be used as it is
 */
export async function openDatabase(config: DatabaseConfig, log?: Log): Promise<Kysely<Schema>> {
  if (config.name === 'sqlite3') {
    const { asRefusal, openSqlite } = await import('./sqlite.ts');
    const db = await openSqlite(config.file);
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

/** What ends a command whose work failed: an error that names the database and the way out, where it is at fault. */
export async function asCommandRefusal(error: unknown, config: DatabaseConfig): Promise<unknown> {
  if (config.name !== 'sqlite3') return error;
  const { asRefusal } = await import('./sqlite.ts');
  return asRefusal(error, config.file);
}
