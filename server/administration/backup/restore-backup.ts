/** Restores a backup, all of it or nothing. Design: "The command line". */
import { readdir } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { claimNames } from '../../platform/cluster/claim.ts';
import type { Config } from '../../platform/config/config.ts';
import { ConfigurationError } from '../../platform/config/configuration-error.ts';
import type { PostgresConfig } from '../../platform/config/database.ts';
import { loadConfig } from '../../platform/config/load.ts';
import { isNoRoom } from '../../platform/core/files.ts';
import { databaseEntry, keyEntry, type Manifest, mediaFolder, settingsEntry } from './archive.ts';
import type { PostgresContent } from './copy-postgres.ts';
import { type Change, carryOut, changeData, complete, type Move, undo } from './pending-change.ts';
import { readBackup } from './read-backup.ts';
import { requireKey, requireServer, unpack } from './unpack-backup.ts';
import { requireKeptDatabase } from './write-backup.ts';

export type Restored = {
  manifest: Manifest;
  config: Config;
  settingsFile: string | undefined;
  /** Tables in the backup that don't belong to the server. */
  leftOut: readonly string[];
};

type RestoreOptions = {
  /** Configuration to restore with. Default: the archive's own, which is then written to the data directory. */
  file?: string | undefined;
  dataDir: string;
  /**
   * Prepares the directory for other content, which is refused otherwise. Returns the files to move out first, and the
   * files to move in from the given folder.
   */
  replacing?: (folder: string) => Promise<{ out: Move[]; back: Move[] }>;
};

/**
 * Reads the archive twice: once to verify it, and again to restore it.
 *
 * @throws ConfigurationError if the archive is damaged or there is data already; nothing has changed then
 */
export async function restoreBackup(
  archive: string,
  { file, dataDir: given, replacing }: RestoreOptions,
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
  const targets = targetsFor(config, settingsFile);
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
  const folders = [dataDir, ...targets.map(([, to]) => to)].filter(
    (path) => !replacing || !isWithin(path, dataDir),
  );
  await requireEmpty(config, folders);
  const leftOut = await changeData(dataDir, async (folder) => {
    const unpacked = targets.map(([name, to]): Move => [join(folder, name), to]);
    const move = async (change: Pick<Change, 'settings'>) => {
      // Another program may have written there in the meantime.
      await requireEmpty(config, folders, folder);
      const { out, back } = (await replacing?.(folder)) ?? { out: [], back: [] };
      await carryOut(folder, { steps: [out, [...back, ...unpacked]], ...change });
    };
    if (database.name === 'psycopg2') {
      const named = { file: file ?? settingsFile, text: settingsFile && settings };
      const moveFiles = () => move({ settings: named });
      return postgres ? restoreWithPostgres(archive, folder, { database, postgres, moveFiles }) : [];
    }
    await unpack(archive, folder);
    await requireServer(archive, folder);
    await move({});
    await complete(folder);
    return [];
  }).catch((error) => {
    throw isNoRoom(error) ? noRoomFor(dataDir) : error;
  });
  return { manifest, config, settingsFile, leftOut };
}

/**
 * Returns the target path of each entry of a backup.
 *
 * @param settingsFile target of the backup's own configuration, if it is the one to restore with
 * @throws ConfigurationError if two paths conflict, or the backup's configuration has one outside the data directory
 */
function targetsFor(config: Config, settingsFile: string | undefined): Move[] {
  const { dataDir, database, signingKeyPath, mediaStorePath } = config;
  const targets: Move[] = [
    ...(settingsFile ? [[settingsEntry, settingsFile] as Move] : []),
    [mediaFolder, mediaStorePath],
    [keyEntry, signingKeyPath],
    ...(database.name === 'sqlite3' ? [[databaseEntry, database.file] as Move] : []),
  ];
  if (settingsFile) requireWithin(dataDir, targets);
  requireApart(targets, settingsFile !== undefined);
  return targets;
}

