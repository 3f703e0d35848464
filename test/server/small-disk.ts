import { execFileSync } from 'node:child_process';
import { appendFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { isRunning } from '../../server/platform/core/process.ts';

/**
 * Creates a disk that a test can fill. It's removed after the test, even a failed one. Returns undefined without
 * permission to mount.
 *
 * @param size size in bytes
 */
export async function makeSmallDisk(size: number) {
  await removeAbandoned();
  const directory = await mkdtemp(join(tmpdir(), `gatehouse-disk-${process.pid}-`));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'tmpfs', directory], {
      stdio: 'ignore',
    });
  } catch {
    await rm(directory, { recursive: true });
    return undefined;
  }
  onTestFinished(() => remove(directory));
  const ballast = join(directory, 'ballast');
  return {
    directory,
    fill: () =>
      appendFile(ballast, Buffer.alloc(size)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOSPC') throw error;
      }),
    empty: () => rm(ballast),
    /** Mounts it read-write or read-only. */
    setWritable(isWritable: boolean) {
      execFileSync('mount', ['-o', `remount,${isWritable ? 'rw' : 'ro'}`, directory]);
    },
  };
}

async function remove(directory: string): Promise<void> {
  execFileSync('umount', ['--lazy', directory]);
  await rm(directory, { recursive: true });
}

/** Removes the disks of tests whose process was killed. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = /^gatehouse-disk-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    // Another test may remove it first.
    await remove(join(tmpdir(), name)).catch(() => {});
  }
}
