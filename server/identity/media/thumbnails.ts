/** Thumbnails: the first request generates all sizes of an image and stores them. */
import { join } from 'node:path';
import { createLimiter, QueueFull } from '../../platform/concurrency/limiter.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Log } from '../../platform/core/log.ts';
import { MatrixError, notFound } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Thumbnail } from './make-thumbnails.ts';
import { contentPath, openFile, removeContent, thumbnailFolder } from './media-files.ts';
import { findMedia, type Media } from './media-store.ts';
import { readPictureHeader } from './picture-header.ts';
import { sizeName, type ThumbnailSize, thumbnailSize, thumbnailSizes } from './thumbnail-size.ts';
import { findThumbnail, saveThumbnails } from './thumbnail-store.ts';
import { busy, createThumbnailer } from './thumbnailer.ts';
import { beginFiles, type UnfinishedFiles } from './unfinished-files.ts';

export type Thumbnails = {
  /**
   * Returns the thumbnail of an upload that fits the size best.
   *
   * @throws MatrixError 400 if the media has no thumbnails, 404 if it was deleted, 429 if too many are being generated,
   *   503 if a retry may succeed
   */
  find(media: Media, wanted: ThumbnailSize, requester: ThumbnailRequester): Promise<ServedThumbnail>;
  /** Stops what is being generated. */
  stop(): Promise<void>;
};

export type ThumbnailRequester = {
  /** The user, or the network of a client that isn't signed in. */
  name: string;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
};

type ServedThumbnail = {
  /** The name of its size. */
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

  /** Makes and keeps all sizes, or keeps that there can be none. */
  async function makeAll(mediaId: string, pixels: number): Promise<void> {
    const task = { path: contentPath(mediaStorePath, mediaId), maximumPixels: maxImagePixels };
    const made = await thumbnailer.make(task, Math.min(pixels, maxImagePixels));
    const files = await beginFiles(mediaStorePath, mediaId);
    try {
      if (await keep(files, mediaId, made)) return;
    } catch (error) {
      // Its folder may have gone from under them.
      if (await findMedia(db, mediaId)) throw error;
    } finally {
      await files.close();
    }
    // Deleted while they were made: they must not outlive it.
    await removeContent(mediaStorePath, mediaId);
  }

  /** False where their media was deleted meanwhile. */
  async function keep(
    files: UnfinishedFiles,
    mediaId: string,
    made: readonly Thumbnail[] | undefined,
  ): Promise<boolean> {
    for (const { name, picture } of made ?? []) {
      await files.write(name, picture);
      await files.replace(name, join(thumbnailFolder(mediaStorePath, mediaId), name));
    }
    const thumbnails = thumbnailSizes.map(sizeName).map((name) => {
      const thumbnail = made?.find((candidate) => candidate.name === name);
      return {
        name,
        thumbnail: thumbnail ? { contentType: thumbnail.contentType, size: thumbnail.picture.length } : null,
      };
    });
    return inTransaction(db, (tx) => saveThumbnails(tx, mediaId, thumbnails));
  }

  return {
    async find({ mediaId }, wanted, { name: key, signal }) {
      const name = sizeName(thumbnailSize(wanted));
      let thumbnail = await findThumbnail(db, mediaId, name);
      if (thumbnail === undefined) {
        const pixels = await countPixels(mediaStorePath, mediaId);
        const limiter = pixels <= maxSmallPixels ? small : large;
        const work = async () => {
          // Another request may have generated them.
          if ((await findThumbnail(db, mediaId, name)) === undefined) await makeAll(mediaId, pixels);
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

/** How much of a file is read for its header: with most photographs it stands within. */
const headerSize = 65_536;

/**
 * How many pixels a picture says that it has; infinity where it doesn't say so at its beginning.
 *
 * @throws MatrixError 404 where it is gone
 */
async function countPixels(storePath: string, mediaId: string): Promise<number> {
  const file = await openFile(storePath, contentPath(storePath, mediaId));
  if (!file) throw notFound('Not found');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headerSize), 0, headerSize, 0);
    const header = readPictureHeader(buffer.subarray(0, bytesRead));
    return header ? header.width * header.height : Number.POSITIVE_INFINITY;
  } finally {
    await file.close();
  }
}
