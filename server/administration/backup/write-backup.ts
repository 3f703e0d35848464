/** Writes a consistent backup of a running or stopped server. Design: "The command line". */
import { createReadStream } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Pack, pack } from 'tar-stream';
import type { Config } from '../../platform/config/config.ts';
import { ConfigurationError } from '../../platform/config/configuration-error.ts';
import { type Clock, systemClock } from '../../platform/core/clock.ts';
import { serverVersion } from '../../platform/core/version.ts';
import { requireOneName } from '../../platform/database/sqlite/database-files.ts';
import {
  createDigest,
  databaseEntry,
  keyEntry,
  type Manifest,
  manifestEntry,
  mediaFolder,
  settingsEntry,
} from './archive.ts';
import { withCopyOf } from './copy-database.ts';

type BackupOptions = Pick<
  Config,
  'database' | 'signingKeyPath' | 'mediaStorePath' | 'serverName' | 'file'
> & { clock?: Clock };

/**
 * Writes an archive of database, signing key, media and configuration. The database is copied first, so that the files
 * of all its uploads exist.
 *
 * @throws ConfigurationError if the database can't be backed up
 */
export async function writeBackup(server: BackupOptions, output: Writable): Promise<void> {
  const { database } = server;
  requireKeptDatabase(server);
  if (database.name === 'sqlite3') {
    await withCopyOf(database.file, (copy) =>
      writeArchive(server, output, ({ addFile }) => addFile(databaseEntry, copy)),
    );
    return;
  }
  const { partsOfPostgres } = await import('./copy-postgres.ts');
  await writeArchive(server, output, async ({ add }) => {
    for await (const { name, content } of partsOfPostgres(database)) {
      await add(name, content.length, Readable.from([content]));
    }
  });
}

/** @throws ConfigurationError if this server can't be backed up while it runs */
export function requireCopyable(server: Pick<Config, 'database'>): void {
  requireKeptDatabase(server);
  if (server.database.name === 'sqlite3') requireOneName(server.database.file);
}

/** @throws ConfigurationError for an in-memory database */
export function requireKeptDatabase({ database }: Pick<Config, 'database'>): void {
  if (database.name === 'psycopg2' || database.file !== ':memory:') return;
  throw new ConfigurationError(
    'database.args.database',
    "an in-memory database can't be backed up",
    'use a database file',
  );
}

type Filling = {
  add(name: string, size: number, content: Readable): Promise<void>;
  addFile(name: string, path: string): Promise<void>;
};

async function writeArchive(
  server: BackupOptions,
  output: Writable,
  addDatabase: (filling: Filling) => Promise<void>,
): Promise<void> {
  const archive = pack();
  const gone = pipeline(archive, output);
  // A reader that disconnects ends the backup.
  gone.catch(() => archive.destroy());
  try {
    await Promise.race([fill(archive, server, addDatabase), gone]);
  } catch (error) {
    archive.destroy(error as Error);
    await gone.catch(() => {});
    throw error;
  }
  await gone;
}

async function fill(
  archive: Pack,
  server: BackupOptions,
  addDatabase: (filling: Filling) => Promise<void>,
): Promise<void> {
  const { signingKeyPath, mediaStorePath, serverName, file: settings, clock = systemClock } = server;
  const digest = createDigest();
  const add = (name: string, size: number, content: Readable) => {
    digest.begin(name, size);
    return put(archive, name, size, content, digest.add);
  };
  const addFile = async (name: string, path: string) => {
    const size = await sizeOf(path);
    // Deleted in the meantime.
    if (size === undefined) return;
    await add(name, size, size === 0 ? Readable.from([]) : createReadStream(path, { end: size - 1 }));
  };
  await addDatabase({ add, addFile });
  await addFile(keyEntry, signingKeyPath);
  if (settings !== undefined) await addFile(settingsEntry, settings);
  for await (const path of filesIn(mediaStorePath)) {
    await addFile(mediaFolder + relative(mediaStorePath, path).split(sep).join('/'), path);
  }
  const manifest: Manifest = {
    format: 'gatehouse-backup-1',
    server_name: serverName,
    server_version: serverVersion,
    made_ts: clock.now(),
    ...digest.end(),
  };
  archive.entry({ name: manifestEntry, mode: 0o600 }, JSON.stringify(manifest));
  archive.finalize();
}

async function put(
  archive: Pack,
  name: string,
  size: number,
  content: Readable,
  note: (chunk: Uint8Array) => void,
): Promise<void> {
  const written = Promise.withResolvers<void>();
  const entry = archive.entry({ name, size, mode: 0o600 }, (error) =>
    error ? written.reject(error) : written.resolve(),
  );
  content.on('data', note);
  await Promise.all([pipeline(content, entry), written.promise]);
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() ? found.size : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function* filesIn(folder: string): AsyncGenerator<string> {
  const entries = await opendir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!entries) return;
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    // Names of unfinished uploads contain dots.
    else if (entry.isFile() && !entry.name.includes('.')) yield path;
  }
}
