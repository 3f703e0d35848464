/** Putting a backup back: all of it or nothing, where nothing is yet. Design: "The command line". */
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract, type Header } from 'tar-stream';
import { Value } from 'typebox/value';
import type { Config } from '../config/config.ts';
import { ConfigurationError } from '../config/configuration-error.ts';
import type { PostgresConfig } from '../config/database.ts';
import { loadConfig } from '../config/load.ts';
import { loadSigningKey } from '../rooms/signing-key.ts';
import {
  createDigest,
  databaseEntry,
  keyEntry,
  largestManifest,
  Manifest,
  manifestEntry,
  mediaFolder,
  settingsEntry,
} from './archive.ts';
import { largestPostgresEntry, PostgresContent, postgresEntry, rowsName } from './postgres-content.ts';
import type { TakeRows } from './restore-postgres.ts';
import {
  type Move,
  makeRestoreFolder,
  moveAll,
  type Noted,
  noteMoves,
  takeBackMoves,
} from './unfinished-restore.ts';
import { requireKeptDatabase } from './write-backup.ts';

export type Restored = { manifest: Manifest; config: Config; settingsFile: string | undefined };

/**
 * Reads the archive once to see that it is whole, and a second time to put it where the configuration says. The
 * configuration is the given one, or else the archive's own, which is then written to the data directory, too.
 *
 * @throws ConfigurationError where the archive is broken, or something is there already; nothing is left behind
 */
export async function restoreBackup(
  archive: string,
  { file, dataDir: given }: { file?: string | undefined; dataDir: string },
): Promise<Restored> {
  const dataDir = resolve(given);
  const { manifest, settings, postgres } = await readBackup(archive);
  const own = join(dataDir, settingsEntry);
  const settingsFile = file === undefined && settings !== undefined ? own : undefined;
  const config = await loadConfig({
    dataDir,
    file: file ?? settingsFile,
    ...(settingsFile && { text: settings }),
  });
  if (settingsFile) requireWithin(dataDir, movesFor(config, settingsFile));
  requireKeptDatabase(config);
  const { database } = config;
  if ((database.name === 'psycopg2') !== (postgres !== undefined)) throw ofAnotherEngine(database);
  if (config.serverName !== manifest.server_name) {
    throw new ConfigurationError(
      'server_name',
      `the backup is of ${manifest.server_name}, and every identifier in it says so`,
      `write ${manifest.server_name}`,
    );
  }
  await requireNothing(config, settingsFile);

  const made = await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const folder = await makeRestoreFolder(dataDir);
  const moves = movesFor(config, settingsFile).map(([from, to]): Move => [join(folder, from), to]);
  try {
    if (database.name === 'sqlite3') {
      await unpack(archive, folder);
      await requireServer(archive, folder);
      await moveWhole(folder, { moves, settings: undefined });
    } else if (postgres) {
      const named = { file: file ?? settingsFile, text: settingsFile && settings };
      await restoreBeside(archive, folder, { database, postgres, noted: { moves, settings: named } });
    }
  } catch (error) {
    if (made !== undefined) await rm(dataDir, { recursive: true, force: true });
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return { manifest, config, settingsFile };
}

const ofAnotherEngine = ({ name }: Config['database']) =>
  new ConfigurationError(
    'database.name',
    `the backup is of a ${name === 'sqlite3' ? 'PostgreSQL' : 'SQLite'} database, and is put back into one of the same kind`,
    `write ${name === 'sqlite3' ? 'psycopg2, with an empty database in database.args,' : 'sqlite3'} in the file given with --config`,
  );

/** The files are there when the database is committed: with it, there is a server. */
async function restoreBeside(
  archive: string,
  folder: string,
  { database, postgres, noted }: { database: PostgresConfig; postgres: PostgresContent; noted: Noted },
): Promise<void> {
  const { holdsRestored, restorePostgres } = await import('./restore-postgres.ts');
  let moved = false;
  try {
    await restorePostgres(database, postgres, async (take) => {
      await unpack(archive, folder, take);
      await requireKey(archive, folder);
      await moveWhole(folder, noted);
      moved = true;
    });
  } catch (error) {
    // The connection may have been lost when all was done.
    if (moved && (await holdsRestored(database).catch(() => false))) return;
    if (moved) await takeBackMoves(folder, noted.moves);
    throw error;
  }
}

/** The database last: with it, there is a server. */
const movesFor = (
  { database, signingKeyPath, mediaStorePath }: Config,
  settingsFile: string | undefined,
): Move[] => [
  ...(settingsFile ? [[settingsEntry, settingsFile] as Move] : []),
  [mediaFolder, mediaStorePath],
  [keyEntry, signingKeyPath],
  ...(database.name === 'sqlite3' ? [[databaseEntry, database.file] as Move] : []),
];

/** Whoever made the archive says nothing about other places of this machine. */
function requireWithin(dataDir: string, moves: Move[]): void {
  for (const [what, to] of moves) {
    const way = relative(dataDir, to);
    if (way !== '' && !way.startsWith('..') && !isAbsolute(way)) continue;
    throw new ConfigurationError(
      settingsEntry,
      `the configuration in the backup puts ${what} at ${to}, which is outside of the data directory`,
      'name the configuration to restore with by --config, if that is what you want',
    );
  }
}

const sqliteHeader = 'SQLite format 3\0';

/** @throws ConfigurationError where what was unpacked is no homeserver's database and key */
async function requireServer(archive: string, folder: string): Promise<void> {
  const file = await open(join(folder, databaseEntry)).catch(() => undefined);
  const begins = await file?.read(Buffer.alloc(sqliteHeader.length)).finally(() => file.close());
  if (begins?.buffer.toString('latin1') !== sqliteHeader) throw broken(archive, 'it holds no database');
  await requireKey(archive, folder);
}

/** One that never ran has none yet. */
async function requireKey(archive: string, folder: string): Promise<void> {
  const path = join(folder, keyEntry);
  if (!existsSync(path)) return;
  await loadSigningKey(path).catch(() => {
    throw broken(archive, 'its signing key is none');
  });
}

/** All of them or none, also where this process ends on the way. */
async function moveWhole(folder: string, noted: Noted): Promise<void> {
  await noteMoves(folder, noted);
  try {
    await moveAll(noted.moves);
  } catch (error) {
    await takeBackMoves(folder, noted.moves);
    throw error;
  }
}

async function requireNothing(
  { dataDir, ...config }: Config,
  settingsFile: string | undefined,
): Promise<void> {
  const places = [dataDir, ...movesFor({ dataDir, ...config }, settingsFile).map(([, to]) => to)];
  for (const place of places) {
    const found = await readdir(place).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      if (error.code === 'ENOTDIR') return [place];
      throw error;
    });
    // The configuration that was named may be there.
    if (found.every((name) => join(place, name) === config.file)) continue;
    throw new ConfigurationError(
      '--data-dir',
      `there is something at ${place} already, which a restore doesn't touch`,
      'name a directory that is empty or not there yet',
    );
  }
}

