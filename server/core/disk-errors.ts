/** What systems say of their disks. */
import { constants } from 'node:os';

/** Whether nothing more can be written until somebody makes room: the disk is full, or a quota is used up. */
export function isNoRoom(error: unknown): boolean {
  const { code, errno } = error as NodeJS.ErrnoException;
  // Node has no name for the second.
  return code === 'ENOSPC' || (errno !== undefined && -errno === constants.errno.EDQUOT);
}

/** Whether a link can't be made because the file system has none, as FAT and some network and cloud disks. */
export const isWithoutLinks = (error: unknown): boolean =>
  noLinks.has((error as NodeJS.ErrnoException).code ?? '');

const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);
