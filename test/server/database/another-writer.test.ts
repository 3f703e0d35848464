import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { isMatrix } from '../../matrix.ts';
import { gatehouse, serve } from '../gatehouse.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeData } from './data.ts';
import { type SignedIn, signIn } from './person.ts';

describe.runIf(!inject('postgres'))('while another process writes to the SQLite file', () => {
  let homeserver: TestHomeserver;
  let other: SqliteDatabase.Database;
  beforeAll(async () => {
    homeserver = await startHomeserver();
    const { database } = homeserver.config;
    if (database.name !== 'sqlite3') throw new Error('this is no SQLite');
    other = new SqliteDatabase(database.file);
    // Where its calls come from is written down with the first of them.
    await whoAmI();
  });
  afterAll(async () => {
    other.close();
    await homeserver.remove();
  });

  const alice = () => homeserver.as('alice');
  const whoAmI = () => alice().get('/_chat/client/v3/account/whoami');
  const name = '/_chat/client/v3/profile/@alice:localhost/displayname';

  test('reads continue, and writes wait', async () => {
    other.exec('begin immediate');
    let renamed = false;
    const renaming = alice()
      .put(name, { displayname: 'Alice' })
      .finally(() => {
        renamed = true;
      });
    for (let count = 0; count < 20; count++) expect((await whoAmI()).status).toBe(200);
    expect(renamed).toBe(false);
    other.exec('commit');
    expect((await renaming).status).toBe(200);
    expect((await alice().get(name)).body).toEqual({ displayname: 'Alice' });
  });
});

