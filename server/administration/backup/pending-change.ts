/**
 * Changes to the files of a data directory that are finished or undone as a whole, even if the program is killed. A
 * change is prepared in a folder within the directory, with a journal of its steps, which are renames, and then carried
 * out. The next program that opens the directory finishes the steps, or deletes a folder without a journal. The
 * changing program holds the lock on the directory, so another program that gets the lock knows that it has ended.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { readJson } from '../../../shared/read-json.ts';
import { claimDirectory, claimNames } from '../../platform/cluster/claim.ts';
import { ConfigurationError } from '../../platform/config/configuration-error.ts';
import { loadConfig } from '../../platform/config/load.ts';
import { createPrivateDirectory, unusable } from '../../platform/database/sqlite/database-files.ts';

export type Move = [from: string, to: string];

export type Change = {
  /** A step begins when the one before is complete; the renames within a step don't depend on each other. */
  steps: Move[][];
  /** Names the PostgreSQL database that belongs to the change, which is undone unless that database was committed. */
  settings?: { file: string | undefined; text: string | undefined } | undefined;
};

const folderName = 'pending-change';
const fileOf = (folder: string) => join(folder, 'steps.json');

/**
 * Prepares and carries out a change in a data directory that no server or other command uses in the meantime. If it
 * fails, all prepared files are deleted.
 *
 * @param work gets an empty folder in the directory; to change the directory it calls `carryOut` and `complete`
 * @throws ConfigurationError if the directory can't be used or is in use
 */
export async function changeData<Result>(
  dataDir: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const made = createPrivateDirectory(dataDir, '--data-dir');
  const claim = await claimDirectory(dataDir);
  if (!claim) {
    throw new ConfigurationError(
      '--data-dir',
      `${dataDir} is in use by a homeserver or another command`,
      'wait until it has finished or choose another directory',
    );
  }
  const folder = join(dataDir, folderName);
  let isDone = false;
  try {
    await finishOrUndo(dataDir, () => {});
    await mkdir(folder, { mode: 0o700 });
    const result = await work(folder);
    isDone = true;
    return result;
  } finally {
    // Steps that couldn't be finished or undone remain: the next start retries.
    if (!existsSync(fileOf(folder))) await rm(folder, { recursive: true, force: true });
    if (!isDone && made !== undefined) await removeEmpty(dataDir);
    await claim.release();
  }
}

/** Files that others have put there stay. */
async function removeEmpty(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await removeEmpty(path);
    else if (claimNames.includes(entry.name)) await rm(path, { force: true });
  }
  await rmdir(directory).catch(() => {});
}

/** Carries out a prepared change: from here on, a killed program's change is finished. If it fails, it is undone. */
export async function carryOut(folder: string, change: Change, begun = 0): Promise<void> {
  try {
    for (const [step, moves] of change.steps.entries()) {
      if (step < begun) continue;
      await writeSteps(folder, { ...change, begun: step });
      await moveAll(moves);
    }
  } catch (error) {
    await undo(folder);
    throw error;
  }
}

/** Puts the files back as they were, as far as a change was carried out. */
export async function undo(folder: string): Promise<void> {
  const change = await readSteps(folder);
  if (!change) return;
  for (let step = change.begun; step >= 0; step--) {
    const moved = (change.steps[step] ?? []).filter(([from]) => !existsSync(from));
    await moveAll(moved.map(([from, to]): Move => [to, from]).reverse());
    // A later step must not be finished over the files that are back.
    if (step > 0) await writeSteps(folder, { ...change, begun: step - 1 });
  }
  await complete(folder);
}

/** A change that is carried out can't be undone after this. */
export const complete = (folder: string) => rm(fileOf(folder), { force: true });

async function moveAll(moves: readonly Move[]): Promise<void> {
  for (const [from, to] of moves) {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await rename(from, to).catch((error: NodeJS.ErrnoException) => {
      // It has been moved already, or the backup has no such file.
      if (error.code !== 'ENOENT') throw error;
    });
  }
}

type BegunChange = Change & { begun: number };

