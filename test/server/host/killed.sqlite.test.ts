/** A program that is killed while it replaces a server's data: the next one finds what was there before, or what is new. */
import { createWriteStream } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeBackup } from '../../../server/backup/write-backup.ts';
import { planReset } from '../../../server/host/plan-reset.ts';
import { dataFromBefore, noteReplacement } from '../../../server/host/replacement.ts';
import { settleData } from '../../../server/host/settle-data.ts';
import { uploadedBackup } from '../../../server/host/uploaded-backup.ts';
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
        await noteReplacement(dataDir, { step: 'done', kept_at: kept(dataDir) });
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
  expect(outcomes.flatMap(({ said }) => said).join('\n')).toMatch(/cut off: .* again/);
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
    cutOff.replace(`.${process.pid}.`, `.${process.ppid}.`),
    cutOff.replace('/data-', '/database-'),
  ];
  for (const file of [cutOff, ...others]) await writeFile(file, 'secrets');
  const said: string[] = [];
  await settleData(dataDir, (line) => said.push(line));
  expect((await readdir(folder)).sort()).toEqual(['data', ...others.map((file) => basename(file))].sort());
  expect(said).toEqual([expect.stringContaining('sending a backup')]);
});
