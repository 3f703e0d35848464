/** Media IDs that clients use before the upload. Matrix specification, client-server API, "Asynchronous uploads". */
import { lockUntilCommit } from '../../platform/cluster/lock-until-commit.ts';
import type { Notifier } from '../../platform/concurrency/notifier.ts';
import { createWaiter } from '../../platform/concurrency/waiter.ts';
import { MatrixError, notFound } from '../../platform/core/matrix-error.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { addressOf } from './media-address.ts';
import { isUploading } from './media-files.ts';
import { findMedia, type Media } from './media-store.ts';
import {
  deleteExpiredPendingMedia,
  deletePendingMedia,
  findPendingMedia,
  insertPendingMedia,
  listPendingExpiries,
} from './pending-upload-store.ts';
import { alreadyUploaded, type MediaContext, newMediaId, storeUpload, type Upload } from './upload.ts';

/** How long a media ID waits for its upload, in milliseconds. */
const lifetime = 24 * 60 * 60 * 1000;
/** Pending uploads of one user. */
const maximumPending = 5;
/** How often a waiting download checks for its upload even without a notification, in milliseconds. */
const pollInterval = 1_000;

type PendingUpload = {
  contentUri: string;
  /** When an unused media ID expires, in milliseconds since the Unix epoch. */
  expiresTs: number;
};

/**
 * Reserves a media ID.
 *
 * @throws MatrixError 429 if too many uploads of the user are pending
 */
export async function createPendingUpload(
  { db, config, clock }: MediaContext,
  userId: string,
): Promise<PendingUpload> {
  const now = clock.now();
  const media = { mediaId: newMediaId(), userId, createdTs: now, expiresTs: now + lifetime };
  await inTransaction(db, async (tx) => {
    await lockUntilCommit(tx, 'pendingUploads');
    await deleteExpiredPendingMedia(tx, now);
    const expiries = await listPendingExpiries(tx, userId, now);
    if (expiries.length >= maximumPending) {
      throw new MatrixError(429, 'M_LIMIT_EXCEEDED', 'Too Many Requests', {
        retry_after_ms: (expiries[0] ?? now) - now,
      });
    }
    await insertPendingMedia(tx, media);
  });
  return { contentUri: addressOf(config.serverName, media.mediaId), expiresTs: media.expiresTs };
}

/**
 * Checks that a user may upload to a media ID, before anything is received.
 *
 * @throws MatrixError 404 for an unknown or expired address, 403 for someone else's, 409 for a used one
 */
export async function requirePendingUpload(
  { db, config, clock }: MediaContext,
  userId: string,
  serverName: string,
  mediaId: string,
): Promise<void> {
  if (serverName !== config.serverName) throw notFound('Non-local server name specified');
  // In this order, an upload that ends in between is found by the second query.
  const pending = await findPendingMedia(db, mediaId);
  const media = await findMedia(db, mediaId);
  if (media) throw media.userId === userId ? alreadyUploaded() : ofAnotherUser();
  if (!pending || pending.expiresTs <= clock.now()) throw unknownAddress();
  if (pending.userId !== userId) throw ofAnotherUser();
}

const ofAnotherUser = () =>
  new MatrixError(403, 'M_FORBIDDEN', 'Only the creator of the media ID can upload to it');

const unknownAddress = () => notFound('Unknown media ID');

/**
 * Stores a pending upload.
 *
 * @throws MatrixError 409 if another request was faster, 404 if it has expired, 413 if it is too large
 */
export async function storePendingUpload(
  context: MediaContext & { notifier: Notifier },
  mediaId: string,
  upload: Upload,
): Promise<void> {
  await storeUpload(context, upload, mediaId, async (tx) => {
    if (await deletePendingMedia(tx, mediaId)) return;
    throw (await findMedia(tx, mediaId)) ? alreadyUploaded() : unknownAddress();
  });
  context.notifier.wake('media', mediaId);
}

/**
 * Waits for an upload. An expired media ID still counts during an upload that started before.
 *
 * @throws MatrixError 504 `M_NOT_YET_UPLOADED` after the timeout, 404 `M_NOT_FOUND` if there will be no upload
 */
export async function waitForUpload(
  { db, config, clock, notifier }: MediaContext & { notifier: Notifier },
  mediaId: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Media> {
  const deadline = clock.now() + timeoutMs;
  const { wake, next } = createWaiter(clock);
  const unlisten = notifier.listen('media', (uploaded) => {
    if (uploaded === undefined || uploaded === mediaId) wake();
  });
  signal.addEventListener('abort', wake);
  try {
    for (;;) {
      const now = clock.now();
      // In this order, an upload that ends in between is found by the last query.
      const pending = await findPendingMedia(db, mediaId);
      const isExpected =
        pending && (pending.expiresTs > now || (await isUploading(config.mediaStorePath, mediaId, now)));
      const media = await findMedia(db, mediaId);
      if (media) return media;
      if (!isExpected) throw notFound('Not found');
      if (now >= deadline || signal.aborted) {
        throw new MatrixError(504, 'M_NOT_YET_UPLOADED', 'Media has not been uploaded yet');
      }
      await next(Math.min(pollInterval, deadline - now));
    }
  } finally {
    unlisten();
    signal.removeEventListener('abort', wake);
  }
}
