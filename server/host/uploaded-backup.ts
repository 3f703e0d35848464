/** A backup on its way over HTTP into a server's data: a file beside the data directory, named after the process that takes it in. */
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { markPattern, processMark, whereabouts } from '../core/running-process.ts';

/** @param keptAt as `planReset` gives it */
export const uploadedBackup = (keptAt: string) => `${keptAt}.${processMark()}.tar`;

const afterName = new RegExp(`^-[\\dTZ-]+\\.(${markPattern})\\.tar$`);

/**
 * Deletes what a program left that ended before it had the whole of one: it holds every secret of a server.
 *
 * @param say gets a line for each
 */
export async function settleUploads(dataDir: string, say: (line: string) => void): Promise<void> {
  const [folder, name] = [dirname(dataDir), basename(dataDir)];
  for (const found of await readdir(folder).catch(() => [])) {
    const [, mark] = (found.startsWith(name) && afterName.exec(found.slice(name.length))) || [];
    if (mark === undefined || ['running', 'unknown'].includes(whereabouts(mark))) continue;
    await rm(join(folder, found), { force: true });
    say(`deleted an incomplete backup upload for ${dataDir}`);
  }
}
