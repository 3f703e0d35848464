/** A program that is killed while it replaces a server's data: the next one finds what was there before, or what is new. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeBackup } from '../../../server/administration/backup/write-backup.ts';
import { settingsFile } from '../../../server/administration/host/exchange-data.ts';
import { planReset } from '../../../server/administration/host/local-host.ts';
import { dataFromBefore, noteBegin, noteEnd } from '../../../server/administration/host/replacement.ts';
import { settleData, uploadedBackup } from '../../../server/administration/host/settle-data.ts';
import { processMark } from '../../../server/platform/core/process.ts';
import { startHomeserver } from '../homeserver.ts';
import { filesOf, killedEverywhere } from '../until-whole.ts';

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
        await noteEnd(dataDir, { kept_at: kept(dataDir) });
      }
      return { args: [program, dataDir, what, given()], below: join(dataDir, '..') };
    },
    async (point, isWhole) => {
      const dataDir = dataDirOf(point);
      const said: string[] = [];
      await settleData(dataDir, (line) => said.push(line));
      const way = dataFromBefore(dataDir);
      outcomes.push({ files: await filesOf(dataDir), said, way, isWhole });
      if (way !== undefined && way !== kept(dataDir)) expect(await filesOf(way)).toEqual(before);
    },
  );
  const whole = outcomes.find(({ isWhole }) => isWhole);
  expect(whole?.files[changed]).not.toBe(before[changed]);
  expect(whole?.said).toEqual([]);
  for (const { files } of outcomes) {
    expect(files).toEqual(files[changed] === before[changed] ? before : whole?.files);
  }
  expect(outcomes.flatMap(({ said }) => said).join('\n')).toMatch(/interrupted/);
  if (what !== 'apply') expect(whole?.way).toBeDefined();
});

test('a backup that was still being sent', async () => {
  const folder = join(directory, 'sent');
  const dataDir = join(folder, 'data');
  await mkdir(dataDir, { recursive: true });
  const { kept_at } = planReset(dataDir);
  const cutOff = uploadedBackup(kept_at);
  const others = [
    // A person's own, one of a process that still runs, and one for other data.
    `${kept_at}.tar`,
    cutOff.replace(processMark(), processMark(process.ppid)),
    cutOff.replace('/data-', '/database-'),
  ];
  for (const file of [cutOff, ...others]) await writeFile(file, 'secrets');
  const said: string[] = [];
  await settleData(dataDir, (line) => said.push(line));
  expect((await readdir(folder)).sort()).toEqual(['data', ...others.map((file) => basename(file))].sort());
  expect(said).toEqual([expect.stringContaining('deleted an incomplete backup upload')]);
});

/** Data that is being replaced, where that was cut off: by a process of that mark, with what it began in its place. */
async function cutOff(name: string, by = processMark(1 << 22)) {
  const dataDir = join(directory, name, 'data');
  const keptAt = `${dataDir}-before`;
  for (let number = 0; number < 300; number++) await put(join(keptAt, 'media', `${number}`), 'kept');
  await put(join(dataDir, settingsFile), 'begun');
  await noteBegin(dataDir, { kept_at: keptAt });
  const record = `${dataDir}.replaced.json`;
  await writeFile(record, (await readFile(record, 'utf8')).replace(processMark(), by));
  return { dataDir, keptAt, record };
}

async function put(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

test('several programs that start at once put the data back once', async () => {
  for (const name of ['one', 'two', 'three']) {
    const { dataDir, keptAt } = await cutOff(name);
    const programs = Array.from({ length: 3 }, () =>
      spawn(process.execPath, [join(import.meta.dirname, 'settle-once.ts'), dataDir]),
    );
    const codes = await Promise.all(programs.map(async (program) => (await once(program, 'exit'))[0]));
    expect(codes).toContain(0);
    expect((await readdir(join(dataDir, 'media'))).length).toBe(300);
    expect((await readdir(dirname(dataDir))).filter((found) => found !== 'data')).toEqual([]);
    expect(existsSync(keptAt)).toBe(false);
  }
});

test('of a process in another container nobody says that it is over', async () => {
  const [pid, start, boot, container] = processMark().split('.');
  const mark = [pid, start, boot, `${container}0`].join('.');
  const { dataDir, keptAt } = await cutOff('elsewhere', mark);
  await expect(settleData(dataDir, () => {})).rejects.toThrow('another container');
  expect(await readFile(join(dataDir, settingsFile), 'utf8')).toBe('begun');
  expect((await readdir(join(keptAt, 'media'))).length).toBe(300);
});

test('what leads elsewhere is not believed', async () => {
  const { dataDir, keptAt, record } = await cutOff('believed');
  await rename(keptAt, join(directory, 'theirs'));
  await writeFile(record, (await readFile(record, 'utf8')).replace(keptAt, join(directory, 'theirs')));
  await expect(settleData(dataDir, () => {})).rejects.toThrow("wasn't written by this program");
  expect(await readFile(join(dataDir, settingsFile), 'utf8')).toBe('begun');
});

test("a person's own copies stay, and a restore whose directory has come elsewhere waits for a person", async () => {
  const dataDir = join(directory, 'own', 'data');
  await put(join(dataDir, settingsFile), 'now');
  const own = [
    `${settingsFile}.before-upgrade`,
    `${settingsFile}.before-2025-01-02`,
    'restore-in-progress-2025-notes/a',
  ];
  for (const name of own) await put(join(dataDir, name), 'mine');
  await settleData(dataDir, () => {});
  expect(await readFile(join(dataDir, settingsFile), 'utf8')).toBe('now');
  for (const name of own) expect(await readFile(join(dataDir, name), 'utf8')).toBe('mine');

  const folder = join(dataDir, `restore-in-progress-${processMark(1 << 22)}-abcdef`);
  await put(join(folder, 'moves.json'), JSON.stringify({ moves: [['/elsewhere/x', '/elsewhere/y']] }));
  await expect(settleData(dataDir, () => {})).rejects.toThrow('has been moved');
  expect(existsSync(join(folder, 'moves.json'))).toBe(true);
});
