/** Making thumbnails beside the thread that serves requests: a thread for each picture, within a time limit. */
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../platform/core/clock.ts';
import type { Log } from '../../platform/core/log.ts';
import { MatrixError, notFound } from '../../platform/core/matrix-error.ts';
import type { Thumbnail } from './make-thumbnails.ts';

/** How long making those of one picture may take, in milliseconds: for any, and for each million pixels. */
const timeLimit = { any: 10_000, megapixel: 2_000 };
/** For the thread's own objects, in megabytes; the decoder's memory has a limit of its own. */
const heapLimit = 64;
/** How often a picture may exceed a limit, as any does on a machine that is busy enough, until it is given up. */
const maximumTries = 3;
/** Of so many pictures it is known how often they were tried. */
const maximumTried = 10_000;

export type ThumbnailTask = {
  /** Where the content is. */
  path: string;
  /** Larger pictures are not decoded. */
  maximumPixels: number;
};

export type Thumbnailer = {
  /**
   * Makes the thumbnails of a picture; undefined where none can ever be made of this content.
   *
   * @param pixels how many there are to decode
   * @throws MatrixError 404 where the content is gone, 429 where the server is stopping, 503 where another try
   *   may succeed
   */
  make(task: ThumbnailTask, pixels: number): Promise<Thumbnail[] | undefined>;
  /** Ends what runs. */
  stop(): Promise<void>;
};

// The packaged app has the same files, bundled.
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './thumbnail-worker.ts' : './thumbnail-worker.js',
  import.meta.url,
);

type Outcome =
  | { kind: 'made'; thumbnails: Thumbnail[] }
  /** The content is none that thumbnails can be made of. */
  | { kind: 'impossible' }
  /** No time or no heap was left: the picture may be to blame, or the machine. */
  | { kind: 'exceeded'; err: NodeJS.ErrnoException }
  /** Something was missing for which the picture can't be to blame. */
  | { kind: 'failed'; err: NodeJS.ErrnoException };

export function createThumbnailer(clock: Clock, log: Log): Thumbnailer {
  const running = new Set<Worker>();
  /** How often pictures have exceeded a limit, by their paths. */
  const tries = new Map<string, number>();
  let stopped = false;

  function mayTryAgain(path: string): boolean {
    const tried = (tries.get(path) ?? 0) + 1;
    tries.delete(path);
    if (tried >= maximumTries) return false;
    tries.set(path, tried);
    const [longestKnown] = tries.keys();
    if (tries.size > maximumTried && longestKnown !== undefined) tries.delete(longestKnown);
    return true;
  }

  function startWorker(task: ThumbnailTask): Worker {
    try {
      return new Worker(workerFile, {
        workerData: task,
        resourceLimits: { maxOldGenerationSizeMb: heapLimit },
        // What a decoder says of a broken picture is of no interest to anyone.
        stdout: true,
        stderr: true,
      });
    } catch (err) {
      log.warn({ err }, "media: couldn't start the thumbnail worker:");
      throw notNow();
    }
  }

  return {
    async make(task, pixels) {
      if (stopped) throw busy();
      const worker = startWorker(task);
      running.add(worker);
      const limit = timeLimit.any + (timeLimit.megapixel * pixels) / 1e6;
      const cancel = clock.after(limit, () => worker.terminate());
      try {
        const outcome = await outcomeOf(worker);
        if (stopped) throw busy();
        if ('err' in outcome) {
          const { err } = outcome;
          if (err.code === 'ENOENT' && err.path === task.path) throw notFound('Not found');
          log.warn({ err }, `media: couldn't create thumbnails of ${task.path}:`);
          if (outcome.kind === 'failed' || mayTryAgain(task.path)) throw notNow();
          return undefined;
        }
        tries.delete(task.path);
        return outcome.kind === 'made' ? outcome.thumbnails : undefined;
      } finally {
        cancel();
        // With the thread goes its memory, which would stay as large as the largest picture.
        await worker.terminate();
        running.delete(worker);
      }
    },
    async stop() {
      stopped = true;
      await Promise.all([...running].map((worker) => worker.terminate()));
    },
  };
}

export const busy = () =>
  new MatrixError(429, 'M_LIMIT_EXCEEDED', 'Too many thumbnails are being generated', {
    retry_after_ms: 5000,
  });

const notNow = () =>
  new MatrixError(503, 'M_UNKNOWN', "Thumbnails can't be generated at the moment. Try again later.", {
    retry_after_ms: 5000,
  });

function outcomeOf(worker: Worker): Promise<Outcome> {
  return new Promise((resolve) => {
    worker.once('message', (made: Thumbnail[] | 'impossible') =>
      resolve(made === 'impossible' ? { kind: 'impossible' } : { kind: 'made', thumbnails: made }),
    );
    worker.once('error', (err: NodeJS.ErrnoException) =>
      resolve({ kind: err.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'exceeded' : 'failed', err }),
    );
    // Only its time limit ends it before it has said anything.
    worker.once('exit', () => resolve({ kind: 'exceeded', err: new Error('Timed out') }));
  });
}
