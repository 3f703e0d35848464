/** Backing up a running server and restoring it elsewhere. */
import { link, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { restoreBackup } from '../../../server/administration/backup/restore-backup.ts';
import { createHomeserver } from '../../../server/app/homeserver.ts';
import { createUser } from '../../../server/identity/accounts/create-user.ts';
import { loadConfig } from '../../../server/platform/config/load.ts';
import { gatehouse } from '../gatehouse.ts';
import { call, startHomeserver, type TestHomeserver } from '../homeserver.ts';

let homeserver: TestHomeserver;
let directory: string;
/** The archive has its own folder. */
let archive: string;
let uri: string;
const picture = Buffer.from('89504e470d0a1a0a', 'hex');

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-backup-'));
  homeserver = await startHomeserver();
  const { dataDir } = homeserver.config;
  await writeFile(join(dataDir, 'homeserver.yaml'), 'listeners: [{type: http, port: 0}]\n');
  const uploaded = await fetch(`${homeserver.url}/_chat/media/v3/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${homeserver.as('alice').accessToken}`, 'content-type': 'image/png' },
    body: picture,
  });
  uri = ((await uploaded.json()) as { content_uri: string }).content_uri;
  archive = join(directory, 'archive', 'backup.tar');
  await mkdir(dirname(archive));
  // During writes.
  let stopped = false;
  const writing = (async () => {
    for (let number = 0; !stopped; number++) {
      await createUser(homeserver.services, { localpart: `user-${number}` });
    }
  })();
  const made = await gatehouse(
    'backup',
    archive,
    '--data-dir',
    dataDir,
    '--config',
    join(dataDir, 'homeserver.yaml'),
  );
  stopped = true;
  await writing;
  expect(made).toMatchObject({ code: 0, errors: '' });
});
afterAll(async () => {
  await homeserver.remove();
  await rm(directory, { recursive: true });
});

test('it is private, and nothing is left where the server is', async () => {
  expect((await stat(archive)).mode & 0o077).toBe(0);
  const left = await readdir(homeserver.config.dataDir);
  expect(left.filter((name) => name.startsWith('backup'))).toEqual([]);
  expect(await readdir(dirname(archive))).toEqual(['backup.tar']);
});

