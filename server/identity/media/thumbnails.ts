/** Thumbnails: the first request generates all sizes of an image and stores them. */
import { join } from 'node:path';
import { createLimiter, QueueFull } from '../../platform/concurrency/limiter.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Log } from '../../platform/core/log.ts';
import { MatrixError, notFound } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Thumbnail } from './create-thumbnails.ts';
import { readImageHeader } from './image-header.ts';
import {
  beginFiles,
  contentPath,
  openFile,
  removeContent,
  thumbnailFolder,
  type UnfinishedFiles,
} from './media-files.ts';
import { findMedia, type Media } from './media-store.ts';
import { sizeName, type ThumbnailSize, thumbnailSize, thumbnailSizes } from './thumbnail-size.ts';
import { findThumbnail, saveThumbnails } from './thumbnail-store.ts';
import { busy, createThumbnailer } from './thumbnailer.ts';

export type Thumbnails = {
  /**
   * Returns the thumbnail of an upload that fits the size best.
   *
   * @throws MatrixError 400 if the media has no thumbnails, 404 if it was deleted, 429 if too many are being generated,
   *   503 if a retry may succeed
   */
  find(media: Media, size: ThumbnailSize, requester: ThumbnailRequester): Promise<ServedThumbnail>;
  stop(): Promise<void>;
};

type ThumbnailRequester = {
  /** The user, or the network of a client that isn't signed in. */
  name: string;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
};

type ServedThumbnail = {
  /** See `sizeName`. */
  name: string;
  path: string;
  contentType: string;
  /** In bytes. */
  size: number;
};

const limits = { total: 1, queuedPerKey: 100, queued: 1000 };
const maxSmallPixels = 4_000_000;

export function createThumbnails(
  db: Database,
  { mediaStorePath, maxImagePixels }: Pick<Config, 'mediaStorePath' | 'maxImagePixels'>,
  clock: Clock,
  log: Log,
): Thumbnails {
  // One small and one large image are decoded at a time, which bounds the memory.
  const small = createLimiter(limits);
  const large = createLimiter(limits);
  const thumbnailer = createThumbnailer(clock, log);

  /** Generates and saves all sizes, or saves that there are none. */
  async function generate(mediaId: string, pixels: number): Promise<void> {
    const task = { path: contentPath(mediaStorePath, mediaId), maximumPixels: maxImagePixels };
    const thumbnails = await thumbnailer.create(task, Math.min(pixels, maxImagePixels));
    const files = await beginFiles(mediaStorePath, mediaId);
    try {
      if (await save(files, mediaId, thumbnails ?? [])) return;
    } catch (error) {
      // A deletion may have removed the folder.
      if (await findMedia(db, mediaId)) throw error;
    } finally {
      await files.close();
    }
    // The media was deleted in the meantime.
    await removeContent(mediaStorePath, mediaId);
  }

  /** Returns false if the media was deleted in the meantime. */
  async function save(
    files: UnfinishedFiles,
    mediaId: string,
    thumbnails: readonly Thumbnail[],
  ): Promise<boolean> {
    for (const { name, content } of thumbnails) {
      await files.write(name, content);
      await files.replace(name, join(thumbnailFolder(mediaStorePath, mediaId), name));
    }
    const results = thumbnailSizes.map(sizeName).map((name) => {
      const thumbnail = thumbnails.find((candidate) => candidate.name === name);
      const { contentType, content } = thumbnail ?? {};
      return { name, thumbnail: contentType && content ? { contentType, size: content.length } : null };
    });
    return inTransaction(db, (tx) => saveThumbnails(tx, mediaId, results));
  }

  return {
    async find({ mediaId }, size, { name: key, signal }) {
      const name = sizeName(thumbnailSize(size));
      let thumbnail = await findThumbnail(db, mediaId, name);
      if (thumbnail === undefined) {
        const pixels = await countPixels(mediaStorePath, mediaId);
        const limiter = pixels <= maxSmallPixels ? small : large;
        const work = async () => {
          // Another request may have generated them.
          if ((await findThumbnail(db, mediaId, name)) === undefined) await generate(mediaId, pixels);
        };
        await limiter.run(key, work, signal).catch((error: unknown) => {
          throw error instanceof QueueFull || error === signal.reason ? busy() : error;
        });
        thumbnail = await findThumbnail(db, mediaId, name);
      }
      if (thumbnail === undefined) throw notFound('Not found');
      if (thumbnail === null) {
        throw new MatrixError(400, 'M_UNKNOWN', 'Cannot find any thumbnails for the requested media');
      }
      return { name, path: join(thumbnailFolder(mediaStorePath, mediaId), name), ...thumbnail };
    },
    async stop() {
      for (const { rejectQueued } of [small, large]) rejectQueued(busy());
      await thumbnailer.stop();
    },
  };
}

/** In bytes; enough for the header of most photos. */
const headerSize = 65_536;

/** Returns an image's number of pixels, or infinity if its header isn't near the start. @throws MatrixError 404 */
async function countPixels(storePath: string, mediaId: string): Promise<number> {
  const file = await openFile(storePath, contentPath(storePath, mediaId));
  if (!file) throw notFound('Not found');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headerSize), 0, headerSize, 0);
    const header = readImageHeader(buffer.subarray(0, bytesRead));
    return header ? header.width * header.height : Number.POSITIVE_INFINITY;
  } finally {
    await file.close();
  }
}
