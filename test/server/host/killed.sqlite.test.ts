/** A program killed while it replaces a server's data: the next one finds the previous data or the new data. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settleData, uploadPath } from '../../../server/administration/backup/pending-change.ts';
import { writeBackup } from '../../../server/administration/backup/write-backup.ts';
import { previousData } from '../../../server/administration/host/replace-data.ts';
import { claimDirectory } from '../../../server/platform/cluster/claim.ts';
import { isMatrix } from '../../matrix.ts';
import { startHomeserver } from '../homeserver.ts';
import { filesOf, killedEverywhere } from '../kill-at-each-write.ts';

let directory: string;
let archive: string;
let place: string;
const program = join(import.meta.dirname, 'exchange-once.ts');
const settings = 'server_name: localhost\n';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-killed-host-'));
  const homeserver = await startHomeserver();
  archive = join(directory, 'backup.tar');
  await writeBackup(homeserver.config, createWriteStream(archive));
  await homeserver.remove();
  place = join(directory, 'before');
  await mkdir(join(place, 'media'), { recursive: true });
  await writeFile(join(place, 'homeserver.yaml'), settings);
  await writeFile(join(place, 'homeserver.db'), 'what was there before');
  await writeFile(join(place, 'media', 'picture'), 'a picture');
});
afterAll(() => rm(directory, { recursive: true }));

const note = 'previous-data.json';
const kept = (dataDir: string) => `${dataDir}-kept`;

test.each([
  ['restore', () => archive, 'homeserver.db'],
  ['take back', () => '', 'homeserver.db'],
  ['apply', () => 'server_name: localhost\nenable_set_displayname: false\n', 'homeserver.yaml'],
])('%s', async (what, given, changed) => {
  const before = await filesOf(place);
  const outcomes: {
    files: Record<string, string>;
    said: string[];
    way: string | undefined;
    isWhole: boolean;
  }[] = [];
  const dataDirOf = (point: number) => join(directory, `${what}-${point}`.replace(' ', '-'), 'data');
  await killedEverywhere(
    ['rename', 'rm'],
    async (point) => {
      const dataDir = dataDirOf(point);
      await cp(place, dataDir, { recursive: true });
      if (what === 'take back') {
        await cp(place, kept(dataDir), { recursive: true });
        await writeFile(join(kept(dataDir), 'homeserver.db'), 'what was there earlier');
        await writeFile(join(dataDir, note), JSON.stringify({ kept_at: basename(kept(dataDir)) }));
      }
      return { args: [program, dataDir, what, given()], below: join(dataDir, '..') };
    },
    async (point, isWhole) => {
      const dataDir = dataDirOf(point);
      const said: string[] = [];
      await settleData(dataDir, (line) => said.push(line));
      const way = previousData(dataDir);
      // Excludes the note, whose kept folder is named by time, and the trial configuration, which the next one
      // overwrites.
      const { [note]: _, 'homeserver.yaml.next': __, ...files } = await filesOf(dataDir);
      outcomes.push({ files, said, way, isWhole });
      if (way !== undefined && way !== kept(dataDir)) expect(await filesOf(way)).toEqual(before);
    },
  );
  const whole = outcomes.find(({ isWhole }) => isWhole);
  expect(whole?.files[changed]).not.toBe(before[changed]);
  expect(whole?.said).toEqual([]);
  for (const { files } of outcomes) {
    expect(files).toEqual(files[changed] === before[changed] ? before : whole?.files);
  }
  if (what === 'apply') return;
  expect(outcomes.flatMap(({ said }) => said).join('\n')).toMatch(/interrupted/);
  expect(whole?.way).toBeDefined();
});

test('an interrupted upload is deleted unless a server or command uses the data', async () => {
  const dataDir = join(directory, 'sent', 'data');
  await put(uploadPath(dataDir), 'secrets');
  for (const name of ['backup.tar', 'backup-upload-mine.tar']) await put(join(dataDir, name), 'mine');
  const said: string[] = [];
  const claim = await claimDirectory(dataDir);
  await settleData(dataDir, (line) => said.push(line));
  expect(said).toEqual([]);
  await claim?.release();
  await settleData(dataDir, (line) => said.push(line));
  expect(Object.keys(await filesOf(dataDir)).sort()).toEqual(['backup-upload-mine.tar', 'backup.tar']);
  expect(said).toEqual([expect.stringContaining('deleted an incomplete backup upload')]);
});

/** Prepares a restore that is recorded but hasn't moved anything yet. */
async function cutOff(name: string) {
  const dataDir = join(directory, name, 'data');
  const folder = join(dataDir, 'pending-change');
  await put(join(dataDir, 'homeserver.yaml'), 'previous');
  for (let number = 0; number < 300; number++) await put(join(folder, 'media', `${number}`), 'restored');
  await put(join(folder, 'homeserver.yaml'), 'restored');
  const moves = (from: string, to: string, names: string[]) =>
    names.map((each) => [join(from, each), join(to, each)]);
  const steps = [
    moves('', '../data-before', ['homeserver.yaml']),
    moves('pending-change', '', ['homeserver.yaml', 'media']),
  ];
  await put(join(folder, 'steps.json'), JSON.stringify({ steps, begun: 0 }));
  return dataDir;
}

async function put(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

async function requireRestored(dataDir: string): Promise<void> {
  expect(await readFile(join(dataDir, 'homeserver.yaml'), 'utf8')).toBe('restored');
  expect((await readdir(join(dataDir, 'media'))).length).toBe(300);
  expect(await readFile(join(`${dataDir}-before`, 'homeserver.yaml'), 'utf8')).toBe('previous');
  expect(existsSync(join(dataDir, 'pending-change'))).toBe(false);
}

test('concurrent starts complete a change once', async () => {
  for (const name of isMatrix ? ['one', 'two', 'three'] : ['one']) {
    const dataDir = await cutOff(name);
    const programs = Array.from({ length: 3 }, () =>
      spawn(process.execPath, [join(import.meta.dirname, 'settle-once.ts'), dataDir]),
    );
    await Promise.all(programs.map((program) => once(program, 'exit')));
    // Two concurrent attempts may both be refused.
    await settleData(dataDir, () => {});
    await requireRestored(dataDir);
  }
});

test('a change in progress is left to its program', async () => {
  const dataDir = await cutOff('made');
  const claim = await claimDirectory(dataDir);
  await expect(settleData(dataDir, () => {})).rejects.toThrow('is replacing the data');
  expect(await readFile(join(dataDir, 'homeserver.yaml'), 'utf8')).toBe('previous');
  await claim?.release();
  await settleData(dataDir, () => {});
  await requireRestored(dataDir);
});

test('a change that fails is rolled back', async () => {
  const dataDir = await cutOff('impossible');
  await put(join(dataDir, 'media', 'in the way'), '');
  await expect(settleData(dataDir, () => {})).rejects.toThrow('ENOTEMPTY');
  await settleData(dataDir, () => {});
  expect(await readFile(join(dataDir, 'homeserver.yaml'), 'utf8')).toBe('previous');
  expect((await readdir(dataDir)).filter((name) => !name.includes('.lock')).sort()).toEqual([
    'homeserver.yaml',
    'media',
  ]);
});

test('the data may be moved before the next start', async () => {
  const dataDir = await cutOff('here');
  await put(join(dataDir, note), JSON.stringify({ kept_at: 'data-before' }));
  await rename(dirname(dataDir), join(directory, 'there'));
  const moved = join(directory, 'there', 'data');
  await settleData(moved, () => {});
  await requireRestored(moved);
  expect(previousData(moved)).toBe(`${moved}-before`);
});
