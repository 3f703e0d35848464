import { stat } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import type { DatabaseConfig } from '../config/database.ts';
import type { Log } from '../core/log.ts';
import { migrate } from './migrate.ts';
import type { Database, Schema } from './schema.ts';

/**
 * Opens the configured database and migrates it. Imports only that engine, which makes the start faster.
 *
 * @param log gets broken connections
 * @throws ConfigurationError if the database can't be used
 */
export async function openDatabase(config: DatabaseConfig, log?: Log): Promise<Kysely<Schema>> {
  if (config.name === 'sqlite3') {
    const { asRefusal, openSqlite } = await import('./sqlite/sqlite.ts');
    const db = await openSqlite(config.file, config.synchronous);
    try {
      await migrate(db);
      return db;
    } catch (error) {
      await db.destroy();
      throw asRefusal(error, config.file);
    }
  }
  const { openPostgres } = await import('./postgres/postgres.ts');
  return openPostgres(config, log);
}

/** Returns the error of a failed command; names the database and the fix if that is the cause. */
export async function asCommandRefusal(error: unknown, config: DatabaseConfig): Promise<unknown> {
  if (config.name !== 'sqlite3') return error;
  const { asRefusal } = await import('./sqlite/sqlite.ts');
  return asRefusal(error, config.file);
}

/** Returns the size of the database in bytes; null in memory. */
export async function databaseSize(db: Database, config: DatabaseConfig): Promise<number | null> {
  if (config.name === 'psycopg2') {
    const query = sql<{ size: string }>`select pg_database_size(current_database()) as size`;
    const { rows } = await query.execute(db);
    return Number(rows[0]?.size ?? 0);
  }
  if (config.file === ':memory:') return null;
  const files = [config.file, `${config.file}-wal`].map((file) => stat(file).catch(() => ({ size: 0 })));
  return (await Promise.all(files)).reduce((sum, { size }) => sum + size, 0);
}
