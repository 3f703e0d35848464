import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { addUser } from '../../../server/app/commands/users.ts';
import { ending, gatehouse, serve, start } from '../gatehouse.ts';
import { refusalOf, refusedStart } from '../refused-start.ts';

/** User ID of an unprivileged account. Root, which runs these tests in CI, bypasses permissions. */
const nobody = 65_534;

describe.runIf(!inject('postgres'))('data files', () => {
  let directory: string;
  let dataDir: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gatehouse-files-'));
    await chmod(directory, 0o755);
    dataDir = join(directory, 'data');
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const startOf = (identity = {}) => ending(start(['serve', '--port', '0', '--data-dir', dataDir], identity));
  const asOrdinary = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

  const oneLine = async (result: ReturnType<typeof startOf>, line: RegExp) => {
    const { code, output, errors } = await result;
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toMatch(line);
    expect(errors.trimEnd()).not.toContain('\n');
  };

  test('are private to their owner under any umask', async () => {
    const before = process.umask(0);
    const served = await serve('--data-dir', dataDir).finally(() => process.umask(before));
    const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
    expect(await mode(dataDir)).toBe('700');
    for (const name of await readdir(dataDir)) {
      if ((await stat(join(dataDir, name))).isFile()) {
        expect({ name, mode: await mode(join(dataDir, name)) }).toEqual({ name, mode: '600' });
      }
    }
    expect(await served.end('SIGTERM')).toBe(0);
    expect(await served.errors).not.toMatch(/warning/);
  });

  test('a start warns once of each that others can access', async () => {
    await gatehouse('users', 'add', 'alice', '--password', 'x', '--data-dir', dataDir);
    await chmod(dataDir, 0o755);
    await chmod(join(dataDir, 'homeserver.db'), 0o644);
    const served = await serve('--data-dir', dataDir);
    await served.end('SIGTERM');
    const warnings = (await served.errors).split('\n').filter((line) => line.startsWith('warning: '));
    expect(warnings).toEqual([
      `warning: other users of this computer can access ${dataDir} (mode 0755); run chmod 700 ${dataDir}`,
      expect.stringMatching(/can access \S+homeserver\.db \(mode 0644\); run chmod 600 /),
    ]);
  });

  test.each([
    ['garbage', Buffer.from('This is no database, and has never been one. '.repeat(100))],
    ['a database without its header', Buffer.alloc(8192, 1)],
  ])('%s in place of a database is refused in one line', async (_, content) => {
    await mkdir(dataDir, { mode: 0o700 });
    await writeFile(join(dataDir, 'homeserver.db'), content);
    expect(await refusedStart({ dataDir })).toMatch(
      /^database\.args\.database: .*homeserver\.db isn't a SQLite database/,
    );
  });

  test('a directory in place of a database is refused in one line', async () => {
    await mkdir(join(dataDir, 'homeserver.db'), { recursive: true });
    expect(await refusedStart({ dataDir })).toMatch(
      /^database\.args\.database: can't read and write .*homeserver\.db/,
    );
  });

  test('a file in place of the data directory is refused in one line', async () => {
    await writeFile(dataDir, '');
    expect(await refusedStart({ dataDir })).toMatch(/^--data-dir: can't create /);
  });

  test('a start that may not create the data directory is refused in one line', async () => {
    await chmod(directory, 0o555);
    await oneLine(startOf(asOrdinary), /^gatehouse: --data-dir: can't create .*data \(EACCES\)/);
    await chmod(directory, 0o755);
  });

  test.each(['serve', 'users'])(
    '%s without access to the data directory or its parent is refused in one line',
    async (command) => {
      const args =
        command === 'serve' ? ['serve', '--port', '0'] : ['users', 'add', 'alice', '--password', 'x'];
      await mkdir(dataDir, { mode: 0o000 });
      for (const place of [dataDir, join(dataDir, 'below')]) {
        await oneLine(
          ending(start([...args, '--data-dir', place], asOrdinary)),
          /^gatehouse: --data-dir: can't read and write \S+data(\/below)? \(EACCES\); choose a path that this user/,
        );
      }
      await chmod(dataDir, 0o700);
    },
  );

  const add = (source: { dataDir: string }) =>
    refusalOf(source, () => addUser(source, { localpart: 'alice', password: 'x' }));
  test.each([
    ['the data directory', refusedStart, { link: 'data', place: 'data' }, '--data-dir: data'],
    ['the data directory of users add', add, { link: 'data', place: 'data' }, '--data-dir: data'],
    ['its parent', refusedStart, { link: 'above', place: 'above/data' }, '--data-dir: above/data'],
    [
      'the database',
      refusedStart,
      { link: 'homeserver.db', place: '.' },
      'database.args.database: homeserver.db',
    ],
    [
      'the database of users add',
      add,
      { link: 'homeserver.db', place: '.' },
      'database.args.database: homeserver.db',
    ],
    ['the claim', refusedStart, { link: 'serving.lock', place: '.' }, '--data-dir: serving.lock'],
  ])('circular links in place of %s are refused in one line', async (_, refused, names, named) => {
    const link = join(directory, names.link);
    await symlink(`${link}.back`, link);
    await symlink(link, `${link}.back`);
    expect(await refused({ dataDir: join(directory, names.place) })).toBe(
      `${named.replace(' ', ` can't read and write ${directory}/`)} (ELOOP); ` +
        'remove the circular symbolic links or choose another path',
    );
  });

  test('a start that may not write the database is refused in one line', async () => {
    await gatehouse('users', 'add', 'alice', '--password', 'x', '--data-dir', dataDir);
    for (const name of ['.', ...(await readdir(dataDir))]) {
      if (asOrdinary.uid !== undefined) await chown(join(dataDir, name), nobody, nobody);
    }
    await chmod(join(dataDir, 'homeserver.db'), 0o444);
    await oneLine(
      startOf(asOrdinary),
      /^gatehouse: database\.args\.database: can't read and write .*homeserver\.db \(EACCES\)/,
    );
  });
});
