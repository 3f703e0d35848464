/** Thumbnails: each is made when it is first asked for and kept on the disk. */

import type { Kysely } from 'kysely';
import type { Config } from '../config/config.ts';
import { MatrixError } from '../core/matrix-error.ts';
import type { Schema } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import { contentPath, removeContent, storeThumbnail, thumbnailPath } from './media-files.ts';
import type { Media } from './media-store.ts';
import { sizeName, type ThumbnailSize, thumbnailSize } from './thumbnail-size.ts';
import { findThumbnail, type StoredThumbnail, saveThumbnail } from './thumbnail-store.ts';
import type { Thumbnailer } from './thumbnailer.ts';

export type Thumbnails = {
  /**
   * The thumbnail of an upload that suits a wanted size best.
   *
   * @throws MatrixError 400 where none can be made of it; 429 where too many are being made
   */
  find(media: Media, wanted: ThumbnailSize): Promise<ServedThumbnail>;
  /** Ends whatever is being made. */
  stop(): Promise<void>;
};

export type ServedThumbnail = {
  path: string;
  contentType: string;
  /** In bytes. */
  size: number;
};

export function createThumbnails(
  db: Kysely<Schema>,
  config: Pick<Config, 'mediaStorePath' | 'maxImagePixels'>,
  thumbnailer: Thumbnailer,
): Thumbnails {
  /** By path: who asks for what is being made already waits for the same. */
  const beingMade = new Map<string, Promise<StoredThumbnail>>();

  async function make({ mediaId }: Media, size: ThumbnailSize): Promise<StoredThumbnail> {
    const made = await thumbnailer.make({
      path: contentPath(config.mediaStorePath, mediaId),
      size,
      maximumPixels: config.maxImagePixels,
    });
    const name = sizeName(size);
    if (made) await storeThumbnail(config.mediaStorePath, mediaId, name, made.picture);
    const thumbnail = made ? { contentType: made.contentType, size: made.picture.length } : null;
    const saved = await inTransaction(db, (tx) => saveThumbnail(tx, mediaId, name, thumbnail));
    // Deleted while the thumbnail was made: that must not outlive it.
    if (!saved) await removeContent(config.mediaStorePath, mediaId);
    return saved ? thumbnail : null;
  }

  return {
    async find(media, wanted) {
      const size = thumbnailSize(wanted);
      const name = sizeName(size);
      const path = thumbnailPath(config.mediaStorePath, media.mediaId, name);
      let thumbnail = await findThumbnail(db, media.mediaId, name);
      if (thumbnail === undefined) {
        const making = beingMade.get(path) ?? make(media, size).finally(() => beingMade.delete(path));
        beingMade.set(path, making);
        thumbnail = await making;
      }
      if (thumbnail === null) {
        throw new MatrixError(400, 'M_UNKNOWN', 'Cannot find any thumbnails for the requested media');
      }
      return { path, ...thumbnail };
    },
    stop: () => thumbnailer.stop(),
  };
}
