/**
 * Files of the media store: uploads, their thumbnails, and files in progress. A file in progress is in a folder that
 * names its media ID and the process that writes it, until the database knows the upload: after a crash, the next start
 * deletes it. Paths contain no part of a request.
 */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isAnotherRunning } from '../../platform/core/process.ts';

/** Spread over folders: there may be millions. */
const spread = (mediaId: string) => [mediaId.slice(0, 2), mediaId.slice(2, 4), mediaId.slice(4)];

export const contentPath = (storePath: string, mediaId: string) => join(storePath, ...spread(mediaId));

export const thumbnailFolder = (storePath: string, mediaId: string) =>
  join(storePath, 'thumbnails', ...spread(mediaId));

const unfinishedFolder = (storePath: string) => join(storePath, 'unfinished');

/**
 * Creates the store at a start. If it disappears later, its disk has, and files written in its place would be lost when
 * the disk returns.
 */
export const createStore = (storePath: string) => createFolder(unfinishedFolder(storePath));

/** @throws a file system error if the store is gone */
export const requireStore = async (storePath: string): Promise<void> =>
  void (await stat(unfinishedFolder(storePath)));

/** Returns undefined if the file doesn't exist. @throws a file system error if the store is gone */
export async function openFile(storePath: string, path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await requireStore(storePath);
    return undefined;
  }
}

/** Deletes an upload's content and thumbnails, if they exist. */
export async function removeContent(storePath: string, mediaId: string): Promise<void> {
  // Thumbnails may still be written to the folder.
  const retry = { maxRetries: 10, retryDelay: 10 };
  await rm(thumbnailFolder(storePath, mediaId), { recursive: true, force: true, ...retry });
  await rm(contentPath(storePath, mediaId), { force: true });
}

/** Creates a folder, with its parents, that only this user can read. */
export async function createFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

/** A name survives a power failure only after its folder is synced. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The process that writes a file: host, PID, and a random part because PIDs are reused. */
const host = encodeURIComponent(hostname());
const thisProcess = `${host}.${process.pid}.${randomUUID()}`;

/** Age at which files in progress count as abandoned if their process is on another host, in milliseconds. */
const lifetime = 24 * 60 * 60 * 1000;

export type UnfinishedFiles = {
  /** Writes and syncs a file. */
  write(name: string, content: Readable | Uint8Array): Promise<void>;
  /** Moves a file to a free path and syncs it. Returns false if the path is taken. */
  claim(name: string, path: string): Promise<boolean>;
  /** Moves a file to a path and syncs it, replacing an existing one. */
  replace(name: string, path: string): Promise<void>;
  /** Deletes the files that weren't moved. */
  close(): Promise<void>;
};

/** Starts writing files of an upload. @throws a file system error if the store is gone */
export async function beginFiles(storePath: string, mediaId: string): Promise<UnfinishedFiles> {
  const folder = join(unfinishedFolder(storePath), `${mediaId}.${randomUUID()}.${thisProcess}`);
  await mkdir(folder, { mode: 0o700 });
  await syncFolder(dirname(folder));
  const move = async (name: string, path: string) => {
    await rename(join(folder, name), path);
    await syncFolder(dirname(path));
  };
  return {
    async write(name, content) {
      const source = content instanceof Readable ? content : Readable.from([content]);
      const file = createWriteStream(join(folder, name), { flush: true, mode: 0o600 });
      await pipeline(source, file);
    },
    async claim(name, path) {
      await createFolder(dirname(path));
      // Not a hard link: some file systems have none.
      if (!(await createEmpty(path))) return false;
      try {
        await move(name, path);
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
      return true;
    },
    async replace(name, path) {
      await createFolder(dirname(path));
      await move(name, path);
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

async function createEmpty(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Returns whether an upload is being written by any process.
 *
 * @param now in milliseconds since the Unix epoch
 */
export async function isUploading(storePath: string, mediaId: string, now: number): Promise<boolean> {
  for (const name of await readdir(unfinishedFolder(storePath))) {
    if (parseName(name).mediaId === mediaId && !(await isAbandoned(storePath, name, now))) return true;
  }
  return false;
}

function parseName(name: string): { mediaId?: string; writer?: string } {
  const [, mediaId, writer] = /^([^.]+)\.[^.]+\.(.+)$/.exec(name) ?? [];
  return { mediaId, writer };
}

/**
 * Deletes files of ended processes.
 *
 * @param now in milliseconds since the Unix epoch
 * @param isStored whether the database knows an upload; its files stay
 */
export async function removeAbandoned(
  storePath: string,
  now: number,
  isStored: (mediaId: string) => Promise<boolean>,
): Promise<void> {
  await createStore(storePath);
  for (const name of await readdir(unfinishedFolder(storePath))) {
    if (!(await isAbandoned(storePath, name, now))) continue;
    const { mediaId } = parseName(name);
    if (mediaId) {
      // In this order, an upload that another process finishes in between is found by the second check.
      if (await isUploading(storePath, mediaId, now)) continue;
      if (!(await isStored(mediaId))) await removeContent(storePath, mediaId);
    }
    await rm(join(unfinishedFolder(storePath), name), { recursive: true, force: true });
  }
}

async function isAbandoned(storePath: string, name: string, now: number): Promise<boolean> {
  const { writer } = parseName(name);
  if (writer === thisProcess) return false;
  const [, writerHost, pid] = /^(.+)\.(\d+)\.[\w-]+$/.exec(writer ?? '') ?? [];
  if (writerHost === host && !isAnotherRunning(Number(pid))) return true;
  try {
    return (await stat(join(unfinishedFolder(storePath), name))).mtimeMs < now - lifetime;
  } catch (error) {
    // Another process has deleted it.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
