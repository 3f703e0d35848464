import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ConfigurationError } from '../../platform/config/configuration-error.ts';
import { markPattern, processMark, whereabouts } from '../../platform/core/process.ts';
import { unusable } from '../../platform/database/sqlite/database-files.ts';
import { isBeingRestored, settleRestore } from '../backup/unfinished-restore.ts';
import { isBeingReplaced, settleReplacement } from './replacement.ts';
import { settleSettings } from './tried-settings.ts';

/**
 * Brings a data directory to one state after a program was killed that replaced its data, took in or restored a
 * backup, or tried another configuration. Whoever opens the data does it first, before the configuration is read that stands in it.
 *
 * @param say gets a line of what was done, if anything
 * @throws ConfigurationError where another program is about it, or this user has no right to it
 */
export async function settleData(dataDir: string, say: (line: string) => void): Promise<void> {
  const directory = resolve(dataDir);
  try {
    await settleReplacement(directory, say);
    await settleUploads(directory, say);
    await settleRestore(directory, say);
    await settleSettings(directory, say);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw noPlace.has(code) ? unusable(dataDir, '--data-dir', code) : error;
  }
}

/** What the system says of a directory that is none for this user. */
const noPlace = new Set(['EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG']);

/**
 * Asked by whoever has opened the data, before anything is kept there: what was begun since it was settled renames what is
 * open then, and deletes what it finds in the way.
 *
 * @throws ConfigurationError where what is open may not be what stays
 */
export async function requireSettled(dataDir: string): Promise<void> {
  const directory = resolve(dataDir);
  if (!(await isBeingReplaced(directory)) && !(await isBeingRestored(directory))) return;
  throw new ConfigurationError(
    '--data-dir',
    `another program is replacing the data in ${directory}`,
    'start again when it has finished',
  );
}

/** A backup on its way over HTTP into a server's data: a file beside the data directory, named after the process that takes it in. */

/** @param keptAt as `planReset` gives it */
export const uploadedBackup = (keptAt: string) => `${keptAt}.${processMark()}.tar`;

const afterName = new RegExp(`^-[\\dTZ-]+\\.(${markPattern})\\.tar$`);

/**
 * Deletes what a program left that ended before it had the whole of one: it holds every secret of a server.
 *
 * @param say gets a line for each
 */
async function settleUploads(dataDir: string, say: (line: string) => void): Promise<void> {
  const [folder, name] = [dirname(dataDir), basename(dataDir)];
  for (const found of await readdir(folder).catch(() => [])) {
    const [, mark] = (found.startsWith(name) && afterName.exec(found.slice(name.length))) || [];
    if (mark === undefined || ['running', 'unknown'].includes(whereabouts(mark))) continue;
    await rm(join(folder, found), { force: true });
    say(`deleted an incomplete backup upload for ${dataDir}`);
  }
}