// Each waits for ten seconds.
describe.runIf(!inject('postgres')).concurrent('while another process locks the SQLite file for long', () => {
  const name = '/profile/@admin:localhost/displayname';
  const often = { per_second: 100, burst_count: 100 };

  /** A server, and another process that has its file open. */
  async function setUp() {
    const data = await makeData({ rc_profile_changes: often, rc_room_creation: often });
    const scene = {
      data,
      served: await serve(...data.source),
      other: new SqliteDatabase(join(data.dataDir, 'homeserver.db')),
      async [Symbol.asyncDispose]() {
        scene.other.close();
        await scene.served.end('SIGKILL');
        await data.remove();
      },
    };
    return scene;
  }

  /** Changes that stand in line for the file, and rooms that stand in line to be made after one another. */
  const askForMuch = (admin: SignedIn) => [
    ...Array.from({ length: 20 }, (_, index) => admin.put(name, { displayname: `Ada ${index}` })),
    ...Array.from({ length: 10 }, () => admin.post('/createRoom', {})),
  ];

  /** Much that waits, and who asked for it. */
  async function changeMuch({ served, other }: Awaited<ReturnType<typeof setUp>>) {
    const admin = await signIn(served.url);
    other.exec('begin exclusive');
    return { admin, changes: askForMuch(admin) };
  }

  test.runIf(isMatrix)(
    'queued writes share one wait, and a later stop is as fast as ever',
    async ({ expect }) => {
      await using scene = await setUp();
      const begun = performance.now();
      const { admin, changes } = await changeMuch(scene);
      for (const change of changes) expect((await change).status).toBe(503);
      // None waits anew, and none is tried again when that would be for nothing.
      expect(performance.now() - begun).toBeLessThan(20_000);
      // That it is held is known by now.
      const late = askForMuch(admin);
      expect((await admin.get('/account/whoami')).status).toBe(200);
      const told = performance.now();
      const ended = scene.served.end('SIGTERM');
      for (const { status, body, headers } of await Promise.all(late)) {
        expect({ status, ...body }).toMatchObject({ status: 503, errcode: 'M_UNKNOWN' });
        expect(headers.get('retry-after')).toBe('2');
      }
      expect(await ended).toBe(0);
      expect(performance.now() - told).toBeLessThan(8_000);
      expect(await scene.served.errors).not.toMatch(/^ +at /m);
      scene.other.close();
      scene.served = await serve(...scene.data.source);
      const again = await signIn(scene.served.url);
      expect((await again.put(name, { displayname: 'Ada' })).status).toBe(200);
    },
  );

  test('writes fail at once after one timed out, and the log says so once', async ({ expect }) => {
    await using scene = await setUp();
    const admin = await signIn(scene.served.url);
    const { room_id } = (await admin.post('/createRoom', {})).body;
    scene.other.exec('begin exclusive');
    expect((await admin.put(name, { displayname: 'Ada' })).status).toBe(503);
    const known = performance.now();
    // Nobody tries to write for longer than it takes to forget that others did.
    while (performance.now() < known + 1_500) {
      expect((await admin.get('/account/whoami')).status).toBe(200);
      await setTimeout(50);
    }
    for (const displayname of ['Ada', 'Eve']) {
      const asked = performance.now();
      const { status, body, headers } = await admin.put(name, { displayname });
      expect(performance.now() - asked).toBeLessThan(1_000);
      expect({ status, ...body }).toMatchObject({ status: 503, errcode: 'M_UNKNOWN' });
      expect(headers.get('retry-after')).toBe('2');
      const typing = { typing: true, timeout: 30_000 };
      expect((await admin.put(`/rooms/${room_id}/typing/@admin:localhost`, typing)).status).toBe(200);
    }
    scene.other.exec('commit');
    expect((await admin.put(name, { displayname: 'Ada' })).status).toBe(200);
    // It is as patient again as it was before.
    scene.other.exec('begin exclusive');
    const waiting = admin.put(name, { displayname: 'Eve' });
    const held = performance.now();
    while (performance.now() < held + 1_500) {
      expect((await admin.get('/account/whoami')).status).toBe(200);
      await setTimeout(50);
    }
    scene.other.exec('commit');
    expect((await waiting).status).toBe(200);
    expect(await scene.served.end('SIGTERM')).toBe(0);
    const said = (await scene.served.errors).split('\n').filter((line) => / (WARN|ERROR) /.test(line));
    expect(said).toEqual([
      expect.stringMatching(
        / ERROR database: another program has locked \S+homeserver\.db for 10 s: writes fail/,
      ),
      expect.stringMatching(
        / WARN database: \S+homeserver\.db is unlocked again after \d+ s; \d+ writes failed in the meantime$/,
      ),
    ]);
  });

  test('a command fails with one line that says what to do, and changes nothing', async ({ expect }) => {
    await using scene = await setUp();
    const runAll = () =>
      Promise.all(
        [
          ['users', 'add', 'dora', '--password', 'p'],
          ...(isMatrix
            ? [['users', 'sign-in-link', '--console', 'http://localhost/console/'], ['sample-data']]
            : []),
        ].map((command) => gatehouse(...command, ...scene.data.source)),
      );
    scene.other.exec('begin exclusive');
    for (const result of await runAll()) {
      expect(result).toEqual({
        code: 1,
        output: '',
        errors:
          `gatehouse: database.args.database: ${scene.other.name} is in use by another program; ` +
          'wait until it has finished or stop it, then try again; nothing was changed\n',
      });
    }
    scene.other.exec('commit');
    for (const result of await runAll()) expect(result).toMatchObject({ code: 0, errors: '' });
  });

  test('SIGTERM ends the wait of the server and of its requests', async ({ expect }) => {
    await using scene = await setUp();
    const { admin, changes } = await changeMuch(scene);
    // They wait by the time that the next one is answered.
    expect((await admin.get('/account/whoami')).status).toBe(200);
    const told = performance.now();
    const ended = scene.served.end('SIGTERM');
    for (const change of changes) expect((await change).status).toBe(503);
    expect(await ended).toBe(0);
    // To try them again would take longer.
    expect(performance.now() - told).toBeLessThan(8_000);
  });

  test('a server started during the lock stops at once', async ({ expect }) => {
    await using scene = await setUp();
    expect(await scene.served.end('SIGTERM')).toBe(0);
    scene.other.exec('begin immediate');
    scene.served = await serve(...scene.data.source);
    const told = performance.now();
    expect(await scene.served.end('SIGTERM')).toBe(0);
    // What it couldn't do at its start would be tried again after a minute.
    expect(performance.now() - told).toBeLessThan(30_000);
  });
});
