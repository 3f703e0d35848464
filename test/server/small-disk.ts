import { execFileSync } from 'node:child_process';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A disk so small that a test can fill it. Undefined where this user may not make one.
 *
 * @param size in bytes
 */
export async function makeSmallDisk(size: number) {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'tmpfs', directory], {
      stdio: 'ignore',
    });
  } catch {
    await rm(directory, { recursive: true });
    return undefined;
  }
  const ballast = join(directory, 'ballast');
  return {
    directory,
    fill: () =>
      appendFile(ballast, Buffer.alloc(size)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOSPC') throw error;
      }),
    empty: () => rm(ballast),
    /** Whether it takes any writes at all. */
    setWritable(isWritable: boolean) {
      execFileSync('mount', ['-o', `remount,${isWritable ? 'rw' : 'ro'}`, directory]);
    },
    async remove() {
      execFileSync('umount', ['--lazy', directory]);
      await rm(directory, { recursive: true });
    },
  };
}
