import { stat } from 'node:fs/promises';
import { sql } from 'kysely';
import type { DatabaseConfig } from '../config/database.ts';
import type { Database } from './schema.ts';

/** How much room the database takes, in bytes; null where it is not on a disk. */
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
