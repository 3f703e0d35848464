/** Creates thumbnails in a worker thread per image, with a time limit. */
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../platform/core/clock.ts';
import type { Log } from '../../platform/core/log.ts';
import { MatrixError, notFound } from '../../platform/core/matrix-error.ts';
import type { Thumbnail } from './create-thumbnails.ts';

/** In milliseconds. */
const timeLimit = { base: 10_000, perMegapixel: 2_000 };
/** In megabytes, for the thread's heap; the decoder's memory has its own limit. */
const heapLimit = 64;
/** An image that exceeds a limit this many times gets no thumbnails. The first times, the machine may be busy. */
const maximumAttempts = 3;
/** Number of images whose attempts are counted. */
const maximumCounted = 10_000;

export type ThumbnailTask = {
  path: string;
  /** Larger images aren't decoded. */
  maximumPixels: number;
};

type Thumbnailer = {
  /**
   * Returns undefined if this content can't have thumbnails.
   *
   * @throws MatrixError 404 if the content is gone, 429 if the server is stopping, 503 if a retry may succeed
   */
  create(task: ThumbnailTask, pixels: number): Promise<Thumbnail[] | undefined>;
  stop(): Promise<void>;
};

// The packaged app has the same files, bundled.
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './thumbnail-worker.ts' : './thumbnail-worker.js',
  import.meta.url,
);

type Outcome =
  | { kind: 'created'; thumbnails: Thumbnail[] }
  /** The content isn't a valid image. */
  | { kind: 'impossible' }
  /** Out of time or heap, because of the image or a busy machine. */
  | { kind: 'exceeded'; err: NodeJS.ErrnoException }
  /** Not because of the image. */
  | { kind: 'failed'; err: NodeJS.ErrnoException };

export function createThumbnailer(clock: Clock, log: Log): Thumbnailer {
  const running = new Set<Worker>();
  /** Attempts that exceeded a limit, by path. */
  const attempts = new Map<string, number>();
  let stopped = false;

  function mayRetry(path: string): boolean {
    const count = (attempts.get(path) ?? 0) + 1;
    attempts.delete(path);
    if (count >= maximumAttempts) return false;
    attempts.set(path, count);
    const [oldest] = attempts.keys();
    if (attempts.size > maximumCounted && oldest !== undefined) attempts.delete(oldest);
    return true;
  }

  function startWorker(task: ThumbnailTask): Worker {
    try {
      return new Worker(workerFile, {
        workerData: task,
        resourceLimits: { maxOldGenerationSizeMb: heapLimit },
        // Discards the decoder's output.
        stdout: true,
        stderr: true,
      });
    } catch (err) {
      log.warn({ err }, "media: couldn't start the thumbnail worker:");
      throw notNow();
    }
  }

  return {
    async create(task, pixels) {
      if (stopped) throw busy();
      const worker = startWorker(task);
      running.add(worker);
      const limit = timeLimit.base + (timeLimit.perMegapixel * pixels) / 1e6;
      const cancel = clock.after(limit, () => worker.terminate());
      try {
        const outcome = await outcomeOf(worker);
        if (stopped) throw busy();
        if ('err' in outcome) {
          const { err } = outcome;
          if (err.code === 'ENOENT' && err.path === task.path) throw notFound('Not found');
          log.warn({ err }, `media: couldn't create thumbnails of ${task.path}:`);
          if (outcome.kind === 'failed' || mayRetry(task.path)) throw notNow();
          return undefined;
        }
        attempts.delete(task.path);
        return outcome.kind === 'created' ? outcome.thumbnails : undefined;
      } finally {
        cancel();
        // A WebAssembly memory never shrinks.
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
    worker.once('message', (thumbnails: Thumbnail[] | 'impossible') =>
      resolve(thumbnails === 'impossible' ? { kind: 'impossible' } : { kind: 'created', thumbnails }),
    );
    worker.once('error', (err: NodeJS.ErrnoException) =>
      resolve({ kind: err.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'exceeded' : 'failed', err }),
    );
    // Without a message or an error, the time limit has ended it.
    worker.once('exit', () => resolve({ kind: 'exceeded', err: new Error('Timed out') }));
  });
}
