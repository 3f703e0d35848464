/** Unpacks a backup into a folder, and verifies its files. */
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
import type { WriteRows } from './restore-postgres.ts';

/** @param writeRows gets the rows of a PostgreSQL backup */
export async function unpack(archive: string, folder: string, writeRows?: WriteRows): Promise<void> {
  const made = new Set<string>();
  const flushing = new Set<Promise<void>>();
  await eachEntry(archive, async ({ name }, content) => {
    const [, table] = rowsName.exec(name) ?? [];
    if (table !== undefined) return writeRows?.(table, content);
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
    // Reported by Promise.all below.
    flushed.catch(() => {});
    flushing.add(flushed);
    if (flushing.size >= flushedAtOnce) await Promise.race(flushing);
  });
  await Promise.all(flushing);
}

/** Flushing many small files one by one would wait for the disk each time. */
const flushedAtOnce = 16;

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.sync().finally(() => file.close());
}

const sqliteHeader = 'SQLite format 3\0';

/** @throws ConfigurationError unless the folder has the database and key of a homeserver */
export async function requireServer(archive: string, folder: string): Promise<void> {
  const file = await open(join(folder, databaseEntry)).catch(() => undefined);
  const begins = await file?.read(Buffer.alloc(sqliteHeader.length)).finally(() => file.close());
  if (begins?.buffer.toString('latin1') !== sqliteHeader) throw broken(archive, 'no database in the archive');
  await requireWholeDatabase(archive, join(folder, databaseEntry));
  await requireKey(archive, folder);
}

/** Checks every page and row: takes 1 to 2 seconds for a million reports. Checking indexes as well would take several times that. */
async function requireWholeDatabase(archive: string, file: string): Promise<void> {
  const check = { file, statement: 'pragma quick_check(1)', values: [] };
  const [found] = await runStatement(check).catch((error: { code?: string }) => {
    if (/^SQLITE_(CORRUPT|NOTADB|ERROR)/.test(error.code ?? '')) return [error.code];
    throw error;
  });
  if (found !== 'ok') throw broken(archive, 'the database is damaged');
  if (!(await isHomeservers(file))) throw broken(archive, "the database isn't a homeserver database");
}

/** Whether the first migration of any version was run. */
async function isHomeservers(file: string): Promise<boolean> {
  const values = [...migrationNames.slice(0, 1), developmentMigrations.last];
  const marks = { file, statement: 'select 1 from kysely_migration where name in (?, ?)', values };
  const found = await runStatement(marks).catch((error: { code?: string }) => {
    // No such table.
    if (error.code === 'SQLITE_ERROR') return [];
    throw error;
  });
  return found.length > 0;
}

/** A server that never ran has no key yet. @throws ConfigurationError if the key is invalid */
export async function requireKey(archive: string, folder: string): Promise<void> {
  const path = join(folder, keyEntry);
  if (!existsSync(path)) return;
  await loadSigningKey(path).catch(() => {
    throw broken(archive, 'the signing key is invalid');
  });
}
