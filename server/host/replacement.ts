/**
 * What is known beside a data directory of the last time that its data was replaced: that it is under way, so that the next
 * start goes back where that was cut off, and afterwards where the data from before is.
 */
import { existsSync, readFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { ConfigurationError } from '../config/configuration-error.ts';
import { isAnotherRunning } from '../core/running-process.ts';
import { replaceFile } from './replace-file.ts';

type Replacement =
  | {
      step: 'begun';
      pid: number;
      kept_at: string;
      /** Where what is served now stood before, and goes again; without it, it was made anew. */
      from?: string | undefined;
    }
  | { step: 'done'; kept_at: string };

const recordOf = (dataDir: string) => `${dataDir}.replaced.json`;

export const noteReplacement = (dataDir: string, replacement: Replacement) =>
  replaceFile(recordOf(dataDir), JSON.stringify(replacement));

export const forgetReplacement = (dataDir: string) => rm(recordOf(dataDir), { force: true });

/** Where the data is that the last reset or restore left; undefined where there is none to go back to. */
export function dataFromBefore(dataDir: string): string | undefined {
  const found = read(dataDir);
  return found?.step === 'done' && existsSync(found.kept_at) ? found.kept_at : undefined;
}

/** The data from before in its place again; can be done any number of times. */
export async function goBack(
  dataDir: string,
  { kept_at: keptAt, from }: { kept_at: string; from?: string | undefined },
): Promise<void> {
  if (existsSync(keptAt)) {
    if (from === undefined) await rm(dataDir, { recursive: true, force: true });
    else if (existsSync(dataDir) && !existsSync(from)) await rename(dataDir, from);
    await rename(keptAt, dataDir);
  }
  await forgetReplacement(dataDir);
}

/**
 * Goes back where replacing the data was cut off.
 *
 * @param say gets a line where that was so
 * @throws ConfigurationError where it is under way
 */
export async function settleReplacement(dataDir: string, say: (line: string) => void): Promise<void> {
  const found = read(dataDir);
  if (found?.step !== 'begun') return;
  if (isAnotherRunning(found.pid)) {
    throw new ConfigurationError(
      '--data-dir',
      `its data is being replaced by process ${found.pid}`,
      `wait until that is done; if process ${found.pid} is another program, end it or start this one again later`,
    );
  }
  await goBack(dataDir, found);
  say(`replacing the data in ${dataDir} was cut off: the data from before is in its place again`);
}

function read(dataDir: string): Replacement | undefined {
  try {
    return JSON.parse(readFileSync(recordOf(dataDir), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
