/** Copies of a server's data on SQLite, and their restoration while the server is stopped. */
import { randomUUID } from 'node:crypto';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { Config } from '../../platform/config/config.ts';
import { invalidParameter } from '../../platform/core/matrix-error.ts';

export type DataCopy = { folder: string };

type Source = Pick<Config, 'database' | 'mediaStorePath'>;

/**
 * Copies the committed data of a running server.
 *
 * @param parent an existing directory
 * @throws MatrixError 400 for a server whose data isn't in files
 */
export async function copyData(config: Source, parent: string): Promise<DataCopy> {
  const file = requireFile(config);
  const folder = join(parent, randomUUID());
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const database = new SqliteDatabase(file, { readonly: true });
  try {
    await writeFile(join(folder, 'database'), database.serialize(), { mode: 0o600 });
  } finally {
    database.close();
  }
  await copyFolder(config.mediaStorePath, join(folder, 'media'));
  return { folder };
}

/** Replaces the data of a stopped server. */
export async function putData(config: Source, { folder }: DataCopy): Promise<void> {
  const file = requireFile(config);
  for (const log of [`${file}-wal`, `${file}-shm`]) await rm(log, { force: true });
  await cp(join(folder, 'database'), file);
  await rm(config.mediaStorePath, { recursive: true, force: true });
  await copyFolder(join(folder, 'media'), config.mediaStorePath);
}

export const deleteCopy = ({ folder }: DataCopy) => rm(folder, { recursive: true, force: true });

/** Does nothing if the folder doesn't exist. */
async function copyFolder(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/** @throws MatrixError 400 */
function requireFile({ database }: Source): string {
  if (database.name === 'sqlite3' && database.file !== ':memory:') return database.file;
  throw invalidParameter(
    'Reset and snapshots need SQLite with a file. Remove database from the configuration',
  );
}
