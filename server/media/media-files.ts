/** Uploads and their thumbnails as files. No request can choose where one stands. */
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MatrixError } from '../core/matrix-error.ts';

const brokenOff = () => new MatrixError(400, 'M_UNKNOWN', 'The upload broke off');
const tooLarge = () => new MatrixError(413, 'M_TOO_LARGE', 'Upload request body is too large');

/** How long what was left unfinished is kept, in milliseconds: another process may still be writing it. */
const unfinishedLifetime = 24 * 60 * 60 * 1000;

/** Spread over folders, because there may be millions. */
const spread = (mediaId: string) => [mediaId.slice(0, 2), mediaId.slice(2, 4), mediaId.slice(4)];
const unfinishedFolder = (storePath: string) => join(storePath, 'unfinished');

/** Where the content of an upload is. */
export const contentPath = (storePath: string, mediaId: string) => join(storePath, ...spread(mediaId));

const thumbnailFolder = (storePath: string, mediaId: string) =>
  join(storePath, 'thumbnails', ...spread(mediaId));

/** Where an upload's thumbnail of a size is. */
export const thumbnailPath = (storePath: string, mediaId: string, sizeName: string) =>
  join(thumbnailFolder(storePath, mediaId), sizeName);

/** What has arrived of an upload: on the disk as a whole, and nobody's yet. */
export type ReceivedContent = {
  /** In bytes. */
  size: number;
  /** In hexadecimal. */
  sha256: string;
  /** Makes it the content of this upload; it is there then whatever happens to the process. */
  place(mediaId: string): Promise<void>;
  /** Deletes it, also where it was placed. */
  discard(): Promise<void>;
};

/**
 * Writes an upload to the disk as it arrives.
 *
 * @throws MatrixError 413 where it is larger than allowed, 400 where it breaks off; nothing is kept then
 */
export async function receiveContent(
  storePath: string,
  content: Readable,
  maximumSize: number,
): Promise<ReceivedContent> {
  const hash = createHash('sha256');
  let size = 0;
  let path = await writeFile(storePath, content, (chunk) => {
    size += chunk.length;
    if (size > maximumSize) throw tooLarge();
    hash.update(chunk);
  });
  return {
    size,
    sha256: hash.digest('hex'),
    async place(mediaId) {
      const final = contentPath(storePath, mediaId);
      await moveFile(path, final);
      path = final;
    },
    discard: () => rm(path, { force: true }),
  };
}

/** Keeps a thumbnail, in place of an earlier one. */
export async function storeThumbnail(
  storePath: string,
  mediaId: string,
  sizeName: string,
  picture: Uint8Array,
): Promise<void> {
  const unfinished = await writeFile(storePath, Readable.from([picture]));
  await moveFile(unfinished, thumbnailPath(storePath, mediaId, sizeName));
}

/** Writes a file that has no name of its own yet and gives its path; it is on the disk as a whole then. */
async function writeFile(
  storePath: string,
  content: Readable,
  inspect: (chunk: Buffer) => void = () => {},
): Promise<string> {
  await mkdir(unfinishedFolder(storePath), { recursive: true });
  const path = join(unfinishedFolder(storePath), randomUUID());
  try {
    await pipeline(
      content,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          inspect(chunk);
          yield chunk;
        }
      },
      createWriteStream(path, { flush: true }),
    );
    return path;
  } catch (error) {
    await rm(path, { force: true });
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') throw brokenOff();
    throw error;
  }
}

async function moveFile(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to);
  await syncDirectory(dirname(to));
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

/** Opens a file of the store; undefined where it is gone. */
export async function openFile(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Deletes what is kept of an upload, its thumbnails too; fine where there is nothing. */
export async function removeContent(storePath: string, mediaId: string): Promise<void> {
  await rm(thumbnailFolder(storePath, mediaId), { recursive: true, force: true });
  await rm(contentPath(storePath, mediaId), { force: true });
}

/** Deletes what uploads that broke off with their process have left. `now` is in milliseconds. */
export async function removeUnfinished(storePath: string, now: number): Promise<void> {
  const folder = unfinishedFolder(storePath);
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    if (mtimeMs < now - unfinishedLifetime) await rm(path, { force: true });
  }
}