/** An archive can't choose other paths of this computer. */
function requireWithin(dataDir: string, targets: Move[]): void {
  for (const [what, to] of targets) {
    const within = relative(dataDir, to);
    if (within !== '' && !within.startsWith('..') && !isAbsolute(within)) continue;
    throw new ConfigurationError(
      settingsEntry,
      `the backup's configuration places ${what} at ${to}, outside the data directory`,
      'to allow this, set the configuration to restore with in --config',
    );
  }
}

/** One of two files at the same path would overwrite the other. */
function requireApart(targets: Move[], isOfBackup: boolean): void {
  for (const [index, later] of targets.entries()) {
    const earlier = targets.slice(0, index).find((each) => conflict(each, later));
    if (!earlier) continue;
    const [[what, to], [other, otherTo]] = [earlier, later];
    throw new ConfigurationError(
      isOfBackup ? settingsEntry : '--config',
      `the ${isOfBackup ? "backup's " : ''}configuration places ${what} at ${to} and ${other} at ${otherTo}, which conflict`,
      isOfBackup ? 'set another configuration to restore with in --config' : 'use separate paths',
    );
  }
}

/** Another file may be within the media folder, which is moved first. */
const conflict = ([entry, path]: Move, [other, otherPath]: Move) =>
  isWithin(path, otherPath) ||
  (entry !== mediaFolder && isWithin(otherPath, path)) ||
  // SQLite's own files and the server's lock.
  (other === databaseEntry && folded(path).startsWith(`${folded(otherPath)}-`));

const isWithin = (path: string, folder: string) =>
  `${folded(path)}${sep}`.startsWith(`${folded(folder)}${sep}`);

/** Many file systems ignore case and Unicode normalization. */
const folded = (path: string) => path.normalize('NFC').toLowerCase();

const noRoomFor = (dataDir: string) =>
  new ConfigurationError(
    '--data-dir',
    `not enough disk space in ${dataDir} for the backup; the unfinished restore was deleted`,
    'free up space or choose a directory on another disk',
  );

const ofAnotherEngine = ({ name }: Config['database']) =>
  new ConfigurationError(
    'database.name',
    `the backup contains a ${name === 'sqlite3' ? 'PostgreSQL' : 'SQLite'} database and can't be restored into another engine`,
    `set it to ${name === 'sqlite3' ? 'psycopg2, with an empty database in database.args,' : 'sqlite3'} in the file given with --config`,
  );

type PostgresRestore = { database: PostgresConfig; postgres: PostgresContent; moveFiles(): Promise<void> };

/** The files are in place before the commit: a committed database has them. */
async function restoreWithPostgres(
  archive: string,
  folder: string,
  { database, postgres, moveFiles }: PostgresRestore,
): Promise<string[]> {
  const { isRestored, restorePostgres } = await import('./restore-postgres.ts');
  let isMoved = false;
  let leftOut: string[] = [];
  try {
    leftOut = await restorePostgres(archive, database, postgres, async (take) => {
      await unpack(archive, folder, take);
      await requireKey(archive, folder);
      await moveFiles();
      isMoved = true;
    });
  } catch (error) {
    // The connection may have been lost after the commit.
    if (!isMoved || !(await isRestored(database).catch(() => false))) {
      await undo(folder);
      throw error;
    }
  }
  await complete(folder);
  return leftOut;
}

/** @param own folder of this restore itself */
async function requireEmpty(
  { dataDir, file }: Config,
  folders: readonly string[],
  own?: string,
): Promise<void> {
  // The configuration given with --config may be there, and locks hold no data.
  const allowed = [file, own, ...claimNames.map((name) => join(dataDir, name))];
  for (const folder of folders) {
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      if (error.code === 'ENOTDIR') return [folder];
      throw error;
    });
    if (names.every((name) => allowed.includes(join(folder, name)))) continue;
    throw new ConfigurationError('--data-dir', `${folder} isn't empty`, 'choose an empty or new directory');
  }
}
