import { createHash, randomBytes } from 'node:crypto';
import { finished, type Readable, Transform } from 'node:stream';
import type { Config } from '../../platform/config/config.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { MatrixError } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction, type Tx } from '../../platform/database/transaction.ts';
import { addressOf } from './media-address.ts';
import { beginFiles, contentPath, removeContent, type UnfinishedFiles } from './media-files.ts';
import { findMedia, insertMedia } from './media-store.ts';
import { isContentQuarantined, recordChanges } from './quarantine-store.ts';

export type Upload = { userId: string; contentType: string; uploadName: string | null; content: Readable };
export type MediaContext = { db: Database; config: Config; clock: Clock };

/** Unguessable: legacy downloads need no access token. */
export const newMediaId = () => randomBytes(16).toString('hex');

/** The name of an upload's file before it is moved into place. */
const contentFile = 'content';

/**
 * Stores an upload and returns its MXC URI. Uploads with quarantined content are quarantined.
 *
 * @param claim checks, in the transaction that adds the upload, that the media ID may be used
 * @throws MatrixError 413 if it is too large, 400 if it is interrupted, 409 if the media ID is taken; errors of `claim`
 */
export async function storeUpload(
  { db, config, clock }: MediaContext,
  { content, ...upload }: Upload,
  mediaId = newMediaId(),
  claim: (tx: Tx) => Promise<void> = async () => {},
): Promise<string> {
  const { mediaStorePath } = config;
  const files = await beginFiles(mediaStorePath, mediaId);
  let received: ReceivedFile;
  try {
    received = await receive(files, content, config.maxUploadSize);
    // Before the commit: an upload that the database knows is on the disk.
    if (!(await files.claim(contentFile, contentPath(mediaStorePath, mediaId)))) throw alreadyUploaded();
  } catch (error) {
    await files.close();
    throw error;
  }
  try {
    await inTransaction(db, async (tx) => {
      await claim(tx);
      const quarantined = await isContentQuarantined(tx, received.sha256);
      await insertMedia(tx, {
        ...upload,
        ...received,
        mediaId,
        createdTs: clock.now(),
        quarantinedBy: quarantined ? 'system' : null,
        authenticated: config.enableAuthenticatedMedia,
      });
      if (quarantined) await recordChanges(tx, [{ media_id: mediaId }], true);
    });
  } catch (error) {
    // The commit may have succeeded although its reply was lost. If the query fails as well, the next start cleans up.
    if (!(await findMedia(db, mediaId))) await removeContent(mediaStorePath, mediaId);
    await files.close();
    throw error;
  }
  await files.close();
  return addressOf(config.serverName, mediaId);
}

type ReceivedFile = {
  /** In bytes. */
  size: number;
  /** In hexadecimal. */
  sha256: string;
};

/** @throws MatrixError 413, 400 */
async function receive(
  files: UnfinishedFiles,
  content: Readable,
  maximumSize: number,
): Promise<ReceivedFile> {
  const hash = createHash('sha256');
  let size = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      hash.update(chunk);
      done(size > maximumSize ? tooLarge() : null, chunk);
    },
  });
  // A request that was interrupted before it was read emits no error of its own.
  const unwatch = finished(content, (error) => void (error && measure.destroy(error)));
  try {
    await files.write(contentFile, content.pipe(measure));
  } catch (error) {
    // The rest of the body precedes the next request of the connection.
    content.resume();
    if (isInterrupted(error as NodeJS.ErrnoException)) throw interrupted();
    throw error;
  } finally {
    unwatch();
  }
  return { size, sha256: hash.digest('hex') };
}

const isInterrupted = ({ code }: NodeJS.ErrnoException) =>
  code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE';

const interrupted = () => new MatrixError(400, 'M_UNKNOWN', 'The upload was interrupted');
const tooLarge = () => new MatrixError(413, 'M_TOO_LARGE', 'Upload request body is too large');
export const alreadyUploaded = () =>
  new MatrixError(409, 'M_CANNOT_OVERWRITE_MEDIA', 'Media ID already has content');
