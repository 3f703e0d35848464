import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Services } from '../services.ts';
import { insertMedia } from '../storage/media.ts';
import { storeContent } from './media-store.ts';

export type Upload = { userId: string; contentType: string; uploadName: string | null; content: Readable };

/**
 * Stores an upload and gives its `mxc:` address.
 *
 * @throws MatrixError 413 where it is too large
 */
export async function storeUpload(
  { db, config, clock }: Pick<Services, 'db' | 'config' | 'clock'>,
  { content, ...upload }: Upload,
): Promise<string> {
  const mediaId = randomBytes(16).toString('hex');
  const size = await storeContent(config.mediaStorePath, mediaId, content, config.maxUploadSize);
  await insertMedia(db, { ...upload, mediaId, size, createdTs: clock.now() });
  return `mxc://${config.serverName}/${mediaId}`;
}
