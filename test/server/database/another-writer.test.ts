import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { serve } from '../gatehouse.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeData } from './data.ts';
import { signIn } from './person.ts';

describe.runIf(!inject('postgres'))('while another process writes into the SQLite file', () => {
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

  test('reading goes on, and writing waits for it', async () => {
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

test.runIf(!inject('postgres'))(
  'a server that is told to stop waits no longer for who holds the SQLite file, nor does who asks it',
  async () => {
    const data = await makeData();
    const served = await serve(...data.source);
    const admin = await signIn(served.url);
    const other = new SqliteDatabase(join(data.dataDir, 'homeserver.db'));
    other.exec('begin exclusive');
    const changes = Array.from({ length: 20 }, (_, index) =>
      admin.put(`/profile/@admin:localhost/displayname`, { displayname: `Alice ${index}` }),
    );
    // They wait by the time that the next one is answered.
    expect((await admin.get('/account/whoami')).status).toBe(200);
    const told = performance.now();
    const ended = served.end('SIGTERM');
    for (const change of changes) expect((await change).status).toBe(503);
    expect(await ended).toBe(0);
    // To try them again would take longer.
    expect(performance.now() - told).toBeLessThan(5_000);
    other.close();
    await data.remove();
  },
);

test.runIf(!inject('postgres'))(
  'who stands in line behind a long wait waits no further time of its own',
  async () => {
    const data = await makeData();
    const served = await serve(...data.source);
    const admin = await signIn(served.url);
    const other = new SqliteDatabase(join(data.dataDir, 'homeserver.db'));
    other.exec('begin exclusive');
    const begun = performance.now();
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const { status } = await admin.put('/profile/@admin:localhost/displayname', {
          displayname: `${index}`,
        });
        return status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([503]));
    // Not twice as long as the first of them.
    expect(performance.now() - begun).toBeLessThan(19_000);
    other.close();
    expect((await admin.put('/profile/@admin:localhost/displayname', { displayname: 'Alice' })).status).toBe(
      200,
    );
    expect(await served.end('SIGTERM')).toBe(0);
    await data.remove();
  },
);

test.runIf(!inject('postgres'))(
  'a server that began while its file was held ends at once when it is told',
  async () => {
    const data = await makeData();
    expect(await (await serve(...data.source)).end('SIGTERM')).toBe(0);
    const other = new SqliteDatabase(join(data.dataDir, 'homeserver.db'));
    other.exec('begin immediate');
    const served = await serve(...data.source);
    const told = performance.now();
    expect(await served.end('SIGTERM')).toBe(0);
    // What it couldn't do at its start would be tried again after a minute.
    expect(performance.now() - told).toBeLessThan(30_000);
    other.close();
    await data.remove();
  },
);
