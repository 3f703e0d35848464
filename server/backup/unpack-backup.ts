/** The files of a backup in a folder, and what they have to be. */
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { loadSigningKey } from '../rooms/signing-key.ts';
import { databaseEntry, keyEntry } from './archive.ts';
import { rowsName } from './postgres-content.ts';
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
      throw ['EEXIST', 'ENOTDIR'].includes(code) ? broken(archive, 'a name stands there twice') : error;
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
  if (begins?.buffer.toString('latin1') !== sqliteHeader) throw broken(archive, 'it holds no database');
  await requireKey(archive, folder);
}

/** One that never ran has none yet. */
export async function requireKey(archive: string, folder: string): Promise<void> {
  const path = join(folder, keyEntry);
  if (!existsSync(path)) return;
  await loadSigningKey(path).catch(() => {
    throw broken(archive, 'its signing key is none');
  });
}