async function writeSteps(folder: string, { steps, ...rest }: BegunChange): Promise<void> {
  const dataDir = dirname(folder);
  const file = fileOf(folder);
  const stored = steps.map((moves) => moves.map((move) => move.map((path) => storedPath(dataDir, path))));
  await writeFile(`${file}.next`, JSON.stringify({ steps: stored, ...rest }), { mode: 0o600, flush: true });
  await rename(`${file}.next`, file);
}

/** Relative where it can be: the folder with all the data may be moved before the next start. */
function storedPath(dataDir: string, path: string): string {
  const within = relative(dataDir, path);
  return isAbsolute(within) || within.startsWith(join('..', '..') + sep) ? path : within;
}

async function readSteps(folder: string): Promise<BegunChange | undefined> {
  try {
    const { steps, ...rest }: BegunChange = readJson(await readFile(fileOf(folder), 'utf8'));
    const dataDir = dirname(folder);
    const resolved = ([from, to]: Move): Move => [resolve(dataDir, from), resolve(dataDir, to)];
    return { steps: steps.map((moves) => moves.map(resolved)), ...rest };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Path for a backup that is being uploaded into a server. If the upload is interrupted, the next start deletes the file. */
export const uploadPath = (dataDir: string) =>
  join(dataDir, `backup-upload-${randomBytes(4).toString('hex')}.tar`);

const isUpload = (name: string) => /^backup-upload-[0-9a-f]{8}\.tar$/.test(name);

/** Whether an entry of a data directory belongs to the directory and not to the server's data. */
export const isNoData = (name: string) => name === folderName || isUpload(name) || claimNames.includes(name);

/**
 * Finishes or undoes a change of a data directory, and deletes uploads, that a killed program left. Call before reading the
 * configuration in the directory.
 *
 * @param say gets a line for each
 * @throws ConfigurationError if another program is changing the data, or this user has no access to it
 */
export async function settleData(dataDir: string, say: (line: string) => void): Promise<void> {
  const directory = resolve(dataDir);
  try {
    const names = await namesIn(directory);
    if (!names.includes(folderName) && !names.some(isUpload)) return;
    const claim = await claimDirectory(directory);
    if (!claim) return requireSettled(directory);
    await finishOrUndo(directory, say)
      .then(() => deleteUploads(directory, say))
      .finally(() => claim.release());
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw noAccess.has(code) ? unusable(dataDir, '--data-dir', code) : error;
  }
}

const noAccess = new Set(['EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG']);

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

/**
 * Refuses data that is being changed. Call after opening the data, before writing to it: the change may have begun since
 * `settleData`.
 *
 * @throws ConfigurationError
 */
export function requireSettled(dataDir: string): void {
  const directory = resolve(dataDir);
  if (!existsSync(join(directory, folderName))) return;
  throw new ConfigurationError(
    '--data-dir',
    `another program is replacing the data in ${directory}`,
    'start again when it has finished',
  );
}

async function finishOrUndo(dataDir: string, say: (line: string) => void): Promise<void> {
  const folder = join(dataDir, folderName);
  if (!existsSync(folder)) return;
  const change = await readSteps(folder);
  const isToFinish = change && (!change.settings || (await isCommitted(dataDir, change.settings)));
  if (isToFinish) await carryOut(folder, change, change.begun);
  else await undo(folder);
  await complete(folder);
  await rm(folder, { recursive: true, force: true });
  say(`${isToFinish ? 'completed' : 'rolled back'} an interrupted restore or reset of ${dataDir}`);
}

async function isCommitted(
  dataDir: string,
  { file, text }: NonNullable<Change['settings']>,
): Promise<boolean> {
  const { database } = await loadConfig({ dataDir, file, text });
  if (database.name !== 'psycopg2') return false;
  const { isRestored } = await import('./restore-postgres.ts');
  return isRestored(database);
}

/** They contain all secrets of a server. */
async function deleteUploads(dataDir: string, say: (line: string) => void): Promise<void> {
  for (const name of (await namesIn(dataDir)).filter(isUpload)) {
    await rm(join(dataDir, name), { force: true });
    say(`deleted an incomplete backup upload in ${dataDir}`);
  }
}
