/** Thread that creates the thumbnails of one image, so that a hostile image can't crash the server. */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { createThumbnailImages } from './create-thumbnails.ts';
import type { ThumbnailTask } from './thumbnailer.ts';

const { path, maximumPixels } = workerData as ThumbnailTask;
parentPort?.postMessage(createThumbnailImages(readFileSync(path), maximumPixels) ?? 'impossible');