test.each([
  ['a missing folder', () => join(directory, 'none', 'backup.tar'), /can't write the file \(ENOENT\)/],
  ['a folder that is a file', () => join(archive, 'backup.tar'), /can't write the file \(ENOTDIR\)/],
])('a backup into %s is refused with one line', async (_, target, message) => {
  const { dataDir } = homeserver.config;
  const { code, output, errors } = await gatehouse('backup', target(), '--data-dir', dataDir);
  expect({ code, output }).toEqual({ code: 1, output: '' });
  expect(errors).toMatch(/^gatehouse: .*\n$/);
  expect(errors).toMatch(message);
});

test('an empty backup is refused with one line, and nothing is left behind', async () => {
  const broken = join(directory, 'empty.tar');
  await writeFile(broken, '');
  const dataDir = join(directory, 'of-an-empty-one');
  const { code, errors } = await gatehouse('restore', broken, '--data-dir', dataDir);
  expect(code).toBe(1);
  expect(errors).toMatch(/^gatehouse: .*damaged backup.*\n$/);
  await expect(stat(dataDir)).rejects.toThrow('ENOENT');
});

test("a folder isn't a backup", async () => {
  const dataDir = join(directory, 'of-a-folder');
  const { code, errors } = await gatehouse('restore', dirname(archive), '--data-dir', dataDir);
  expect(code).toBe(1);
  expect(errors).toMatch(/^gatehouse: \S+: not a backup: .*directory.*\n$/);
  expect(await readdir(dirname(archive))).toEqual(['backup.tar']);
  await expect(stat(dataDir)).rejects.toThrow('ENOENT');
});

test('a restored backup serves with the same key and sessions', async () => {
  const dataDir = join(directory, 'restored');
  const restored = await gatehouse('restore', archive, '--data-dir', dataDir);
  expect(restored).toMatchObject({ code: 0, errors: '' });
  const config = await loadConfig({ dataDir, file: join(dataDir, 'homeserver.yaml') });
  const again = await createHomeserver(config);
  await again.start();
  const { accessToken } = homeserver.as('alice');
  expect(await call(again.url, 'GET', '/_chat/client/v3/account/whoami', accessToken)).toMatchObject({
    status: 200,
  });
  const media = uri.replace('mxc://', '/_chat/client/v1/media/download/');
  const found = await fetch(again.url + media, { headers: { authorization: `Bearer ${accessToken}` } });
  expect(Buffer.from(await found.arrayBuffer())).toEqual(picture);
  const keys = (url: string) => call(url, 'GET', '/_chat/key/v2/server');
  expect((await keys(again.url)).body.verify_keys).toEqual((await keys(homeserver.url)).body.verify_keys);
  await again.stop();

  const second = await gatehouse('restore', archive, '--data-dir', dataDir);
  expect(second).toMatchObject({ code: 1, output: '' });
  expect(second.errors).toContain("isn't empty");
});

test.each<[string, (whole: Buffer) => Buffer | Promise<Buffer>]>([
  ['cut off', (whole) => whole.subarray(0, whole.length / 2)],
  ['without its end', (whole) => whole.subarray(0, whole.lastIndexOf('manifest.json'))],
  [
    'with another byte in it',
    (whole) => {
      const changed = Buffer.from(whole);
      changed[4096] = (changed[4096] ?? 0) ^ 1;
      return changed;
    },
  ],
  [
    'that leads out of its folder',
    (whole) => Buffer.from(whole.toString('latin1').replace('signing.key', '../ning.key'), 'latin1'),
  ],
])('a backup %s is refused, and nothing is left behind', async (_, change) => {
  const broken = join(directory, 'broken.tar');
  await writeFile(broken, await change(await readFile(archive)));
  const dataDir = join(directory, 'never');
  await expect(restoreBackup(broken, { dataDir })).rejects.toThrow(/damaged backup/);
  await expect(stat(dataDir)).rejects.toThrow('ENOENT');
  await rm(broken);
});

test('the developer tools show the backup command', async () => {
  const { body } = await homeserver.as('admin').get('/_gatehouse/v1/backup');
  const copy = join(directory, 'by-command.tar');
  expect(body).toEqual({ possible: true, data_dir: homeserver.config.dataDir });
  expect(await gatehouse('backup', copy, '--data-dir', body.data_dir)).toMatchObject({ code: 0 });
});

test("the developer tools say why a hard-linked file can't be backed up", async () => {
  const { database } = homeserver.config;
  if (database.name !== 'sqlite3') throw new Error('this is no SQLite');
  const second = join(directory, 'second.db');
  await link(database.file, second);
  const admin = homeserver.as('admin');
  const { body } = await admin.get('/_gatehouse/v1/backup');
  const reply = await admin.post('/_gatehouse/v1/backup');
  await rm(second);
  expect(body).toMatchObject({ possible: false, reason: expect.stringContaining('has a second hard link') });
  expect(reply).toMatchObject({ status: 400, body: { error: body.reason } });
  expect((await admin.get('/_gatehouse/v1/backup')).body).toMatchObject({ possible: true });
});

test('the developer tools offer a backup for download', async () => {
  const reply = await fetch(`${homeserver.url}/_gatehouse/v1/backup`, {
    method: 'POST',
    headers: { authorization: `Bearer ${homeserver.as('admin').accessToken}` },
  });
  expect(reply.headers.get('content-type')).toBe('application/x-tar');
  const file = join(directory, 'from-workbench.tar');
  await writeFile(file, Buffer.from(await reply.arrayBuffer()));
  const dataDir = join(directory, 'from-workbench');
  expect(await gatehouse('restore', file, '--data-dir', dataDir)).toMatchObject({ code: 0 });
});
