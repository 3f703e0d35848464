import { existsSync } from 'node:fs';
import { link, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { ending, gatehouse, serve, start } from '../gatehouse.ts';
import { startHomeserver } from '../homeserver.ts';
import { type Data, makeData } from './data.ts';
import { signIn } from './logged-in-user.ts';

const made: Data[] = [];
async function newData(): Promise<Data> {
  const data = await makeData();
  made.push(data);
  return data;
}
afterEach(async () => {
  for (const data of made.splice(0)) await data.remove();
});

const refused = (dataDir: string, ...source: string[]) =>
  ending(start(['serve', '--port', '0', '--data-dir', dataDir, ...source]));

describe.runIf(!inject('postgres'))('a SQLite file', () => {
  test.each([
    ['by its own path', (file: string) => Promise.resolve(file)],
    [
      'through a link',
      async (file: string) => {
        await symlink(file, `${file}.link`);
        return `${file}.link`;
      },
    ],
  ])('has one server, also of another data directory: named %s', async (_, name) => {
    const [data, other] = [await newData(), await newData()];
    const served = await serve(...data.source);
    const file = await name(join(data.dataDir, 'homeserver.db'));
    const config = join(other.dataDir, 'other.yaml');
    await writeFile(config, JSON.stringify({ database: { name: 'sqlite3', args: { database: file } } }));
    const second = await refused(other.dataDir, '--config', config);
    expect(second).toMatchObject({ code: 1, output: '' });
    expect(second.errors).toMatch(/^gatehouse: --data-dir: another homeserver is using .*\n$/);
    expect(await served.end('SIGTERM')).toBe(0);
  });

  test('with a second hard link is refused until that is removed', async () => {
    const [data, other] = [await newData(), await newData()];
    const served = await serve(...data.source);
    const [file, second] = [data, other].map(({ dataDir }) => join(dataDir, 'homeserver.db'));
    await link(`${file}`, `${second}`);
    const refusal = (named: string | undefined) => ({
      code: 1,
      output: '',
      errors:
        `gatehouse: database.args.database: ${named} has a second hard link; using both would corrupt ` +
        'the database; remove the other link or replace it with a copy\n',
    });
    // Rejects every command that opens the running server's data.
    expect(await refused(other.dataDir)).toEqual(refusal(second));
    expect(await gatehouse('users', 'add', 'dora', '--password', 'p', '--data-dir', other.dataDir)).toEqual(
      refusal(second),
    );
    const backup = join(other.dataDir, 'a.backup');
    expect(await gatehouse('backup', backup, '--data-dir', other.dataDir)).toEqual(refusal(second));
    expect(existsSync(backup)).toBe(false);
    expect(await served.end('SIGTERM')).toBe(0);
    expect(await refused(data.dataDir)).toEqual(refusal(file));
    await rm(`${second}`);
    const again = await serve(...data.source);
    await signIn(again.url);
    expect(await again.end('SIGTERM')).toBe(0);
  });

  type Loss = [string, (dataDir: string) => Promise<() => Promise<void>>, RegExp];
  const loses = (name: string): Loss => [
    `loses its ${name}`,
    async (dataDir) => {
      await rename(join(dataDir, name), join(dataDir, `${name}.away`));
      return async () => {};
    },
    new RegExp(`${name}.* was removed or replaced$`),
  ];
  test.concurrent.each<Loss>([
    ...['serving.lock', 'homeserver.db', 'homeserver.db-wal', 'homeserver.db-shm'].map(loses),
    [
      'can no longer be read',
      async (dataDir) => {
        await rename(dataDir, `${dataDir}.away`);
        await symlink(dataDir, dataDir);
        return async () => {
          await rm(dataDir);
          await rename(`${dataDir}.away`, dataDir);
        };
      },
      /^can't read .* \(ELOOP\)$/,
    ],
  ])('that %s ends its server', async (_, lose, reason) => {
    const lost = Promise.withResolvers<string>();
    const homeserver = await startHomeserver({ whenClaimIsLost: lost.resolve });
    const restore = await lose(homeserver.config.dataDir);
    expect(await lost.promise).toMatch(reason);
    await restore();
    await homeserver.remove();
  });

  test('removed with its data directory is reported once and not created again', async () => {
    const data = await newData();
    const served = await serve(...data.source);
    await signIn(served.url);
    await rm(data.dataDir, { recursive: true });
    expect(await served.exited).toBe(1);
    expect((await served.errors).match(/was removed or replaced/g)).toHaveLength(1);
    expect(existsSync(data.dataDir)).toBe(false);
  });
});

test.each(['serving.lock', 'in-use.lock'])('a %s with foreign content is refused', async (name) => {
  const data = await newData();
  const lock = join(data.dataDir, name);
  await writeFile(lock, 'what somebody else has written here');
  const command =
    name === 'serving.lock' ? ['serve', '--port', '0'] : ['users', 'add', 'dora', '--password', 'p'];
  expect(await ending(start([...command, '--data-dir', data.dataDir]))).toEqual({
    code: 1,
    output: '',
    errors: `gatehouse: --data-dir: ${lock} isn't a homeserver lock file; delete the file; it contains no data\n`,
  });
});

describe.runIf(inject('postgres'))('a PostgreSQL database', () => {
  test('claimed exclusively is refused', async () => {
    const data = await newData();
    const alone = await data.connect();
    await alone.query('select pg_advisory_lock($1)', [0x6761_7465]);
    const second = await refused(data.dataDir, ...data.source);
    expect(second).toMatchObject({ code: 1, output: '' });
    expect(second.errors).toMatch(/^gatehouse: --data-dir: another homeserver is using .*\n$/);
    await alone.end();
  });

  test('that another process never finishes joining is refused in one line', async () => {
    const data = await newData();
    const joining = await data.connect();
    await joining.query('select pg_advisory_lock($1)', [0x6761_7467]);
    expect(await refused(data.dataDir, ...data.source)).toEqual({
      code: 1,
      output: '',
      errors: expect.stringMatching(
        /^gatehouse: database.args: can't connect to the PostgreSQL database .+\n$/,
      ),
    });
    await joining.end();
  });

  test('claimed by another while the connection was lost ends the first server', async () => {
    const data = await newData();
    const served = await serve(...data.source);
    const administrator = await data.connect();
    // Queues for the server's lock, and so gets it before the server can retry.
    const lock = await administrator.query(
      `select objid::int as id, pid from pg_locks where locktype = 'advisory' and granted and objsubid = 1
       and objid = ${0x6761_7465} and database = (select oid from pg_database where datname = current_database())`,
    );
    const [{ id, pid }] = lock.rows;
    const taking = administrator.query('select pg_advisory_lock($1)', [id]);
    const other = await data.connect();
    await expect
      .poll(async () => {
        const { rows } = await other.query(
          `select count(*)::int as waiting from pg_locks where locktype = 'advisory' and not granted
           and objid = ${id} and database = (select oid from pg_database where datname = current_database())`,
        );
        return rows[0].waiting;
      })
      .toBe(1);
    await other.query('select pg_terminate_backend($1)', [pid]);
    await taking;
    expect(await served.exited).toBe(1);
    expect(await served.errors).toMatch(
      /^gatehouse: another homeserver has claimed the database: shutting down$/m,
    );
    await administrator.end();
    await other.end();
  });
});
