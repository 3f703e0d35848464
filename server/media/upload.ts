import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Transaction } from 'kysely';
import type { Services } from '../services.ts';
import { insertMedia } from '../storage/media.ts';
import { isContentQuarantined, recordChanges } from '../storage/media-quarantine.ts';
import type { Schema } from '../storage/schema.ts';
import { receiveContent } from './media-store.ts';

export type Upload = { userId: string; contentType: string; uploadName: string | null; content: Readable };
export type MediaServices = Pick<Services, 'db' | 'config' | 'clock'>;

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
export function storeUpload(services: MediaServices, upload: Upload): Promise<string> {
  return storeUploadAs(services, newMediaId(), upload, async () => {});
}

/**
 * Stores an upload under an identifier that was chosen before.
 *
 * @param claim makes sure, in the transaction that adds the upload, that the identifier may be used
 * @throws MatrixError 413 where it is too large; what `claim` throws
 */
export async function storeUploadAs(
  { db, config, clock }: MediaServices,
  mediaId: string,
  { content, ...upload }: Upload,
  claim: (transaction: Transaction<Schema>) => Promise<void>,
): Promise<string> {
  const received = await receiveContent(config.mediaStorePath, content, config.maxUploadSize);
  const { size, sha256 } = received;
  try {
    await db.transaction().execute(async (transaction) => {
      await claim(transaction);
      const quarantined = await isContentQuarantined(transaction, sha256);
      await insertMedia(transaction, {
        ...upload,
        mediaId,
        size,
        sha256,
        createdTs: clock.now(),
        quarantinedBy: quarantined ? 'system' : null,
        authenticated: config.enableAuthenticatedMedia,
      });
      if (quarantined) await recordChanges(transaction, [{ media_id: mediaId }], true);
      // Before the commit: what the database knows is on the disk.
      await received.place(mediaId);
    });
  } catch (error) {
    await received.discard();
    throw error;
  }
  return addressOf(config.serverName, mediaId);
}
