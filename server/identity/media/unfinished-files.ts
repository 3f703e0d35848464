/**
 * Files on their way into the store. Each stands in a folder of its own, named for its media, until the database
 * knows of it: what a crash leaves there tells the next start what to tidy up.
 */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isWithoutLinks } from '../../platform/core/files.ts';
import { isAnotherRunning } from '../../platform/core/process.ts';
import {
  contentPath,
  makeFolder,
  makeStore,
  syncFolder,
  thumbnailFolder,
  unfinishedFolder,
} from './media-files.ts';

/** How long what another machine may still be writing is left alone, in milliseconds. */
const lifetime = 24 * 60 * 60 * 1000;

/** Who is writing: machine, process, and which run, as the numbers of processes come again. */
const machine = encodeURIComponent(hostname());
const thisRun = `${machine}.${process.pid}.${randomUUID()}`;

/** What the file is called that becomes the content of an upload. */
export const contentName = 'content';
/** Stands beside it where the place in the store was taken before the content was moved there. */
const takenName = 'taken';

export type UnfinishedFiles = {
  /** Writes a file; it is on the disk as a whole then. */
  write(name: string, content: Readable | Uint8Array): Promise<void>;
  /** Gives a file a place in the store, durably; false where something stands there already. */
  claim(name: string, place: string): Promise<boolean>;
  /** Gives a file a place in the store, durably and instead of what stands there. */
  replace(name: string, place: string): Promise<void>;
  /** Nothing more comes of them: deletes what has no place. */
  close(): Promise<void>;
};

/** Begins files that belong to an upload. @throws an error of the disk where the store is gone */
export async function beginFiles(storePath: string, mediaId: string): Promise<UnfinishedFiles> {
  const folder = join(unfinishedFolder(storePath), `${mediaId}.${randomUUID()}.${thisRun}`);
  await mkdir(folder, { mode: 0o700 });
  await syncFolder(dirname(folder));
  return {
    async write(name, content) {
      const source = content instanceof Readable ? content : Readable.from([content]);
      const file = createWriteStream(join(folder, name), { flush: true, mode: 0o600 });
      await pipeline(source, file);
    },
    async claim(name, place) {
      await makeFolder(dirname(place));
      if (!(await linkOrMove(folder, name, place))) return false;
      await syncFolder(dirname(place));
      return true;
    },
    async replace(name, place) {
      await makeFolder(dirname(place));
      await rename(join(folder, name), place);
      await syncFolder(dirname(place));
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Whether an upload is being written, by this process or another one that is not known to have ended. */
export async function isUnderway(storePath: string, mediaId: string): Promise<boolean> {
  const names = await readdir(unfinishedFolder(storePath));
  return names.some((name) => {
    const { of, run } = partsOf(name);
    return of === mediaId && run !== undefined && !hasEnded(run);
  });
}

/** What a folder's name says: to which upload it belongs, and who writes to it. */
function partsOf(name: string): { of?: string; run?: string } {
  const [, of, run] = /^([^.]+)\.[^.]+\.(.+)$/.exec(name) ?? [];
  return { of, run };
}

/** False where something stands at the place already. */
async function linkOrMove(folder: string, name: string, place: string): Promise<boolean> {
  try {
    await link(join(folder, name), place);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    if (!isWithoutLinks(error)) throw error;
  }
  // What is moved can't be told from what another upload has put there: the next start has to be told.
  const taken = await open(join(folder, takenName), 'w', 0o600);
  await taken.close();
  await syncFolder(folder);
  try {
    const empty = await open(place, 'wx', 0o600);
    await empty.close();
  } catch (error) {
    await rm(join(folder, takenName));
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  await rename(join(folder, name), place);
  return true;
}

/**
 * Tidies up what processes that are gone have left.
 *
 * @param now in milliseconds
 * @param isKnown whether the database knows of an upload: what it knows stays
 */
export async function removeAbandoned(
  storePath: string,
  now: number,
  isKnown: (mediaId: string) => Promise<boolean>,
): Promise<void> {
  const unfinished = unfinishedFolder(storePath);
  await makeStore(storePath);
  for (const name of await readdir(unfinished)) {
    const folder = join(unfinished, name);
    const { of: mediaId, run } = partsOf(name);
    const abandoned = (run && hasEnded(run)) || (await isOlder(folder, now - lifetime));
    if (!abandoned) continue;
    if (mediaId && !(await isKnown(mediaId))) await removePlaced(storePath, mediaId, folder);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether a folder was last changed before a time; not where another process has tidied it up meanwhile. */
async function isOlder(folder: string, time: number): Promise<boolean> {
  try {
    return (await stat(folder)).mtimeMs < time;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Deletes what an unfinished file was to be in the store, if it is there; what another one was to be stays. */
async function removePlaced(storePath: string, mediaId: string, folder: string): Promise<void> {
  await rm(thumbnailFolder(storePath, mediaId), { recursive: true, force: true });
  const place = contentPath(storePath, mediaId);
  const [own, taken, placed] = await Promise.all(
    [join(folder, contentName), join(folder, takenName), place].map((path) =>
      stat(path).catch(() => undefined),
    ),
  );
  if (placed && (taken || own?.ino === placed.ino)) await rm(place, { force: true });
}

/** Whether the process whose files these are has surely ended; of those on other machines nobody knows. */
function hasEnded(run: string): boolean {
  const [, where, pid] = /^(.+)\.(\d+)\.[\w-]+$/.exec(run) ?? [];
  if (where !== machine || run === thisRun) return false;
  return !isAnotherRunning(Number(pid));
}
