import { resolve } from 'node:path';
import { isBeingRestored, settleRestore } from '../backup/unfinished-restore.ts';
import { ConfigurationError } from '../config/configuration-error.ts';
import { unusable } from '../database/private-files.ts';
import { isBeingReplaced, settleReplacement } from './replacement.ts';
import { settleSettings } from './tried-settings.ts';
import { settleUploads } from './uploaded-backup.ts';

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
