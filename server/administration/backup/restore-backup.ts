/** Where the parts of a backup go. */

import { readdir, rm, rmdir } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { claimDirectory, claimNames } from '../../platform/cluster/claim.ts';
import type { Config } from '../../platform/config/config.ts';
import { ConfigurationError } from '../../platform/config/configuration-error.ts';
import type { PostgresConfig } from '../../platform/config/database.ts';
import { loadConfig } from '../../platform/config/load.ts';
import { isNoRoom } from '../../platform/core/files.ts';
import { makePrivateDirectory } from '../../platform/database/sqlite/database-files.ts';
import { databaseEntry, keyEntry, type Manifest, mediaFolder, settingsEntry } from './archive.ts';
import type { PostgresContent } from './copy-postgres.ts';
import { readBackup } from './read-backup.ts';
import {
  type Move,
  makeRestoreFolder,
  moveAll,
  type Noted,
  noteMoves,
  takeBackMoves,
} from './unfinished-restore.ts';
import { requireKey, requireServer, unpack } from './unpack-backup.ts';
import { requireKeptDatabase } from './write-backup.ts';

/**
 * The database last: with it, there is a server. The first of each two is as it is called in the backup.
 *
 * @param settingsFile where the backup's own configuration goes, if it is the one to restore with
 * @throws ConfigurationError where one would be in another's way, or the backup's configuration has one elsewhere
 */
function placesFor(config: Config, settingsFile: string | undefined): Move[] {
  const { dataDir, database, signingKeyPath, mediaStorePath } = config;
  const places: Move[] = [
    ...(settingsFile ? [[settingsEntry, settingsFile] as Move] : []),
    [mediaFolder, mediaStorePath],
    [keyEntry, signingKeyPath],
    ...(database.name === 'sqlite3' ? [[databaseEntry, database.file] as Move] : []),
  ];
  if (settingsFile) requireWithin(dataDir, places);
  requireApart(places, settingsFile !== undefined);
  return places;
}

/** Whoever made the archive says nothing about other places of this machine. */
function requireWithin(dataDir: string, places: Move[]): void {
  for (const [what, to] of places) {
    const way = relative(dataDir, to);
    if (way !== '' && !way.startsWith('..') && !isAbsolute(way)) continue;
    throw new ConfigurationError(
      settingsEntry,
      `the backup's configuration places ${what} at ${to}, outside the data directory`,
      'to allow this, set the configuration to restore with in --config',
    );
  }
}

/** What is put last would be all that is left of two. */
function requireApart(places: Move[], isOfBackup: boolean): void {
  for (const [index, later] of places.entries()) {
    const earlier = places.slice(0, index).find((each) => areInTheWay(each, later));
    if (!earlier) continue;
    const [[what, to], [other, otherTo]] = [earlier, later];
    throw new ConfigurationError(
      isOfBackup ? settingsEntry : '--config',
      `the ${isOfBackup ? "backup's " : ''}configuration places ${what} at ${to} and ${other} at ${otherTo}, which conflict`,
      isOfBackup ? 'set another configuration to restore with in --config' : 'use separate paths',
    );
  }
}

/** What is put among the media, which are a folder and come before it, is in nobody's way. */
const areInTheWay = ([what, place]: Move, [other, otherPlace]: Move) =>
  isAt(place, otherPlace) ||
  (what !== mediaFolder && isAt(otherPlace, place)) ||
  // SQLite keeps files beside it, and the server locks.
  (other === databaseEntry && folded(place).startsWith(`${folded(otherPlace)}-`));

const isAt = (place: string, above: string) => `${folded(place)}${sep}`.startsWith(`${folded(above)}${sep}`);

/** Many disks hold spellings of a name for one. */
const folded = (path: string) => path.normalize('NFC').toLowerCase();

/** Putting a backup back: all of it or nothing, where nothing is yet. Design: "The command line". */

