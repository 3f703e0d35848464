/** A thread that makes one thumbnail. A hostile picture can end it, and nothing but it. */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { makeThumbnail } from './make-thumbnail.ts';
import type { ThumbnailTask } from './thumbnailer.ts';

const { path, size, maximumPixels } = workerData as ThumbnailTask;
parentPort?.postMessage(makeThumbnail(readFileSync(path), size, maximumPixels));
