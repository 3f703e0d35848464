/** What systems say of their disks. */
import { constants } from 'node:os';

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
