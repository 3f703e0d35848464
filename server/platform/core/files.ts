/** Directories, and the meaning of file system errors. */
import { existsSync, mkdirSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname } from 'node:path';

/**
 * Creates a directory and its missing parents. Returns the topmost one that it created.
 *
 * @throws a system error whose `path` is this directory
 */
export function createDirectory(directory: string, mode: number): string | undefined {
  if (existsSync(directory)) return mkdirSync(directory, { recursive: true, mode });
  // Creates the topmost one on its own: Node's recursive mkdir never ends in a directory that allows none, like `/proc`.
  let missing = directory;
  while (!existsSync(dirname(missing))) missing = dirname(missing);
  try {
    mkdirSync(missing, { mode });
  } catch (error) {
    // Another process may have created it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw Object.assign(error as Error, { path: directory });
  }
  mkdirSync(directory, { recursive: true, mode });
  return missing;
}

/** Whether the disk is full or a quota is used up. */
export function isNoRoom(error: unknown): boolean {
  const { code, errno } = error as NodeJS.ErrnoException;
  // Node has no code for EDQUOT.
  return code === 'ENOSPC' || (errno !== undefined && -errno === constants.errno.EDQUOT);
}

/** Whether a disk is unavailable: read-only, disconnected, or without permission. */
export function isDiskAway(error: unknown): boolean {
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  // ENOENT is the error for files on a disk that was unmounted, and for directories on a read-only one.
  return unavailable.has(code) || (code === 'ENOENT' && missingPath.has(syscall));
}

const missingPath = new Set(['mkdir', 'stat', 'open', 'scandir', 'link', 'rename']);
const unavailable = new Set(['EROFS', 'EACCES', 'EIO', 'ESTALE', 'ENOTDIR', 'EMFILE', 'ENFILE']);

/** Whether the file system doesn't support hard links, like FAT and some network and cloud disks. */
export const isWithoutLinks = (error: unknown): boolean =>
  noLinks.has((error as NodeJS.ErrnoException).code ?? '');

const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);
