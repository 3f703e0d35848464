/** The configuration from before is kept beside one that is tried, so that the next start has it where that was cut off. */
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { markPattern, processMark, whereabouts } from '../../platform/core/process.ts';
import { settingsFile } from './exchange-data.ts';
import { replaceFile } from './replacement.ts';

const prefix = `${settingsFile}.before-`;
/** Nobody's own copy is called so. */
const kept = new RegExp(`^homeserver\\.yaml\\.before-(${markPattern})(\\.next)?$`);

export type Trial = {
  /** What was tried stays. */
  keep(): Promise<void>;
  /** What was there before is there again. */
  takeBack(): Promise<void>;
};

/** Writes a text in the place of the configuration. @throws Error where it can't be written: nothing has changed then */
export async function trySettings(dataDir: string, text: string): Promise<Trial> {
  const file = join(dataDir, settingsFile);
  const before = join(dataDir, `${prefix}${processMark()}`);
  const existed = existsSync(file);
  // To have none is to have an empty one.
  await replaceFile(before, existed ? await readFile(file) : '');
  try {
    await replaceFile(file, text);
  } catch (error) {
    await rm(before);
    throw error;
  }
  return {
    keep: () => rm(before),
    async takeBack() {
      await rename(before, file);
      if (!existed) await rm(file);
    },
  };
}

/** Takes back what was tried by a program that was killed before it knew whether the server starts with it. */
export async function settleSettings(dataDir: string, say: (line: string) => void): Promise<void> {
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
  for (const name of names) {
    const [, mark] = kept.exec(name) ?? [];
    // It may be the one that tries this start.
    if (mark === undefined || ['running', 'unknown'].includes(whereabouts(mark))) continue;
    const file = join(dataDir, settingsFile);
    await rm(`${file}.next`, { force: true });
    if (name.endsWith('.next')) {
      await rm(join(dataDir, name));
      continue;
    }
    await rename(join(dataDir, name), file);
    say(`restored ${file} after an interrupted configuration test`);
  }
}
