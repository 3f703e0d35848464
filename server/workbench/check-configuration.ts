/**
 * What is wrong with a configuration's text, found while the server answers others: a text that is made for it is read for
 * seconds, and so a long one is read by a thread of its own, within limits.
 */
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import type { ConfigurationProblem } from '../../shared/workbench/configuration.ts';
import type { Clock } from '../core/clock.ts';
import { MatrixError } from '../core/matrix-error.ts';
import { problemsIn } from './configuration-problems.ts';

/** What is no longer, in characters, is read within some hundredths of a second whatever it holds. */
const short = 8 * 1024;
/** How long a text may be read, in milliseconds, and how many megabytes for it. */
const timeLimit = 10_000;
const heapLimit = 512;

// The packaged app has the same files, bundled.
const workerFile = new URL(
  import.meta.url.endsWith('.ts')
    ? './configuration-problems-worker.ts'
    : './configuration-problems-worker.js',
  import.meta.url,
);

/** As many threads at once. */
const inLine = pLimit(2);

/** A text, the file where it stands or would, and the server's data directory. */
export type ConfigurationToCheck = { text: string; file: string; dataDir: string };

/**
 * Gives what `problemsIn` finds, or one error that says that it is too much to be read.
 *
 * @param gone aborted when nobody waits for it any more: it leaves the line then, and ends where it is under way
 * @throws MatrixError where it was aborted
 */
export async function checkConfigurationText(
  checked: ConfigurationToCheck,
  clock: Clock,
  gone?: AbortSignal,
): Promise<ConfigurationProblem[]> {
  const { text, file, dataDir } = checked;
  if (text.length <= short) return problemsIn(text, file, dataDir);
  return inLine(() => inThread(checked, clock, gone));
}

async function inThread(
  workerData: ConfigurationToCheck,
  clock: Clock,
  gone: AbortSignal | undefined,
): Promise<ConfigurationProblem[]> {
  if (gone?.aborted) throw nobodyWaits();
  const worker = new Worker(workerFile, {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: heapLimit },
  });
  const cancel = clock.after(timeLimit, () => worker.terminate());
  return new Promise<ConfigurationProblem[]>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve([tooMuch]) : reject(error),
    );
    // Only its time limit ends it before it has said anything.
    worker.once('exit', () => resolve([tooMuch]));
    gone?.addEventListener('abort', () => reject(nobodyWaits()), { once: true });
  }).finally(() => {
    cancel();
    // With the thread goes its memory.
    return worker.terminate();
  });
}

const nobodyWaits = () => new MatrixError(499, 'M_UNKNOWN', 'Client disconnected');

const tooMuch: ConfigurationProblem = {
  severity: 'error',
  line: 1,
  column: 1,
  setting: '',
  sentence: `reading it takes more than ${timeLimit / 1_000} seconds or ${heapLimit} MB; shorten the file`,
};
