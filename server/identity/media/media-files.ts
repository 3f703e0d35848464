/** Where uploads and their thumbnails are on the disk. No request can choose where one stands. */
import { type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Spread over folders, because there may be millions. */
const spread = (mediaId: string) => [mediaId.slice(0, 2), mediaId.slice(2, 4), mediaId.slice(4)];

/** Where the content of an upload is. */
export const contentPath = (storePath: string, mediaId: string) => join(storePath, ...spread(mediaId));

/** Where an upload's thumbnails are. */
export const thumbnailFolder = (storePath: string, mediaId: string) =>
  join(storePath, 'thumbnails', ...spread(mediaId));

/** Where uploads are until they are whole. It is there for as long as the store is. */
export const unfinishedFolder = (storePath: string) => join(storePath, 'unfinished');

/**
 * Makes the store where it is missing, which is for a start alone: one that goes later is on a disk that went, and what
 * would be kept in its place is lost when that comes back.
 */
export const makeStore = (storePath: string) => makeFolder(unfinishedFolder(storePath));

/** @throws an error of the disk where the store is gone */
export const requireStore = async (storePath: string): Promise<void> =>
  void (await stat(unfinishedFolder(storePath)));

/** Opens a file of the store; undefined where it is gone. @throws an error of the disk where the whole store is */
export async function openFile(storePath: string, path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await requireStore(storePath);
    return undefined;
  }
}

/** Deletes what is kept of an upload, its thumbnails too; fine where there is nothing. */
export async function removeContent(storePath: string, mediaId: string): Promise<void> {
  // Thumbnails that are just being made may still come into the folder.
  const again = { maxRetries: 10, retryDelay: 10 };
  await rm(thumbnailFolder(storePath, mediaId), { recursive: true, force: true, ...again });
  await rm(contentPath(storePath, mediaId), { force: true });
}

/** Makes a folder that nobody else can look into, with those above it. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

/** A name in a folder is safe from a power cut once the folder is on the disk, too. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
