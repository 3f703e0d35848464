/** Making thumbnails beside the thread that serves requests: a thread for each picture, within a time limit. */
import { Worker } from 'node:worker_threads';
import type { Clock } from '../core/clock.ts';
import type { Thumbnail } from './make-thumbnails.ts';
import { busy } from './thumbnail-queue.ts';

/** How long making those of one picture may take, in milliseconds: for any, and for each million pixels. */
const timeLimit = { any: 10_000, megapixel: 2_000 };
/** For the thread's own objects, in megabytes; the decoder's memory has a limit of its own. */
const heapLimit = 64;

export type ThumbnailTask = {
  /** Where the content is. */
  path: string;
  /** Larger pictures are not decoded. */
  maximumPixels: number;
};

export type Thumbnailer = {
  /**
   * Makes the thumbnails of a picture; undefined where none can be made of this content.
   *
   * @param pixels how many there are to decode
   * @throws MatrixError 429 where the server is stopping
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

export function createThumbnailer(clock: Clock): Thumbnailer {
  const running = new Set<Worker>();
  let stopped = false;
  return {
    async make(task, pixels) {
      if (stopped) throw busy();
      const worker = new Worker(workerFile, {
        workerData: task,
        resourceLimits: { maxOldGenerationSizeMb: heapLimit },
        // What a decoder says of a broken picture is of no interest to anyone.
        stdout: true,
        stderr: true,
      });
      running.add(worker);
      const limit = timeLimit.any + (timeLimit.megapixel * pixels) / 1e6;
      const cancel = clock.after(limit, () => worker.terminate());
      try {
        const thumbnails = await outcomeOf(worker);
        if (stopped) throw busy();
        return thumbnails;
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

/** What a worker made; undefined where it failed in whatever way. */
function outcomeOf(worker: Worker): Promise<Thumbnail[] | undefined> {
  return new Promise((resolve) => {
    worker.once('message', resolve);
    worker.once('error', () => resolve(undefined));
    worker.once('exit', () => resolve(undefined));
  });
}
