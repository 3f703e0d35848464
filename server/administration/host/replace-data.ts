/** Gives a data directory other content, and keeps its previous content in a folder beside it. */
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, readdir, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readJson } from '../../../shared/read-json.ts';

export const settingsFile = 'homeserver.yaml';

/** Names the folder with the content from before the last reset, restore or undo. */
const previousFile = 'previous-data.json';

/** Returns the folder with the previous content; undefined if there is none. */
export function previousData(dataDir: string): string | undefined {
  try {
    const { kept_at }: { kept_at: unknown } = readJson(readFileSync(join(dataDir, previousFile), 'utf8'));
    const keptAt = join(dirname(dataDir), basename(String(kept_at)));
    return existsSync(keptAt) ? keptAt : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the content with the configuration alone. */
export const emptyData = (dataDir: string, keptAt: string) =>
  exchange(dataDir, keptAt, (folder) => keepPrevious(dataDir, keptAt, folder, true));

/** Replaces the content with that of a backup, with the current configuration if the backup has none. */
export const restoreData = (dataDir: string, keptAt: string, archive: string, hasSettings: boolean) =>
  orWithoutFolder(keptAt, async () => {
    const { restoreBackup } = await import('../backup/restore-backup.ts');
    const file = join(dataDir, settingsFile);
    await restoreBackup(archive, {
      dataDir,
      file: !hasSettings && existsSync(file) ? file : undefined,
      replacing: (folder) => keepPrevious(dataDir, keptAt, folder, !hasSettings),
    });
  });

/** Replaces the content with that of a folder beside it, which is deleted. */
export async function restoreFolder(dataDir: string, keptAt: string, from: string): Promise<void> {
  await exchange(dataDir, keptAt, async (folder) => {
    const { out, back } = await keepPrevious(dataDir, keptAt, folder, false);
    return { out, back: [...back, ...(await movesOf(from, dataDir))] };
  });
  await rmdir(from).catch(() => {});
}

/**
 * Undoes a replacement.
 *
 * @param rejectedTo folder for the current content; deleted if undefined
 */
export async function restorePrevious(dataDir: string, keptAt: string, rejectedTo?: string): Promise<void> {
  await exchange(dataDir, keptAt, async (folder) => ({
    out: [
      ...(await movesOf(dataDir, rejectedTo ?? join(folder, 'rejected'))),
      [join(dataDir, previousFile), join(folder, previousFile)],
    ],
    back: await movesOf(keptAt, dataDir),
  }));
  await rmdir(keptAt).catch(() => {});
}

type Exchange = { out: [from: string, to: string][]; back: [from: string, to: string][] };

async function keepPrevious(
  dataDir: string,
  keptAt: string,
  folder: string,
  keepsSettings: boolean,
): Promise<Exchange> {
  const back: Exchange['back'] = [];
  const settings = join(dataDir, settingsFile);
  if (keepsSettings && existsSync(settings)) {
    await copyFile(settings, join(folder, settingsFile));
    back.push([join(folder, settingsFile), settings]);
  }
  const note = JSON.stringify({ kept_at: basename(keptAt) });
  await writeFile(join(folder, previousFile), note, { mode: 0o600, flush: true });
  back.push([join(folder, previousFile), join(dataDir, previousFile)]);
  await mkdir(keptAt, { mode: 0o700 });
  return { out: await movesOf(dataDir, keptAt), back };
}

async function movesOf(from: string, to: string): Promise<Exchange['out']> {
  const { isNoData } = await import('../backup/pending-change.ts');
  const names = (await readdir(from)).filter((name) => name !== previousFile && !isNoData(name));
  return names.map((name) => [join(from, name), join(to, name)]);
}

const exchange = (dataDir: string, keptAt: string, prepare: (folder: string) => Promise<Exchange>) =>
  orWithoutFolder(keptAt, async () => {
    const { carryOut, changeData, complete } = await import('../backup/pending-change.ts');
    await changeData(dataDir, async (folder) => {
      const { out, back } = await prepare(folder);
      await carryOut(folder, { steps: [out, back] });
      await complete(folder);
    });
  });

/** A failure must not leave an empty folder for the previous content. */
async function orWithoutFolder(keptAt: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await rmdir(keptAt).catch(() => {});
    throw error;
  }
}
