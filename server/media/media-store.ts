/** Uploads as files. Their names are random, so that no request can choose where one stands. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MatrixError } from '../http/matrix-error.ts';

const tooLarge = () => new MatrixError(413, 'M_TOO_LARGE', 'Upload request body is too large');

/** Where the content of an upload is: spread over folders, because there may be millions. */
const pathOf = (storePath: string, mediaId: string) =>
  join(storePath, mediaId.slice(0, 2), mediaId.slice(2, 4), mediaId.slice(4));

/**
 * Keeps the content of an upload and gives its size in bytes. Once it has returned the content is on the
 * disk, whatever happens to the process.
 *
 * @throws MatrixError 413 where it is larger than allowed; nothing is kept then
 */
export async function storeContent(
  storePath: string,
  mediaId: string,
  content: Readable,
  maximumSize: number,
): Promise<number> {
  const path = pathOf(storePath, mediaId);
  const unfinished = `${path}.part`;
  await mkdir(dirname(path), { recursive: true });
  try {
    let size = 0;
    await pipeline(
      content,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          size += chunk.length;
          if (size > maximumSize) throw tooLarge();
          yield chunk;
        }
      },
      createWriteStream(unfinished, { flush: true }),
    );
    await rename(unfinished, path);
    await syncDirectory(dirname(path));
    return size;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** A renamed file is safe from a power cut once its directory is on the disk, too. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export const readContent = (storePath: string, mediaId: string): Readable =>
  createReadStream(pathOf(storePath, mediaId));
