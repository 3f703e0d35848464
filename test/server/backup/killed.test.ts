/** A restore killed at any point: the next start finds all of the data or nothing. */

import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { settleData } from '../../../server/administration/backup/pending-change.ts';
import { isRestored } from '../../../server/administration/backup/restore-postgres.ts';
import { writeBackup } from '../../../server/administration/backup/write-backup.ts';
import { makeDatabase } from '../database.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { filesOf, killedEverywhere } from '../kill-at-each-write.ts';

const bin = join(import.meta.dirname, '../../../bin/gatehouse.js');
let directory: string;
let homeserver: TestHomeserver;
let archive: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-killed-'));
  homeserver = await startHomeserver();
  const uploaded = await fetch(`${homeserver.url}/_chat/media/v3/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${homeserver.as('alice').accessToken}`, 'content-type': 'image/png' },
    body: Buffer.from('89504e470d0a1a0a', 'hex'),
  });
  expect(uploaded.status).toBe(200);
  archive = join(directory, 'backup.tar');
  await writeBackup(homeserver.config, createWriteStream(archive));
});
afterAll(async () => {
  await homeserver.remove();
  await rm(directory, { recursive: true });
});

/** Creates the target of one restore, with a database on PostgreSQL. */
async function makeTarget(point: number) {
  const folder = join(directory, `target-${point}`);
  const dataDir = join(folder, 'data');
  const file = join(folder, 'homeserver.yaml');
  await mkdir(folder);
  const database = await makeDatabase('C', 'empty');
  const { config } = database ?? {};
  const args = config?.name === 'psycopg2' && {
    ...{ user: config.user, password: config.password, dbname: config.database },
    ...{ host: config.host, port: config.port },
  };
  await writeFile(file, JSON.stringify(args ? { database: { name: 'psycopg2', args } } : {}));
  return {
    folder,
    dataDir,
    args: [bin, 'restore', archive, '--data-dir', dataDir, '--config', file],
    async look() {
      const said: string[] = [];
      await settleData(dataDir, (line) => said.push(line));
      const files = await filesOf(dataDir);
      const isCommitted = config?.name === 'psycopg2' ? await isRestored(config) : undefined;
      await database?.drop();
      return { files, said, isCommitted };
    },
  };
}

test('a killed restore is completed or rolled back at the next start', async () => {
  const targets = new Map<number, Awaited<ReturnType<typeof makeTarget>>>();
  const found = new Map<
    number,
    { files: Record<string, string>; said: string[]; isCommitted?: boolean | undefined }
  >();
  const last = await killedEverywhere(
    // PostgreSQL needs a database for each point. The first point is in the middle of copying rows.
    inject('postgres') ? ['rename', 'rm'] : ['createWriteStream', 'rename', 'rm'],
    async (point) => {
      const target = await makeTarget(point);
      targets.set(point, target);
      return { args: target.args, below: target.folder };
    },
    async (point) => void found.set(point, (await targets.get(point)?.look()) ?? { files: {}, said: [] }),
  );
  const whole = found.get(last + 1);
  expect(Object.keys(whole?.files ?? {})).toContain('signing.key');
  expect(whole?.said).toEqual([]);
  const outcomes = [...found].filter(([point]) => point <= last).map(([, each]) => each);
  for (const { files, isCommitted } of outcomes) {
    const isThere = Object.keys(files).length > 0;
    expect(files).toEqual(isThere ? whole?.files : {});
    if (isCommitted !== undefined) expect(isCommitted).toBe(isThere);
  }
  const said = outcomes.flatMap((each) => each.said).join('\n');
  expect(said).toContain('rolled back an interrupted restore');
  expect(said).toContain('completed an interrupted restore');
});
