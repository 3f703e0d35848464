/** A thread that makes the thumbnails of one picture. A hostile one can end it, and nothing but it. */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { makeThumbnails } from './make-thumbnails.ts';
import type { ThumbnailTask } from './thumbnailer.ts';

const { path, maximumPixels } = workerData as ThumbnailTask;
// Whatever is thrown here is no verdict on the picture.
parentPort?.postMessage(makeThumbnails(readFileSync(path), maximumPixels) ?? 'impossible');
