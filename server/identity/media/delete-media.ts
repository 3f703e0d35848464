/** Deletes uploads from the database, then from the disk. After a crash in between, the next start deletes the files. */
import { yieldToEventLoop } from '../../platform/concurrency/yield.ts';
import { createDirectory } from '../../platform/core/files.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { createFolder, removeAbandoned, removeContent, requireStore } from './media-files.ts';
import {
  deleteMedia,
  findMedia,
  forgetDeletedMedia,
  listDeletedMedia,
  listUnusedMedia,
  listUserMedia,
  type UnusedMediaQuery,
  type UserMediaQuery,
} from './media-store.ts';
import { findAvatars } from './room-media-store.ts';
import type { MediaContext } from './upload.ts';

/** Uploads deleted in one transaction. */
const batchSize = 100;

/** Returns the media IDs that existed. */
export async function removeMedia(context: MediaContext, mediaIds: readonly string[]): Promise<string[]> {
  const { db } = context;
  const deleted = await inTransaction(db, (tx) => deleteMedia(tx, mediaIds));
  await removeFromDisk(context, deleted);
  return deleted;
}

type UnusedMedia = Pick<UnusedMediaQuery, 'before' | 'largerThan'> & {
  /** Skips avatars of users and rooms. */
  keepProfiles: boolean;
};

/** Returns the deleted media IDs. */
export async function removeUnusedMedia(
  context: MediaContext,
  { keepProfiles, ...unused }: UnusedMedia,
): Promise<string[]> {
  const { db, config } = context;
  const deleted: string[] = [];
  for (let after: UnusedMediaQuery['after']; ; ) {
    const page = await listUnusedMedia(db, { ...unused, limit: batchSize, ...(after && { after }) });
    after = page.at(-1);
    if (!after) return deleted;
    const mediaIds = new Set(page.map((media) => media.mediaId));
    const avatars = keepProfiles ? await findAvatars(db, config.serverName, [...mediaIds]) : [];
    for (const mediaId of avatars) mediaIds.delete(mediaId);
    deleted.push(...(await removeMedia(context, [...mediaIds])));
    await yieldToEventLoop();
  }
}

/** Deletes a page of a user's uploads and returns their media IDs. */
export async function removeUserMedia(
  context: MediaContext,
  userId: string,
  { limit, ...page }: UserMediaQuery,
): Promise<string[]> {
  const deleted: string[] = [];
  while (deleted.length < limit) {
    const batch = Math.min(batchSize, limit - deleted.length);
    const media = await listUserMedia(context.db, userId, { ...page, limit: batch });
    if (media.length === 0) break;
    const mediaIds = media.map(({ mediaId }) => mediaId);
    deleted.push(...(await removeMedia(context, mediaIds)));
    await yieldToEventLoop();
  }
  return deleted;
}

/** Deletes files left by an earlier run of the server. Creates the media store. */
export async function sweepMedia(context: MediaContext): Promise<void> {
  const { db, config, clock } = context;
  createDirectory(config.mediaStorePath, 0o700);
  await createFolder(config.mediaStorePath);
  await removeAbandoned(
    config.mediaStorePath,
    clock.now(),
    async (mediaId) => (await findMedia(db, mediaId)) !== undefined,
  );
  for (;;) {
    const mediaIds = await listDeletedMedia(db, batchSize);
    if (mediaIds.length === 0) return;
    await removeFromDisk(context, mediaIds);
  }
}

async function removeFromDisk({ db, config }: MediaContext, mediaIds: readonly string[]): Promise<void> {
  await requireStore(config.mediaStorePath);
  for (const mediaId of mediaIds) await removeContent(config.mediaStorePath, mediaId);
  await forgetDeletedMedia(db, mediaIds);
}
