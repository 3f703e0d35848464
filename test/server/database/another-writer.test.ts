import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { isMatrix } from '../../matrix.ts';
import { gatehouse, serve } from '../gatehouse.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeData } from './data.ts';
import { type SignedIn, signIn } from './logged-in-user.ts';

describe.runIf(!inject('postgres'))('while another process writes to the SQLite file', () => {
  let homeserver: TestHomeserver;
  let other: SqliteDatabase.Database;
  beforeAll(async () => {
    homeserver = await startHomeserver();
    const { database } = homeserver.config;
    if (database.name !== 'sqlite3') throw new Error('this is no SQLite');
    other = new SqliteDatabase(database.file);
    // The first call records the client's address.
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

// Each test waits for ten seconds.
describe.runIf(!inject('postgres')).concurrent('while another process locks the SQLite file for long', () => {
  const name = '/profile/@admin:localhost/displayname';
  const often = { per_second: 100, burst_count: 100 };

  /** Starts a server and opens its file in this process too. */
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

  /** Sends changes that queue for the file, and room creations that queue behind each other. */
  const askForMuch = (admin: SignedIn) => [
    ...Array.from({ length: 20 }, (_, index) => admin.put(name, { displayname: `Ada ${index}` })),
    ...Array.from({ length: 10 }, () => admin.post('/createRoom', {})),
  ];

  /** Locks the file and sends many changes. Returns them and their sender. */
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
      // Queued writes share one wait, and writes that would fail aren't retried.
      expect(performance.now() - begun).toBeLessThan(20_000);
      // The server knows about the lock by now.
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

  test('writes fail immediately after one timed out, and the log has a single line', async ({ expect }) => {
    await using scene = await setUp();
    const admin = await signIn(scene.served.url);
    const { room_id } = (await admin.post('/createRoom', {})).body;
    scene.other.exec('begin exclusive');
    expect((await admin.put(name, { displayname: 'Ada' })).status).toBe(503);
    const known = performance.now();
    // No write is attempted until the server has forgotten the lock.
    while (performance.now() < known + 1_500) {
      expect((await admin.get('/account/whoami')).status).toBe(200);
      await setTimeout(50);
    }
    for (const displayname of ['Ada', 'Eve']) {
      const asked = performance.now();
      const { status, body, headers } = await admin.put(name, { displayname });
      expect(performance.now() - asked).toBeLessThan(9_000);
      expect({ status, ...body }).toMatchObject({ status: 503, errcode: 'M_UNKNOWN' });
      expect(headers.get('retry-after')).toBe('2');
      const typing = { typing: true, timeout: 30_000 };
      expect((await admin.put(`/rooms/${room_id}/typing/@admin:localhost`, typing)).status).toBe(200);
    }
    scene.other.exec('commit');
    expect((await admin.put(name, { displayname: 'Ada' })).status).toBe(200);
    // The wait is as long as before.
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

  test('a command fails with one line that names the fix, and changes nothing', async ({ expect }) => {
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
    // The changes are waiting when the next request is answered.
    expect((await admin.get('/account/whoami')).status).toBe(200);
    const told = performance.now();
    const ended = scene.served.end('SIGTERM');
    for (const change of changes) expect((await change).status).toBe(503);
    expect(await ended).toBe(0);
    // Retrying them would take longer.
    expect(performance.now() - told).toBeLessThan(8_000);
  });

  test('a server started during the lock stops at once', async ({ expect }) => {
    await using scene = await setUp();
    expect(await scene.served.end('SIGTERM')).toBe(0);
    scene.other.exec('begin immediate');
    scene.served = await serve(...scene.data.source);
    const told = performance.now();
    expect(await scene.served.end('SIGTERM')).toBe(0);
    // The server would retry its failed startup work after a minute.
    expect(performance.now() - told).toBeLessThan(55_000);
  });
});
