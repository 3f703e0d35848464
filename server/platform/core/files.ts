import { existsSync, mkdirSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname } from 'node:path';

/**
 * Makes a directory, and those above it, where they are missing; gives the first that it made. Node's own way tries for
 * ever where a directory is there and takes none, as `/proc` does: the first missing one is made by itself.
 *
 * @throws what the system says, of this directory
 */
export function makeDirectory(directory: string, mode: number): string | undefined {
  if (existsSync(directory)) return mkdirSync(directory, { recursive: true, mode });
  let missing = directory;
  while (!existsSync(dirname(missing))) missing = dirname(missing);
  try {
    mkdirSync(missing, { mode });
  } catch (error) {
    // Another process may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw Object.assign(error as Error, { path: directory });
  }
  mkdirSync(directory, { recursive: true, mode });
  return missing;
}

/** What systems say of their disks. */

/** Whether nothing more can be written until somebody makes room: the disk is full, or a quota is used up. */
export function isNoRoom(error: unknown): boolean {
  const { code, errno } = error as NodeJS.ErrnoException;
  // Node has no name for the second.
  return code === 'ENOSPC' || (errno !== undefined && -errno === constants.errno.EDQUOT);
}

/** Whether a disk can't be used for now: it takes no writes, has broken off, or is not this server's to read or write. */
export function isDiskAway(error: unknown): boolean {
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  // Node says so of what is on a disk that is gone, and of folders on one that takes no writes.
  return away.has(code) || (code === 'ENOENT' && uses.has(syscall));
}

const uses = new Set(['mkdir', 'stat', 'open', 'scandir', 'link', 'rename']);
const away = new Set(['EROFS', 'EACCES', 'EIO', 'ESTALE', 'ENOTDIR', 'EMFILE', 'ENFILE']);

/** Whether a link can't be made because the file system has none, as FAT and some network and cloud disks. */
export const isWithoutLinks = (error: unknown): boolean =>
  noLinks.has((error as NodeJS.ErrnoException).code ?? '');

const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);
