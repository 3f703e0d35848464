import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { Config } from '../config/config.ts';

/** What gives a claim up. */
export type Release = () => Promise<void>;

/**
 * Makes this process the one that serves a data directory and its database: the one that runs tasks. The
 * claim is a lock that goes with the process, however that ends, so none is ever left behind.
 *
 * @returns undefined where another process has it
 */
export async function claimData({
  dataDir,
  database,
}: Pick<Config, 'dataDir' | 'database'>): Promise<Release | undefined> {
  const releaseDirectory = claimDirectory(dataDir);
  if (!releaseDirectory || database.name === 'sqlite3') return releaseDirectory;
  const { claimPostgres } = await import('./postgres.ts');
  const releaseDatabase = await claimPostgres(database).catch(async (error: unknown) => {
    await releaseDirectory();
    throw error;
  });
  if (!releaseDatabase) {
    await releaseDirectory();
    return undefined;
  }
  return async () => {
    await releaseDatabase();
    await releaseDirectory();
  };
}

function claimDirectory(dataDir: string): Release | undefined {
  mkdirSync(dataDir, { recursive: true });
  const lock = new SqliteDatabase(join(dataDir, 'serving.lock'), { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_BUSY')) return undefined;
    throw error;
  }
  return async () => {
    lock.close();
  };
}
