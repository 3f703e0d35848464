/** What SQLite says that is not the statement's fault. */
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { isNoRoom } from '../../core/files.ts';
import { BelongsToNothing, DatabaseFault } from '../fault.ts';

/** Whether another connection holds what is needed. */
export const isBusy = (error: unknown) =>
  error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_BUSY');

/** The fault that an error is, or the error. @param file the database's */
export function asFault(error: unknown, file: string): unknown {
  if (!(error instanceof SqliteDatabase.SqliteError)) return error;
  if (error.code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return new BelongsToNothing(error);
  if (isBusy(error)) return new DatabaseFault('contended', error);
  if (full.has(error.code) || (error.code === 'SQLITE_IOERR_WRITE' && isFull(dirname(file)))) {
    return new DatabaseFault('full', error);
  }
  return error;
}

/** The file can't grow, or the index of its log can't. */
const full = new Set(['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE']);

/**
 * Whether nothing more can be written to a directory. SQLite knows a full disk, and doesn't tell a quota that is
 * used up from a disk that is broken.
 */
function isFull(directory: string): boolean {
  const probe = join(directory, `room.${randomUUID()}`);
  try {
    writeFileSync(probe, Buffer.alloc(65_536), { mode: 0o600 });
    return false;
  } catch (error) {
    return isNoRoom(error);
  } finally {
    rmSync(probe, { force: true });
  }
}
