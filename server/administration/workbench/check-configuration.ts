/**
 * Checks the text of a configuration. YAML can be written to take seconds to parse, so a long text is parsed in a worker
 * thread with a time and memory limit.
 */
import { Worker } from 'node:worker_threads';
import type { ConfigurationProblem } from '../../../shared/workbench/configuration.ts';
import { createLimiter } from '../../platform/concurrency/limiter.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { MatrixError } from '../../platform/core/matrix-error.ts';
import { problemsIn } from './configuration-problems.ts';

/** In characters. Takes a few hundredths of a second at most. */
const maxInline = 8 * 1024;
/** In milliseconds; and in megabytes. */
const timeLimit = 10_000;
const heapLimit = 512;

// The packaged app has a bundle.
const workerFile = new URL(
  import.meta.url.endsWith('.ts')
    ? './configuration-problems-worker.ts'
    : './configuration-problems-worker.js',
  import.meta.url,
);

const threads = createLimiter({ total: 2 });

/** `file` is where the text is or will be saved. */
export type ConfigurationToCheck = { text: string; file: string; dataDir: string };

/**
 * Returns the problems, or a single one if the text exceeds the limits.
 *
 * @param gone aborted when the client disconnects
 * @throws MatrixError if it was aborted
 */
export async function checkConfigurationText(
  checked: ConfigurationToCheck,
  clock: Clock,
  gone?: AbortSignal,
): Promise<ConfigurationProblem[]> {
  const { text, file, dataDir } = checked;
  if (text.length <= maxInline) return problemsIn(text, file, dataDir);
  return threads.run(dataDir, () => inThread(checked, clock, gone));
}

async function inThread(
  workerData: ConfigurationToCheck,
  clock: Clock,
  gone: AbortSignal | undefined,
): Promise<ConfigurationProblem[]> {
  if (gone?.aborted) throw clientGone();
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
    // Without a message only the time limit ends it.
    worker.once('exit', () => resolve([tooMuch]));
    gone?.addEventListener('abort', () => reject(clientGone()), { once: true });
  }).finally(() => {
    cancel();
    // Frees its memory.
    return worker.terminate();
  });
}

const clientGone = () => new MatrixError(499, 'M_UNKNOWN', 'Client disconnected');

const tooMuch: ConfigurationProblem = {
  severity: 'error',
  line: 1,
  column: 1,
  setting: '',
  sentence: `reading it takes more than ${timeLimit / 1_000} seconds or ${heapLimit} MB; shorten the file`,
};
