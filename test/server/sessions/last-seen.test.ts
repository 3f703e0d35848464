/** Last-seen data is saved after the request, so problems with it don't affect users. */
import { randomBytes } from 'node:crypto';
import SqliteDatabase from 'better-sqlite3';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { beforeInsert, refuseInserts } from '../database/before-insert.ts';
import { localListener, startHomeserver, type TestHomeserver } from '../homeserver.ts';

let homeserver: TestHomeserver;
beforeEach(async () => {
  homeserver = await startHomeserver();
});
afterEach(() => homeserver.remove());

const as = (name: string) => homeserver.as(name);
const whois = async (name: string) =>
  (await as('admin').get(`/_service/admin/v1/whois/${as(name).userId}`)).body.devices[''].sessions[0]
    .connections;

/** A request that each user may send; none of the users was seen before. */
const reads = [
  ['alice', '/_chat/client/v3/account/whoami'],
  ['bob', '/_chat/client/v3/joined_rooms'],
  ['carol', '/_chat/client/v3/devices'],
  ['admin', '/_service/admin/v1/event_reports'],
] as const;

async function expectReads(): Promise<void> {
  for (const [name, path] of reads) expect((await as(name).get(path)).status).toBe(200);
}

/** Locks the row needed to save a user's last-seen data. Returns a function that unlocks it. */
async function lockUser(userId: string): Promise<() => Promise<void>> {
  const { database } = homeserver.config;
  if (database.name === 'sqlite3') {
    const connection = new SqliteDatabase(database.file);
    connection.exec('begin immediate');
    return async () => void connection.close();
  }
  const { host, port, user, password } = database;
  const client = new Client({ host, port, user, password, database: database.database });
  await client.connect();
  await client.query('begin');
  await client.query('select * from users where user_id = $1 for update', [userId]);
  return () => client.end();
}

describe('while another process holds the user or the database', () => {
  test('a first read is answered, and its address is recorded later', async () => {
    const release = await lockUser(as('alice').userId);
    const begun = performance.now();
    const { status } = await as('alice').get('/_chat/client/v3/account/whoami');
    const taken = performance.now() - begun;
    await release();
    expect(status).toBe(200);
    // Far less than the engines' lock timeout.
    expect(taken).toBeLessThan(5_000);
    expect(await whois('alice')).toMatchObject([{ ip: '127.0.0.1' }]);
  });
});

describe('while the database accepts no writes', () => {
  test('everyone can read, and is recorded when it does again', async () => {
    const acceptWrites = await refuseInserts(homeserver, 'user_connections');
    await expectReads();
    // Reading it doesn't fail either.
    expect((await as('admin').get(`/_service/admin/v1/whois/${as('bob').userId}`)).status).toBe(200);
    expect((await as('admin').get('/_service/admin/v2/users')).status).toBe(200);
    await acceptWrites();
    for (const [name] of reads) expect(await whois(name)).toMatchObject([{ ip: '127.0.0.1' }]);
  });
});

test('pending records are saved at shutdown', async () => {
  await expectReads();
  await homeserver.restart();
  const { body } = await as('admin').get('/_service/admin/v2/users');
  for (const { last_seen_ts } of body.users) expect(last_seen_ts).toBeGreaterThan(0);
});

test('many clients of many users are all recorded', async () => {
  const { body } = await as('alice').post('/_chat/client/v3/createRoom', {});
  expect(body.room_id).toBeDefined();
  const names = Array.from({ length: 40 }, (_, number) => `client ${number}`);
  await Promise.all(
    ['alice', 'bob', 'carol'].flatMap((name) =>
      names.map((agent) =>
        fetch(`${homeserver.url}/_chat/client/v3/account/whoami`, {
          headers: { authorization: `Bearer ${as(name).accessToken}`, 'user-agent': agent },
        }),
      ),
    ),
  );
  for (const name of ['alice', 'bob', 'carol']) {
    const agents = async () =>
      (await whois(name)).map(({ user_agent }: { user_agent: string }) => user_agent);
    await expect.poll(agents).toEqual(expect.arrayContaining(names));
  }
});

test("a connection that can't be stored doesn't prevent others", async () => {
  await beforeInsert(homeserver, 'user_connections', {
    sqlite: "select raise(abort, 'refused') where new.user_agent = 'refused'",
    postgres: "if new.user_agent = 'refused' then raise exception 'refused'; end if",
  });
  const call = (name: string, agent: string) =>
    fetch(`${homeserver.url}/_chat/client/v3/account/whoami`, {
      headers: { authorization: `Bearer ${as(name).accessToken}`, 'user-agent': agent },
    });
  expect((await call('alice', 'refused')).status).toBe(200);
  expect((await call('alice', 'good')).status).toBe(200);
  expect((await call('bob', 'good')).status).toBe(200);
  for (const name of ['alice', 'bob']) expect(await whois(name)).toMatchObject([{ user_agent: 'good' }]);
});

describe('behind a proxy', () => {
  beforeEach(async () => {
    await homeserver.remove();
    homeserver = await startHomeserver({ config: { listeners: [{ ...localListener, trustsProxy: true }] } });
  });

  test.each([
    ['a long text', randomBytes(4_000).toString('hex')],
    ['an address with a long zone', `fe80::1%${randomBytes(4_000).toString('hex')}`],
    ['a word', 'unknown'],
  ])("%s in place of an address isn't stored, and others are", async (_, forwarded) => {
    const call = (name: string, address: string) =>
      fetch(`${homeserver.url}/_chat/client/v3/account/whoami`, {
        headers: { authorization: `Bearer ${as(name).accessToken}`, 'x-forwarded-for': address },
      });
    expect((await call('alice', forwarded)).status).toBe(200);
    expect((await call('alice', '2001:db8::7')).status).toBe(200);
    expect((await call('bob', '198.51.100.7')).status).toBe(200);
    expect(await whois('alice')).toMatchObject([{ ip: '2001:db8::7' }]);
    expect(await whois('bob')).toMatchObject([{ ip: '198.51.100.7' }]);
  });
});
