import { createHash, randomBytes } from 'node:crypto';
import { finished, type Readable, Transform } from 'node:stream';
import type { Config } from '../../platform/config/config.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { MatrixError } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { inTransaction, type Tx } from '../../platform/database/transaction.ts';
import { addressOf } from './media-address.ts';
import { contentPath, removeContent } from './media-files.ts';
import { findMedia, insertMedia } from './media-store.ts';
import { isContentQuarantined, recordChanges } from './quarantine-store.ts';
import { beginFiles, contentName, type UnfinishedFiles } from './unfinished-files.ts';

export type Upload = { userId: string; contentType: string; uploadName: string | null; content: Readable };
export type MediaContext = { db: Database; config: Config; clock: Clock };

/** A name that nobody guesses. */
export const newMediaId = () => randomBytes(16).toString('hex');

/**
 * Stores an upload and gives its `mxc:` address. What repeats quarantined content is quarantined from the
 * beginning.
 *
 * @throws MatrixError 413 where it is too large, 400 where it breaks off
 */
export function storeUpload(context: MediaContext, upload: Upload): Promise<string> {
  return storeUploadAs(context, newMediaId(), upload, async () => {});
}

/**
 * Stores an upload under an identifier that was chosen before.
 *
 * @param claim makes sure, in the transaction that adds the upload, that the identifier may be used
 * @throws MatrixError 413 where it is too large, 400 where it breaks off, 409 where another one has the
 *   identifier; what `claim` throws
 */
export async function storeUploadAs(
  { db, config, clock }: MediaContext,
  mediaId: string,
  { content, ...upload }: Upload,
  claim: (tx: Tx) => Promise<void>,
): Promise<string> {
  const { mediaStorePath } = config;
  const files = await beginFiles(mediaStorePath, mediaId);
  let received: Received;
  try {
    received = await receive(files, content, config.maxUploadSize);
    // Before the commit: what the database knows is on the disk.
    if (!(await files.claim(contentName, contentPath(mediaStorePath, mediaId)))) throw alreadyUploaded();
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
    // A commit may have happened though its answer was lost. Where the database can't tell, the next start
    // tidies up.
    if (!(await findMedia(db, mediaId))) await removeContent(mediaStorePath, mediaId);
    await files.close();
    throw error;
  }
  await files.close();
  return addressOf(config.serverName, mediaId);
}

type Received = {
  /** In bytes. */
  size: number;
  /** In hexadecimal. */
  sha256: string;
};

/** Writes an upload to the disk as it arrives. @throws MatrixError 413, 400 */
async function receive(files: UnfinishedFiles, content: Readable, maximumSize: number): Promise<Received> {
  const hash = createHash('sha256');
  let size = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      hash.update(chunk);
      done(size > maximumSize ? tooLarge() : null, chunk);
    },
  });
  // Unlike its error, this is told of a request that has broken off before anyone read it.
  const forget = finished(content, (error) => void (error && measure.destroy(error)));
  try {
    await files.write(contentName, content.pipe(measure));
  } catch (error) {
    // What is still to come of it stands before the next request of its connection, and has to be read.
    content.resume();
    if (isBrokenOff(error as NodeJS.ErrnoException)) throw brokenOff();
    throw error;
  } finally {
    forget();
  }
  return { size, sha256: hash.digest('hex') };
}

const isBrokenOff = ({ code }: NodeJS.ErrnoException) =>
  code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE';

const brokenOff = () => new MatrixError(400, 'M_UNKNOWN', 'The upload was interrupted');
const tooLarge = () => new MatrixError(413, 'M_TOO_LARGE', 'Upload request body is too large');
export const alreadyUploaded = () =>
  new MatrixError(409, 'M_CANNOT_OVERWRITE_MEDIA', 'Media ID already has content');