const broken = (archive: string, what: string) =>
  new ConfigurationError(archive, `it is no whole backup: ${what}`, 'take another one; nothing was changed');

/**
 * Reads all of it, and gives what is short in it.
 *
 * @throws ConfigurationError where it isn't what was written
 */
export async function readBackup(archive: string): Promise<Backup> {
  const digest = createDigest();
  const read = new Map<string, Buffer>();
  await eachEntry(archive, async ({ name, size }, content) => {
    if (read.has(manifestEntry)) throw broken(archive, 'there is more after its end');
    const largest = largestRead[name];
    if (size > (largest ?? size)) throw broken(archive, `its ${name} is too long`);
    if (name !== manifestEntry) digest.begin(name, size);
    const chunks: Buffer[] = [];
    for await (const chunk of content) {
      if (name !== manifestEntry) digest.add(chunk);
      if (largest !== undefined) chunks.push(chunk);
    }
    if (largest !== undefined) read.set(name, Buffer.concat(chunks));
  });
  const manifest = parsed(read.get(manifestEntry));
  if (!Value.Check(Manifest, manifest)) throw broken(archive, 'its end is missing');
  const { files, sha256 } = digest.end();
  if (files !== manifest.files || sha256 !== manifest.sha256)
    throw broken(archive, 'it was changed or damaged');
  const postgres = read.has(postgresEntry) ? parsed(read.get(postgresEntry)) : undefined;
  if (postgres !== undefined && !Value.Check(PostgresContent, postgres)) {
    throw broken(archive, 'it does not say which tables it holds');
  }
  return { manifest, settings: read.get(settingsEntry)?.toString(), postgres };
}

/** What an archive says of itself, and the configuration in it. */
type Backup = {
  manifest: Manifest;
  settings: string | undefined;
  /** Undefined where the database is a SQLite file. */
  postgres: PostgresContent | undefined;
};

/** What is read into memory, and up to which size, in bytes. */
const largestRead: Record<string, number> = {
  [manifestEntry]: largestManifest,
  [postgresEntry]: largestPostgresEntry,
  [settingsEntry]: 1024 * 1024,
};

const parsed = (bytes: Buffer | undefined): unknown => {
  try {
    return JSON.parse(String(bytes));
  } catch {
    return null;
  }
};

/** @param takeRows of tables, where there are any */
async function unpack(archive: string, folder: string, takeRows?: TakeRows): Promise<void> {
  const made = new Set<string>();
  const flushing = new Set<Promise<void>>();
  await eachEntry(archive, async ({ name }, content) => {
    const [, table] = rowsName.exec(name) ?? [];
    if (table !== undefined) return takeRows?.(table, content);
    const path = join(folder, name);
    const parent = dirname(path);
    if (!made.has(parent)) await mkdir(parent, { recursive: true, mode: 0o700 });
    made.add(parent);
    await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
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

/** What this program writes into an archive; a name can't lead anywhere else. */
const known = new Set([databaseEntry, postgresEntry, keyEntry, settingsEntry, manifestEntry]);
const mediaName = /^media(\/[\w-]{1,255}){2,6}$/;

async function eachEntry(
  archive: string,
  take: (header: { name: string; size: number }, content: Readable) => Promise<void>,
): Promise<void> {
  const entries = extract();
  const read = pipeline(createReadStream(archive), entries);
  read.catch(() => {});
  try {
    for await (const entry of entries) {
      const { name, size = 0, type } = entry.header as Header;
      if (type !== 'file' || !(known.has(name) || mediaName.test(name) || rowsName.test(name)))
        throw broken(archive, 'it holds what none does');
      await take({ name, size }, entry as unknown as Readable);
      entry.resume();
    }
    await read;
  } catch (error) {
    entries.destroy();
    if (error instanceof ConfigurationError) throw error;
    // What the system says of a file names it; the rest is the reader's of archives.
    if ((error as NodeJS.ErrnoException).syscall) throw error;
    throw broken(archive, (error as Error).message.toLowerCase());
  }
}
