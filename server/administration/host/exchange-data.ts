/** A server's data directory given another content, with what was in it kept beside. */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '../../platform/core/files.ts';

export type Filling = {
  /** @param keptAt where the data is that was there before */
  fill(keptAt: string): Promise<void>;
  /** Where it stood before, and goes again where it is not to be; left out where it is made. */
  from?: string;
};

export const settingsFile = 'homeserver.yaml';

/** Moves the data away, from under nobody. @throws where it can't be moved; it is where it was then */
export async function setAside(dataDir: string, keptAt: string): Promise<void> {
  makeDirectory(dataDir, 0o700);
  const { claimDirectory } = await import('../../platform/cluster/claim.ts');
  const claim = await claimDirectory(dataDir);
  if (!claim) throw new Error(`another program is using ${dataDir}; try again when it has finished`);
  // Windows moves no folder in which somebody has a file open, this program among them.
  if (process.platform === 'win32') await claim.release();
  await rename(dataDir, keptAt).finally(() => claim.release());
}

/** Nothing but the configuration from before. */
export const emptyData = (dataDir: string): Filling => ({
  async fill(keptAt) {
    await mkdir(dataDir, { mode: 0o700 });
    const kept = join(keptAt, settingsFile);
    if (existsSync(kept)) await copyFile(kept, join(dataDir, settingsFile));
  },
});

/** What is in a backup, which is known to be whole; the configuration from before where it has none. */
export const dataOfBackup = (dataDir: string, archive: string, hasSettings: boolean): Filling => {
  const { fill: fillWithSettings } = emptyData(dataDir);
  return {
    async fill(keptAt) {
      const { restoreBackup } = await import('../backup/restore-backup.ts');
      if (!hasSettings) await fillWithSettings(keptAt);
      const file = join(dataDir, settingsFile);
      await restoreBackup(archive, { dataDir, ...(existsSync(file) && { file }) });
    },
  };
};

/** What was kept at a place. */
export const keptData = (dataDir: string, place: string): Filling => ({
  fill: () => rename(place, dataDir),
  from: place,
});