export type Restored = {
  manifest: Manifest;
  config: Config;
  settingsFile: string | undefined;
  /** Tables in it that somebody else had beside those of the server. */
  leftOut: readonly string[];
};

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
  const places = placesFor(config, settingsFile);
  requireKeptDatabase(config);
  const { database } = config;
  if ((database.name === 'psycopg2') !== (postgres !== undefined)) throw ofAnotherEngine(database);
  if (config.serverName !== manifest.server_name) {
    throw new ConfigurationError(
      'server_name',
      `the backup belongs to ${manifest.server_name}`,
      `set it to ${manifest.server_name}`,
    );
  }
  await requireNothing(config, places);
  let leftOut: readonly string[] = [];
  await aloneIn(dataDir, async (folder) => {
    const noted = places.map(([from, to]): Move => [join(folder, from), to]);
    // Somebody may have been faster.
    const requireStillNothing = () => requireNothing(config, places, folder);
    if (database.name === 'sqlite3') {
      await unpack(archive, folder);
      await requireServer(archive, folder);
      await requireStillNothing();
      await moveWhole(folder, { moves: noted, settings: undefined });
    } else if (postgres) {
      const named = { file: file ?? settingsFile, text: settingsFile && settings };
      await requireStillNothing();
      leftOut = await restoreBeside(archive, folder, {
        database,
        postgres,
        noted: { moves: noted, settings: named },
      });
    }
  });
  return { manifest, config, settingsFile, leftOut };
}

/**
 * Does it in a folder of a data directory that no server and no other program uses meanwhile. Where it fails, what was
 * made for it is gone again.
 */
async function aloneIn(dataDir: string, work: (folder: string) => Promise<void>): Promise<void> {
  const made = makePrivateDirectory(dataDir, '--data-dir');
  const claim = await claimDirectory(dataDir);
  if (!claim) {
    throw new ConfigurationError(
      '--data-dir',
      `${dataDir} is in use by a homeserver or another command`,
      'wait until it has finished or choose another directory',
    );
  }
  try {
    const folder = await makeRestoreFolder(dataDir);
    await work(folder).finally(() => rm(folder, { recursive: true, force: true }));
  } catch (error) {
    if (made !== undefined) await removeEmpty(dataDir);
    throw isNoRoom(error) ? noRoomFor(dataDir) : error;
  } finally {
    await claim.release();
  }
}

const noRoomFor = (dataDir: string) =>
  new ConfigurationError(
    '--data-dir',
    `not enough disk space in ${dataDir} for the backup; the unfinished restore was deleted`,
    'free up space or choose a directory on another disk',
  );

/** What somebody else has put there stays. */
async function removeEmpty(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await removeEmpty(path);
    else if (claimNames.includes(entry.name)) await rm(path, { force: true });
  }
  await rmdir(directory).catch(() => {});
}

const ofAnotherEngine = ({ name }: Config['database']) =>
  new ConfigurationError(
    'database.name',
    `the backup contains a ${name === 'sqlite3' ? 'PostgreSQL' : 'SQLite'} database and can't be restored into another engine`,
    `set it to ${name === 'sqlite3' ? 'psycopg2, with an empty database in database.args,' : 'sqlite3'} in the file given with --config`,
  );

/** The files are there when the database is committed: with it, there is a server. */
async function restoreBeside(
  archive: string,
  folder: string,
  { database, postgres, noted }: { database: PostgresConfig; postgres: PostgresContent; noted: Noted },
): Promise<string[]> {
  const { holdsRestored, restorePostgres } = await import('./restore-postgres.ts');
  let moved = false;
  try {
    return await restorePostgres(archive, database, postgres, async (take) => {
      await unpack(archive, folder, take);
      await requireKey(archive, folder);
      await moveWhole(folder, noted);
      moved = true;
    });
  } catch (error) {
    // The connection may have been lost when all was done.
    if (moved && (await holdsRestored(database).catch(() => false))) return [];
    if (moved) await takeBackMoves(folder, noted.moves);
    throw error;
  }
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

/** @param own what is there of this restore itself */
async function requireNothing({ dataDir, file }: Config, places: Move[], own?: string): Promise<void> {
  // The configuration that was named may be there, and a lock that nobody holds means nothing.
  const mayBe = [file, own, ...claimNames.map((name) => join(dataDir, name))];
  for (const place of [dataDir, ...places.map(([, to]) => to)]) {
    const found = await readdir(place).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      if (error.code === 'ENOTDIR') return [place];
      throw error;
    });
    if (found.every((name) => mayBe.includes(join(place, name)))) continue;
    throw new ConfigurationError('--data-dir', `${place} isn't empty`, 'choose an empty or new directory');
  }
}
