import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction, type Tx } from '../database/transaction.ts';
import { receiveContent } from './media-files.ts';
import { insertMedia } from './media-store.ts';
import { isContentQuarantined, recordChanges } from './quarantine-store.ts';

export type Upload = { userId: string; contentType: string; uploadName: string | null; content: Readable };
export type MediaContext = { db: Database; config: Config; clock: Clock };

/** A name that nobody guesses. */
export const newMediaId = () => randomBytes(16).toString('hex');

/** The address under which clients know an upload. */
export const addressOf = (serverName: string, mediaId: string) => `mxc://${serverName}/${mediaId}`;

/**
 * Stores an upload and gives its `mxc:` address. What repeats quarantined content is quarantined from the
 * beginning.
 *
 * @throws MatrixError 413 where it is too large
 */
export function storeUpload(services: MediaContext, upload: Upload): Promise<string> {
  return storeUploadAs(services, newMediaId(), upload, async () => {});
}

/**
 * Stores an upload under an identifier that was chosen before.
 *
 * @param claim makes sure, in the transaction that adds the upload, that the identifier may be used
 * @throws MatrixError 413 where it is too large; what `claim` throws
 */
export async function storeUploadAs(
  { db, config, clock }: MediaContext,
  mediaId: string,
  { content, ...upload }: Upload,
  claim: (tx: Tx) => Promise<void>,
): Promise<string> {
  const received = await receiveContent(config.mediaStorePath, content, config.maxUploadSize);
  const { size, sha256 } = received;
  try {
    await inTransaction(db, async (tx) => {
      await claim(tx);
      const quarantined = await isContentQuarantined(tx, sha256);
      await insertMedia(tx, {
        ...upload,
        mediaId,
        size,
        sha256,
        createdTs: clock.now(),
        quarantinedBy: quarantined ? 'system' : null,
        authenticated: config.enableAuthenticatedMedia,
      });
      if (quarantined) await recordChanges(tx, [{ media_id: mediaId }], true);
      // Before the commit: what the database knows is on the disk.
      await received.place(mediaId);
    });
  } catch (error) {
    await received.discard();
    throw error;
  }
  return addressOf(config.serverName, mediaId);
}
