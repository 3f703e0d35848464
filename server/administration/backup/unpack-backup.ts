/** The files of a backup in a folder, and what they have to be. */
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { loadSigningKey } from '../../conversation/rooms/signing-key.ts';
import { developmentMigrations, migrationNames } from '../../platform/database/migrate.ts';
import { databaseEntry, keyEntry } from './archive.ts';
import { runStatement } from './copy-database.ts';
import { rowsName } from './copy-postgres.ts';
import { broken, eachEntry } from './read-backup.ts';
import type { TakeRows } from './restore-postgres.ts';

/** @param takeRows of tables, where there are any */
export async function unpack(archive: string, folder: string, takeRows?: TakeRows): Promise<void> {
  const made = new Set<string>();
  const flushing = new Set<Promise<void>>();
  await eachEntry(archive, async ({ name }, content) => {
    const [, table] = rowsName.exec(name) ?? [];
    if (table !== undefined) return takeRows?.(table, content);
    const path = join(folder, name);
    const parent = dirname(path);
    try {
      if (!made.has(parent)) await mkdir(parent, { recursive: true, mode: 0o700 });
      made.add(parent);
      await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      throw ['EEXIST', 'ENOTDIR'].includes(code) ? broken(archive, 'duplicate entry in the archive') : error;
    }
    const flushed = flush(path).then(() => void flushing.delete(flushed));
    // Whoever waits for them all is told.
    flushed.catch(() => {});
    flushing.add(flushed);
    if (flushing.size >= flushedAtOnce) await Promise.race(flushing);
  });
  await Promise.all(flushing);
}

/** One after the other, many small files would each wait for the disk. */
const flushedAtOnce = 16;

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.sync().finally(() => file.close());
}

const sqliteHeader = 'SQLite format 3\0';

/** @throws ConfigurationError where what was unpacked is no homeserver's database and key */
export async function requireServer(archive: string, folder: string): Promise<void> {
  const file = await open(join(folder, databaseEntry)).catch(() => undefined);
  const begins = await file?.read(Buffer.alloc(sqliteHeader.length)).finally(() => file.close());
  if (begins?.buffer.toString('latin1') !== sqliteHeader) throw broken(archive, 'no database in the archive');
  await requireWholeDatabase(archive, join(folder, databaseEntry));
  await requireKey(archive, folder);
}

/**
 * Looks at every page of it, and at every row: a second or two for a million reports. To compare each index with its table
 * as well would take several times that, and find hardly more of what a disk does to a file.
 */
async function requireWholeDatabase(archive: string, file: string): Promise<void> {
  const check = { file, statement: 'pragma quick_check(1)', values: [] };
  const [found] = await runStatement(check).catch((error: { code?: string }) => {
    if (/^SQLITE_(CORRUPT|NOTADB|ERROR)/.test(error.code ?? '')) return [error.code];
    throw error;
  });
  if (found !== 'ok') throw broken(archive, 'the database is damaged');
  if (!(await isHomeservers(file))) throw broken(archive, "the database isn't a homeserver database");
}

/** Whether what every version has begun with was done to it. */
async function isHomeservers(file: string): Promise<boolean> {
  const values = [...migrationNames.slice(0, 1), developmentMigrations.last];
  const marks = { file, statement: 'select 1 from kysely_migration where name in (?, ?)', values };
  const found = await runStatement(marks).catch((error: { code?: string }) => {
    // There is no such table.
    if (error.code === 'SQLITE_ERROR') return [];
    throw error;
  });
  return found.length > 0;
}

/** One that never ran has none yet. */
export async function requireKey(archive: string, folder: string): Promise<void> {
  const path = join(folder, keyEntry);
  if (!existsSync(path)) return;
  await loadSigningKey(path).catch(() => {
    throw broken(archive, 'the signing key is invalid');
  });
}
