/** Thumbnails: all of a picture's are made when one is first asked for, and kept on the disk. */
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { MatrixError, notFound } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import type { Thumbnail } from './make-thumbnails.ts';
import { contentPath, openFile, removeContent, thumbnailFolder } from './media-files.ts';
import { findMedia, type Media } from './media-store.ts';
import { readPictureHeader } from './picture-header.ts';
import { type Asker, createThumbnailQueue } from './thumbnail-queue.ts';
import { sizeName, type ThumbnailSize, thumbnailSize, thumbnailSizes } from './thumbnail-size.ts';
import { findThumbnail, saveThumbnails } from './thumbnail-store.ts';
import { createThumbnailer } from './thumbnailer.ts';
import { beginFiles, type UnfinishedFiles } from './unfinished-files.ts';

export type Thumbnails = {
  /**
   * The thumbnail of an upload that suits a wanted size best.
   *
   * @throws MatrixError 400 where none can be made of it, 404 where it is gone, 429 where too many are being made,
   *   503 where another try may succeed
   */
  find(media: Media, wanted: ThumbnailSize, asker: Asker): Promise<ServedThumbnail>;
  /** Ends whatever is being made. */
  stop(): Promise<void>;
};

type ServedThumbnail = {
  /** What its size is called. */
  name: string;
  path: string;
  contentType: string;
  /** In bytes. */
  size: number;
};

export function createThumbnails(
  db: Database,
  { mediaStorePath, maxImagePixels }: Pick<Config, 'mediaStorePath' | 'maxImagePixels'>,
  clock: Clock,
  log: Log,
): Thumbnails {
  const queue = createThumbnailQueue();
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
    async find({ mediaId }, wanted, asker) {
      const name = sizeName(thumbnailSize(wanted));
      let thumbnail = await findThumbnail(db, mediaId, name);
      if (thumbnail === undefined) {
        const pixels = await countPixels(mediaStorePath, mediaId);
        const run = async () => {
          // They may have been made since.
          if ((await findThumbnail(db, mediaId, name)) === undefined) await makeAll(mediaId, pixels);
        };
        await queue.wait(mediaId, { pixels, run }, asker);
        thumbnail = await findThumbnail(db, mediaId, name);
      }
      if (thumbnail === undefined) throw notFound('Not found');
      if (thumbnail === null) {
        throw new MatrixError(400, 'M_UNKNOWN', 'Cannot find any thumbnails for the requested media');
      }
      return { name, path: join(thumbnailFolder(mediaStorePath, mediaId), name), ...thumbnail };
    },
    async stop() {
      queue.stop();
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
