import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';

/**
 * Makes this process the one that serves a data directory. The claim is a lock that the operating system
 * gives up with the process, however that ends, so none is ever left behind.
 *
 * @returns what gives the claim up, or undefined where another process has it
 */
export function claimDataDirectory(dataDir: string): (() => void) | undefined {
  mkdirSync(dataDir, { recursive: true });
  const lock = new SqliteDatabase(join(dataDir, 'serving.lock'), { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_BUSY')) return undefined;
    throw error;
  }
  return () => lock.close();
}
