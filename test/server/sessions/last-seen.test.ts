/** From where users call is kept behind their requests: what becomes of it is nothing that they notice. */
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

/** Something that each user may read; none of them was seen before. */
const reads = [
  ['alice', '/_chat/client/v3/account/whoami'],
  ['bob', '/_chat/client/v3/joined_rooms'],
  ['carol', '/_chat/client/v3/devices'],
  ['admin', '/_service/admin/v1/event_reports'],
] as const;

async function expectReads(): Promise<void> {
  for (const [name, path] of reads) expect((await as(name).get(path)).status).toBe(200);
}

/** Keeps others from writing what they have to write to note a user; gives what ends that. */
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
  test('a first read is answered, and where it came from is known afterwards', async () => {
    const release = await lockUser(as('alice').userId);
    const begun = performance.now();
    const { status } = await as('alice').get('/_chat/client/v3/account/whoami');
    const taken = performance.now() - begun;
    await release();
    expect(status).toBe(200);
    // Far less than the engines wait for a lock.
    expect(taken).toBeLessThan(5_000);
    expect(await whois('alice')).toMatchObject([{ ip: '127.0.0.1' }]);
  });
});

describe('while the database takes nothing more', () => {
  test('everybody can read, and is known when it takes something again', async () => {
    const acceptWrites = await refuseInserts(homeserver, 'user_connections');
    await expectReads();
    // Asking for it does not fail either.
    expect((await as('admin').get(`/_service/admin/v1/whois/${as('bob').userId}`)).status).toBe(200);
    expect((await as('admin').get('/_service/admin/v2/users')).status).toBe(200);
    await acceptWrites();
    for (const [name] of reads) expect(await whois(name)).toMatchObject([{ ip: '127.0.0.1' }]);
  });
});

test('what was noted is kept when the server stops', async () => {
  await expectReads();
  await homeserver.restart();
  const { body } = await as('admin').get('/_service/admin/v2/users');
  for (const { last_seen_ts } of body.users) expect(last_seen_ts).toBeGreaterThan(0);
});

test('many clients of many users at once are all known', async () => {
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

test('a connection that the database will never take keeps no other from being kept', async () => {
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
  ])('%s in place of an address is not kept, and others are', async (_, forwarded) => {
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
