/** Making thumbnails beside the thread that serves requests, a few at a time, each within a time limit. */
import { Worker } from 'node:worker_threads';
import type { Clock } from '../core/clock.ts';
import { MatrixError } from '../core/matrix-error.ts';
import type { Thumbnail } from './make-thumbnail.ts';
import type { ThumbnailSize } from './thumbnail-size.ts';

/** How many are made at once. */
const maximumRunning = 2;
/** How many may wait for their turn. */
const maximumWaiting = 100;
/** How long making one may take, in milliseconds. */
const timeLimit = 15_000;
/** For the thread's own objects, in megabytes; the decoder's memory has a limit of its own. */
const heapLimit = 64;

export type ThumbnailTask = {
  /** Where the content is. */
  path: string;
  size: ThumbnailSize;
  /** Larger pictures are not decoded. */
  maximumPixels: number;
};

export type Thumbnailer = {
  /**
   * Makes a thumbnail; undefined where none can be made of this content.
   *
   * @throws MatrixError 429 where too many wait, or the server is stopping
   */
  make(task: ThumbnailTask): Promise<Thumbnail | undefined>;
  /** Ends what runs, and refuses what waits. */
  stop(): Promise<void>;
};

// The packaged app has the same files, bundled.
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './thumbnail-worker.ts' : './thumbnail-worker.js',
  import.meta.url,
);

export function createThumbnailer(clock: Clock): Thumbnailer {
  const running = new Set<Worker>();
  const waiting: { start: () => void; refuse: (error: MatrixError) => void }[] = [];
  let stopped = false;

  async function run(task: ThumbnailTask): Promise<Thumbnail | undefined> {
    const worker = new Worker(workerFile, {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: heapLimit },
      // What a decoder says of a broken picture is of no interest to anyone.
      stdout: true,
      stderr: true,
    });
    running.add(worker);
    const cancel = clock.after(timeLimit, () => worker.terminate());
    try {
      const thumbnail = await outcomeOf(worker);
      if (stopped) throw busy();
      return thumbnail;
    } finally {
      cancel();
      await worker.terminate();
      running.delete(worker);
      waiting.shift()?.start();
    }
  }

  return {
    async make(task) {
      if (stopped || waiting.length >= maximumWaiting) throw busy();
      if (running.size >= maximumRunning) {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        waiting.push({ start: resolve, refuse: reject });
        await promise;
      }
      return run(task);
    },
    async stop() {
      stopped = true;
      for (const { refuse } of waiting.splice(0)) refuse(busy());
      await Promise.all([...running].map((worker) => worker.terminate()));
    },
  };
}

/** What a worker made; undefined where it failed in whatever way. */
function outcomeOf(worker: Worker): Promise<Thumbnail | undefined> {
  return new Promise((resolve) => {
    worker.once('message', resolve);
    worker.once('error', () => resolve(undefined));
    worker.once('exit', () => resolve(undefined));
  });
}

const busy = () =>
  new MatrixError(429, 'M_LIMIT_EXCEEDED', 'Too many thumbnails are being made', { retry_after_ms: 5000 });
