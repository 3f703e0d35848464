/** Backups with a matching manifest that no server can use. Restore rejects them before writing anything. */
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { restoreBackup } from '../../../server/administration/backup/restore-backup.ts';
import { writeBackup } from '../../../server/administration/backup/write-backup.ts';
import { makeDatabase } from '../database.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { writeAltered } from './altered-archive.ts';

let directory: string;
let homeserver: TestHomeserver;
let archive: string;
let target: Awaited<ReturnType<typeof makeDatabase>>;
let number = 0;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-hostile-'));
  homeserver = await startHomeserver();
  archive = join(directory, 'backup.tar');
  await writeBackup(homeserver.config, createWriteStream(archive));
  target = await makeDatabase('C', 'empty');
});
afterAll(async () => {
  await homeserver.remove();
  await target?.drop();
  await rm(directory, { recursive: true });
});

/** Returns a configuration with the test engine's database and other settings. */
function settingsWith(settings: object): string {
  const { config } = target ?? {};
  const { serverName: server_name } = homeserver.config;
  if (config?.name !== 'psycopg2') return JSON.stringify({ server_name, ...settings });
  const { user, password, database: dbname, host, port } = config;
  const database = { name: 'psycopg2', args: { user, password, dbname, host, port } };
  return JSON.stringify({ server_name, database, ...settings });
}

const alter = (alteration: Parameters<typeof writeAltered>[2]) =>
  writeAltered(archive, join(directory, `altered-${++number}.tar`), alteration);

/** Restores an archive to an empty place and returns the error. Checks that nothing was left. */
async function refusal(from: string, settings?: string): Promise<string> {
  const folder = join(directory, `target-${++number}`);
  const dataDir = join(folder, 'data');
  const file = settings === undefined ? undefined : join(folder, 'named.yaml');
  await mkdir(folder);
  if (file !== undefined) await writeFile(file, settings ?? '');
  const { message } = await restoreBackup(from, { dataDir, file }).then(
    () => ({ message: 'it was restored' }),
    (error: Error) => error,
  );
  await expect(stat(dataDir)).rejects.toThrow('ENOENT');
  expect(await readdir(folder)).toEqual(file === undefined ? [] : ['named.yaml']);
  return message;
}

const page = 4096;
const noise = (size: number) => Buffer.alloc(size, 'noise');
const damages: [string, string, (content: Buffer) => Buffer][] = inject('postgres')
  ? [
      ['invalid rows', 'postgres/users/000001', () => Buffer.from('no row\n')],
      ['duplicate rows', 'postgres/users/000001', (rows) => Buffer.concat([rows, rows])],
      ['rows without those that they belong to', 'postgres/users/000001', () => Buffer.from('')],
    ]
  : [
      [
        'pages that were overwritten',
        'homeserver.db',
        (content) =>
          Buffer.concat([content.subarray(0, 20 * page), noise(4 * page), content.subarray(24 * page)]),
      ],
      [
        'a half',
        'homeserver.db',
        (content) => content.subarray(0, page * Math.floor(content.length / page / 2)),
      ],
      [
        'nothing after its beginning',
        'homeserver.db',
        (content) => Buffer.concat([content.subarray(0, 100), noise(content.length - 100)]),
      ],
    ];

test.each(damages)("a database with %s isn't restored", async (_, entry, damage) => {
  let isThere = false;
  const change = (name: string, content: Buffer) => {
    isThere ||= name === entry;
    return name === entry ? damage(content) : content;
  };
  const altered = await alter({ change });
  expect(isThere).toBe(true);
  const said = await refusal(altered, settingsWith({}));
  expect(said).toBe(
    `${altered}: damaged backup: the database is damaged; use another backup; nothing was changed`,
  );
});

test("a database that isn't a homeserver's isn't restored", async () => {
  if (target) return;
  const others = new SqliteDatabase(':memory:');
  others.exec("create table notes (text); insert into notes values ('of somebody else')");
  const file = others.serialize();
  others.close();
  const altered = await alter({ change: (name, content) => (name === 'homeserver.db' ? file : content) });
  expect(await refusal(altered)).toBe(
    `${altered}: damaged backup: the database isn't a homeserver database; use another backup; nothing was changed`,
  );
});

test("a damaged database isn't backed up", async () => {
  if (target) return;
  const { config } = await restoreBackup(archive, { dataDir: join(directory, 'damaged') });
  const file = join(config.dataDir, 'homeserver.db');
  const [, , damage] = damages[0] ?? [];
  await writeFile(file, damage?.(await readFile(file)) ?? '');
  await expect(writeBackup(config, createWriteStream(join(directory, 'of-damaged.tar')))).rejects.toThrow(
    /^database\.args\.database: \S+ isn't a SQLite database or is damaged; /,
  );
});

describe("a restore doesn't overwrite another path of the server", () => {
  const places: [string, object][] = [
    ["the configuration's and the key's", { signing_key_path: 'homeserver.yaml' }],
    ['those that are one on some disks', { signing_key_path: 'Homeserver.YAML' }],
    ["the media's and the key's", { signing_key_path: 'media', media_store_path: 'media' }],
    ["one below the key's", { signing_key_path: 'kept', media_store_path: 'kept/media' }],
    ["one below the configuration's", { media_store_path: 'homeserver.yaml/media' }],
  ];
  if (!inject('postgres')) {
    places.push(
      ["the database's and the key's", { signing_key_path: 'homeserver.db' }],
      ["the media's and the database's", { media_store_path: 'homeserver.db' }],
      ["SQLite's own files, and the key's", { signing_key_path: 'homeserver.db-wal' }],
    );
  }

  test.each(places)('%s', async (_, settings) => {
    const altered = await alter({ settings: settingsWith(settings) });
    expect(await refusal(altered)).toMatch(
      /^homeserver\.yaml: the backup's configuration places \S+ at \S+ and \S+ at \S+, which conflict; set another configuration to restore with in --config$/,
    );
  });

  test('also one that the configuration names', async () => {
    const settings = settingsWith({ signing_key_path: 'media', media_store_path: 'media' });
    expect(await refusal(archive, settings)).toMatch(
      /^--config: the configuration places media\/ at \S+ and signing.key at \S+, which conflict; use separate paths$/,
    );
  });
});

test('a key stored among the media has its own place', async () => {
  if (target) return;
  const dataDir = join(directory, 'among-media');
  const settings = settingsWith({ signing_key_path: 'media_store/signing.key' });
  const { config } = await restoreBackup(await alter({ settings }), { dataDir });
  expect(await readFile(config.signingKeyPath)).toEqual(await readFile(homeserver.config.signingKeyPath));
});
