import { resolve } from 'node:path';
import { settleRestore } from '../backup/unfinished-restore.ts';
import { settleReplacement } from './replacement.ts';
import { settleSettings } from './tried-settings.ts';
import { settleUploads } from './uploaded-backup.ts';

/**
 * Brings a data directory to one state after a program was killed that replaced its data, took in or restored a
 * backup, or tried another configuration. Whoever opens the data does it first, before the configuration is read that stands in it.
 *
 * @param say gets a line of what was done, if anything
 * @throws ConfigurationError where another program is about it
 */
export async function settleData(dataDir: string, say: (line: string) => void): Promise<void> {
  const directory = resolve(dataDir);
  await settleReplacement(directory, say);
  await settleUploads(directory, say);
  await settleRestore(directory, say);
  await settleSettings(directory, say);
}
