/**
 * A restore unpacks into a folder of its own, notes there what goes where once that is whole, and then moves it. Of one that
 * was cut off, whoever opens the data next finishes what was noted, and takes back what was not.
 */
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { readJson } from '../../../shared/read-json.ts';
import { ConfigurationError } from '../../platform/config/configuration-error.ts';
import { loadConfig } from '../../platform/config/load.ts';
import { markPattern, processMark, whereabouts } from '../../platform/core/process.ts';

export type Move = [from: string, to: string];

export type Noted = {
  moves: Move[];
  /** Where the database is PostgreSQL, which file says so: what is in it belongs to the restore as files do. */
  settings: { file: string | undefined; text: string | undefined } | undefined;
};

const prefix = 'restore-in-progress-';
const named = new RegExp(`^${prefix}(${markPattern})-\\w{6}$`);
const note = 'moves.json';

/** Its name says which process unpacks into it. */
export const makeRestoreFolder = (dataDir: string) => mkdtemp(join(dataDir, `${prefix}${processMark()}-`));

/** From here on the restore is finished, whatever becomes of this process. */
export async function noteMoves(folder: string, noted: Noted): Promise<void> {
  const next = join(folder, `${note}.next`);
  await writeFile(next, JSON.stringify(noted), { mode: 0o600, flush: true });
  await rename(next, join(folder, note));
}

/** What has been moved already is not there any more. */
export async function moveAll(moves: readonly Move[]): Promise<void> {
  for (const [from, to] of moves) {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await rename(from, to).catch((error: NodeJS.ErrnoException) => {
      // Or there was none of it to be backed up.
      if (error.code !== 'ENOENT') throw error;
    });
  }
}

/** As it was before: what is there now was nowhere but in the backup. */
export async function takeBackMoves(folder: string, moves: readonly Move[]): Promise<void> {
  await moveAll(moves.map(([from, to]): Move => [to, from]).reverse());
  await rm(join(folder, note), { force: true });
}

/**
 * Finishes or takes back what a restore into a data directory left when it was cut off.
 *
 * @param say gets a line where there was one
 * @throws ConfigurationError where it is under way
 */
export async function settleRestore(dataDir: string, say: (line: string) => void): Promise<void> {
  for (const folder of await restoreFolders(dataDir)) {
    const [, mark = ''] = named.exec(basename(folder)) ?? [];
    if (['running', 'unknown'].includes(whereabouts(mark))) throw underWay(dataDir, mark, folder);
    const noted = notedIn(folder);
    if (noted?.moves.some(([from]) => relative(folder, from).startsWith('..'))) throw moved(dataDir, folder);
    const isWhole = noted && (!noted.settings || (await isCommitted(dataDir, noted.settings)));
    if (isWhole) await moveAll(noted.moves);
    else if (noted) await takeBackMoves(folder, noted.moves);
    await rm(folder, { recursive: true, force: true });
    say(
      isWhole
        ? `completed an interrupted restore into ${dataDir}`
        : `rolled back an interrupted restore into ${dataDir}`,
    );
  }
}

/** Where restores unpack, or did until they were cut off. */
export async function restoreFolders(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
  return names.filter((name) => named.test(name)).map((name) => join(dataDir, name));
}

export const isBeingRestored = async (dataDir: string) => (await restoreFolders(dataDir)).length > 0;

function notedIn(folder: string): Noted | undefined {
  try {
    return readJson(readFileSync(join(folder, note), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function isCommitted(
  dataDir: string,
  { file, text }: NonNullable<Noted['settings']>,
): Promise<boolean> {
  const { database } = await loadConfig({ dataDir, file, text });
  if (database.name !== 'psycopg2') return false;
  const { holdsRestored } = await import('./restore-postgres.ts');
  return holdsRestored(database);
}

const underWay = (dataDir: string, mark: string, folder: string) => {
  const [pid] = mark.split('.');
  return new ConfigurationError(
    '--data-dir',
    `process ${pid}${whereabouts(mark) === 'unknown' ? ' in another container' : ''} is restoring a backup into ${dataDir}`,
    `wait until it has finished; if it is no longer running, delete ${folder} and restore again`,
  );
};

const moved = (dataDir: string, folder: string) =>
  new ConfigurationError(
    '--data-dir',
    `a restore into ${dataDir} was interrupted, and the directory has been moved since`,
    `move it back and start again, or delete ${folder} and restore again`,
  );
