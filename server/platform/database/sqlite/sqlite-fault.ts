/** Conversion of SQLite's errors. */
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { isNoRoom } from '../../core/files.ts';
import { DatabaseFault, ForeignKeyViolation } from '../fault.ts';

export const isBusy = (error: unknown) =>
  error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_BUSY');

/** Returns the matching fault, or the error if there is none. @param file database file */
export function asFault(error: unknown, file: string): unknown {
  if (!(error instanceof SqliteDatabase.SqliteError)) return error;
  if (error.code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return new ForeignKeyViolation(error);
  if (isBusy(error)) return new DatabaseFault('contended', error);
  if (full.has(error.code) || (error.code === 'SQLITE_IOERR_WRITE' && isFull(dirname(file)))) {
    return new DatabaseFault('full', error);
  }
  return error;
}

/** Neither the file nor the WAL index can grow. */
const full = new Set(['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE']);

/** SQLite reports an exceeded quota like a broken disk, so this writes a probe file to find out. */
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
