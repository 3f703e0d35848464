/**
 * Deleting uploads for good: first what is known of them, then what is on the disk. What a crash leaves
 * between the two is deleted at the next start.
 */

import { yieldToEventLoop } from '../../platform/concurrency/yield.ts';
import { makeDirectory } from '../../platform/core/files.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { makeFolder, removeContent, requireStore } from './media-files.ts';
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
import { findProfilePictures } from './room-media-store.ts';
import { removeAbandoned } from './unfinished-files.ts';
import type { MediaContext } from './upload.ts';

/** How many are deleted in one transaction. */
const batchSize = 100;

/** Deletes uploads and gives the identifiers of those that were there. */
export async function removeMedia(context: MediaContext, mediaIds: readonly string[]): Promise<string[]> {
  const { db } = context;
  const deleted = await inTransaction(db, (tx) => deleteMedia(tx, mediaIds));
  await removeFromDisk(context, deleted);
  return deleted;
}

export type UnusedMedia = Pick<UnusedMediaQuery, 'before' | 'largerThan'> & {
  /** Spares what is the picture of a user or of a room. */
  keepProfiles: boolean;
};

/** Deletes what nobody used since a time and gives the identifiers. */
export async function removeUnusedMedia(
  context: MediaContext,
  { keepProfiles, ...unused }: UnusedMedia,
): Promise<string[]> {
  const { db, config } = context;
  const deleted: string[] = [];
  for (let after: UnusedMediaQuery['after']; ; ) {
    const found = await listUnusedMedia(db, { ...unused, limit: batchSize, ...(after && { after }) });
    after = found.at(-1);
    if (!after) return deleted;
    const mediaIds = found.map((media) => media.mediaId);
    const kept = keepProfiles
      ? await findProfilePictures(db, config.serverName, mediaIds)
      : new Set<string>();
    const removed = await removeMedia(
      context,
      mediaIds.filter((mediaId) => !kept.has(mediaId)),
    );
    deleted.push(...removed);
    await yieldToEventLoop();
  }
}

/** Deletes a page of what a user uploaded and gives the identifiers. */
export async function removeUserMedia(
  context: MediaContext,
  userId: string,
  { limit, ...page }: UserMediaQuery,
): Promise<string[]> {
  const deleted: string[] = [];
  while (deleted.length < limit) {
    const batch = Math.min(batchSize, limit - deleted.length);
    const found = await listUserMedia(context.db, userId, { ...page, limit: batch });
    if (found.length === 0) break;
    deleted.push(
      ...(await removeMedia(
        context,
        found.map((media) => media.mediaId),
      )),
    );
    await yieldToEventLoop();
  }
  return deleted;
}

/** Deletes what an earlier run of the server left on the disk. */
export async function sweepMedia(context: MediaContext): Promise<void> {
  const { db, config, clock } = context;
  makeDirectory(config.mediaStorePath, 0o700);
  await makeFolder(config.mediaStorePath);
  await removeAbandoned(
    config.mediaStorePath,
    clock.now(),
    async (mediaId) => (await findMedia(db, mediaId)) !== undefined,
  );
  for (;;) {
    const left = await listDeletedMedia(db, batchSize);
    if (left.length === 0) return;
    await removeFromDisk(context, left);
  }
}

async function removeFromDisk({ db, config }: MediaContext, mediaIds: readonly string[]): Promise<void> {
  await requireStore(config.mediaStorePath);
  for (const mediaId of mediaIds) await removeContent(config.mediaStorePath, mediaId);
  await forgetDeletedMedia(db, mediaIds);
}
