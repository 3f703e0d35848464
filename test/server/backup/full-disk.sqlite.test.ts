import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gatehouse } from '../gatehouse.ts';
import { makeSmallDisk } from '../small-disk.ts';

test('a restore that runs out of disk space names the disk and leaves nothing', async ({ skip }) => {
  // Too small for an empty database.
  const disk = await makeSmallDisk(512 * 1024);
  if (!disk) return skip('only root can make a disk that is small enough to fill');
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-backup-'));
  const archive = join(directory, 'backup.tar');
  const source = ['--data-dir', join(directory, 'data')];
  const target = join(disk.directory, 'restored');
  expect(await gatehouse('users', 'add', 'ada', '--password', 'a password', ...source)).toMatchObject({
    code: 0,
  });
  expect(await gatehouse('backup', archive, ...source)).toMatchObject({ code: 0 });

  const { code, errors } = await gatehouse('restore', archive, '--data-dir', target);

  expect({ code, errors }).toEqual({
    code: 1,
    errors: `gatehouse: --data-dir: not enough disk space in ${target} for the backup; the unfinished restore was deleted; free up space or choose a directory on another disk\n`,
  });
  expect(await readdir(disk.directory)).toEqual([]);
  await rm(directory, { recursive: true });
});

test('a backup that runs out of disk space names the disk and leaves nothing', async ({ skip }) => {
  const disk = await makeSmallDisk(512 * 1024);
  if (!disk) return skip('only root can make a disk that is small enough to fill');
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-backup-'));
  const source = ['--data-dir', join(directory, 'data')];
  await gatehouse('users', 'add', 'ada', '--password', 'a password', ...source);
  const archive = join(disk.directory, 'backup.tar');

  const { code, errors } = await gatehouse('backup', archive, ...source);

  expect({ code, errors }).toEqual({
    code: 1,
    errors: `gatehouse: ${archive}: not enough disk space for the backup; the unfinished file was deleted; free up space or choose a file on another disk\n`,
  });
  expect(await readdir(disk.directory)).toEqual([]);
  await rm(directory, { recursive: true });
});
