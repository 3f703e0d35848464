/** Several programs on one data directory during a restore: only one may use it, and no work is lost. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { restoreBackup } from '../../../server/administration/backup/restore-backup.ts';
import { writeBackup } from '../../../server/administration/backup/write-backup.ts';
import { openServices } from '../../../server/app/services.ts';
import { claimDirectory, shareDirectory } from '../../../server/platform/cluster/claim.ts';
import { loadConfig } from '../../../server/platform/config/load.ts';
import { ending, gatehouse, serve } from '../gatehouse.ts';
import { startHomeserver } from '../homeserver.ts';
import { filesOf } from '../kill-at-each-write.ts';

const bin = join(import.meta.dirname, '../../../bin/gatehouse.js');
const killer = pathToFileURL(join(import.meta.dirname, '../kill-at.ts')).href;
let directory: string;
const archives: string[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-beside-others-'));
  for (const name of ['one', 'other']) {
    const homeserver = await startHomeserver();
    await put(join(homeserver.config.mediaStorePath, 'aa', 'bb', name), name);
    const archive = join(directory, `${name}.tar`);
    await writeBackup(homeserver.config, createWriteStream(archive));
    archives.push(archive);
    await homeserver.remove();
  }
});
afterAll(() => rm(directory, { recursive: true }));

async function put(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

test('of two simultaneous restores, one or none succeeds, completely', async () => {
  const whole = await Promise.all(
    archives.map(async (archive, number) => {
      const dataDir = join(directory, `whole-${number}`);
      await restoreBackup(archive, { dataDir });
      return filesOf(dataDir);
    }),
  );
  for (const round of [1, 2, 3]) {
    const dataDir = join(directory, `both-${round}`);
    const outcomes = await Promise.allSettled(archives.map((archive) => restoreBackup(archive, { dataDir })));
    const restored = outcomes.findIndex(({ status }) => status === 'fulfilled');
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeLessThan(2);
    expect(await filesOf(dataDir)).toEqual(whole[restored] ?? {});
  }
});

test('a directory in use by a server accepts no restore, even if empty', async () => {
  const dataDir = join(directory, 'served');
  const elsewhere = join(directory, 'elsewhere');
  const file = join(directory, 'elsewhere.yaml');
  await writeFile(
    file,
    JSON.stringify({
      signing_key_path: join(elsewhere, 'key'),
      media_store_path: join(elsewhere, 'media'),
      database: { name: 'sqlite3', args: { database: join(elsewhere, 'homeserver.db') } },
    }),
  );
  const served = await serve('--data-dir', dataDir, '--config', file);
  expect(await gatehouse('restore', archives[0] ?? '', '--data-dir', dataDir)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('is in use by'),
  });
  await served.end('SIGTERM');
});

/** Runs a command that pauses before the first call of a function for a path with this prefix. */
function heldBefore(call: 'createWriteStream' | 'openSync', path: string, ...args: string[]) {
  const child = spawn(process.execPath, ['--import', killer, bin, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, KILL_BELOW: path, KILL_BEFORE: call, KILL_AT: '1', KILL_OR_HOLD: 'hold' },
  });
  const lead = child.stdio[3] as Duplex;
  const ended = ending(child);
  lead.on('error', () => {});
  return {
    /** Resolves when it pauses or exits. */
    held: Promise.race([once(lead, 'data'), ended]),
    goOn() {
      lead.write('.');
      return ended;
    },
  };
}

test('a program that works on data keeps a restore away without hindering it', async () => {
  const dataDir = join(directory, 'begun');
  const database = join(dataDir, 'homeserver.db');
  const user = ['users', 'add', 'someone', '--password', 'a password', '--data-dir', dataDir];
  const adding = heldBefore('openSync', database, ...user);
  await adding.held;
  const restoring = heldBefore(
    'createWriteStream',
    dataDir,
    ...['restore', archives[0] ?? '', '--data-dir', dataDir],
  );
  await restoring.held;
  const added = await adding.goOn();
  expect(await restoring.goOn()).toMatchObject({ code: 1, errors: expect.stringContaining('is in use by') });
  expect(added).toMatchObject({ code: 0, output: 'Created @someone:localhost\n' });
  expect(await gatehouse(...user)).toMatchObject({ code: 1, errors: expect.stringContaining('taken') });
});

test('a program that arrives during a restore finds and creates nothing', async () => {
  const dataDir = join(directory, 'late-comer');
  const restoring = heldBefore(
    'createWriteStream',
    dataDir,
    ...['restore', archives[0] ?? '', '--data-dir', dataDir],
  );
  await restoring.held;
  expect(() => shareDirectory(dataDir)).toThrow('is replacing the data');
  expect(await restoring.goOn()).toMatchObject({ code: 0 });
  const mine = shareDirectory(dataDir);
  await shareDirectory(dataDir).release();
  expect(await claimDirectory(dataDir)).toBeUndefined();
  await mine.release();
  await (await claimDirectory(dataDir))?.release();
});

test('a program that opened data while being replaced writes nothing to it', async () => {
  const dataDir = join(directory, 'opened', 'data');
  await mkdir(join(dataDir, 'pending-change'), { recursive: true });
  const config = await loadConfig({ dataDir });
  await expect(openServices(config)).rejects.toThrow('is replacing the data');
  expect(await readdir(dataDir)).toEqual(['pending-change']);
});
