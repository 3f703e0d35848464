import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { CacheConfig } from '../../../server/platform/config/caches.ts';
import { settingsTable } from '../../../server/platform/config/settings-table.ts';
import { manualClock } from '../../manual-clock.ts';
import { call, localListener, startHomeserver } from '../homeserver.ts';

const minute = 60_000;

async function serve(caches: CacheConfig) {
  const clock = manualClock();
  const config = {
    caches,
    metricsListeners: [localListener],
    registration: { enabled: true, requiresToken: false, sharedSecret: 'shared' },
  };
  const homeserver = await startHomeserver({ config, clock });
  const { as, url } = homeserver;
  return {
    ...homeserver,
    clock,
    async figure(kind: 'entries' | 'hits' | 'misses', cache: string): Promise<number> {
      const figures = await (await fetch(homeserver.metricsUrl ?? '')).text();
      const found = new RegExp(`^gatehouse_cache_${kind}{name="${cache}"} (\\d+)$`, 'm').exec(figures);
      return Number(found?.[1] ?? Number.NaN);
    },
    /** Calls as Alice from this many devices. */
    async visit(times: number) {
      for (let n = 0; n < times; n++) {
        const headers = { authorization: `Bearer ${as('alice').accessToken}`, 'user-agent': `device ${n}` };
        await fetch(`${url}/_matrix/client/v3/account/whoami`, { headers });
      }
    },
  };
}

test('every cache has the size of its factor and drops unused entries', async () => {
  const server = await serve({
    globalFactor: 0.0005,
    factors: { CLIENT_IP_LAST_SEEN: 0.002 },
    entryTtlMs: 30 * minute,
  });
  await server.visit(30);
  expect(await server.figure('entries', 'client_ip_last_seen')).toBe(20);
  for (let n = 0; n < 3; n++) {
    const { body } = await server.as('alice').post('/_matrix/client/v3/createRoom', {});
    const path = `/_matrix/client/v3/rooms/${body.room_id}/send/m.room.message/1`;
    await server.as('alice').put(path, { msgtype: 'm.text', body: 'hello' });
  }
  expect(await server.figure('entries', 'getEvent')).toBe(5);
  expect(await server.figure('misses', 'getEvent')).toBeGreaterThan(0);
  server.clock.advance(31 * minute);
  expect(await server.figure('entries', 'client_ip_last_seen')).toBe(0);
  expect(await server.figure('entries', 'getEvent')).toBe(0);
  await server.remove();
});

test('large room states take the place of many in the cache', async () => {
  const server = await serve({
    globalFactor: 1,
    factors: { getEvent: 0.005, room_state_at_head: 0.02 },
    entryTtlMs: undefined,
  });
  const alice = server.as('alice');
  const rooms: string[] = [];
  for (let n = 0; n < 8; n++) {
    const { body } = await alice.post('/_matrix/client/v3/createRoom', {});
    const room = `/_matrix/client/v3/rooms/${body.room_id}`;
    rooms.push(room);
    const large = { membership: 'join', about: 'x'.repeat(45_000) };
    await alice.put(`${room}/state/m.room.member/${alice.userId}`, large);
  }
  for (const room of rooms) {
    await alice.put(`${room}/send/m.room.message/1`, { msgtype: 'm.text', body: 'hello' });
    expect(await server.figure('entries', 'room_state_at_head')).toBe(1);
    expect(await server.figure('entries', 'getEvent')).toBeLessThanOrEqual(5);
  }
  await server.remove();
});

test('long ignore lists take the place of many in the cache of push rules', async () => {
  const server = await serve({
    globalFactor: 1,
    factors: { get_push_rules_for_user: 0.001 },
    entryTtlMs: undefined,
  });
  const people = ['alice', 'bob', 'carol'].map((name) => server.as(name));
  const { body } = await server.as('admin').post('/_matrix/client/v3/createRoom', { preset: 'public_chat' });
  const ignored_users = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, n) => [`@nobody-${n}:localhost`, {}]),
  );
  for (const { userId, post, put } of people) {
    expect((await post(`/_matrix/client/v3/join/${body.room_id}`, {})).status).toBe(200);
    const path = `/_matrix/client/v3/user/${userId}/account_data/m.ignored_user_list`;
    expect((await put(path, { ignored_users })).status).toBe(200);
  }
  // The server detects the changed lists with the first message.
  for (const txn of [1, 2]) {
    const path = `/_matrix/client/v3/rooms/${body.room_id}/send/m.room.message/${txn}`;
    await server.as('admin').put(path, { msgtype: 'm.text', body: 'hello' });
  }
  expect(await server.figure('entries', 'get_push_rules_for_user')).toBe(1);
  await server.remove();
});

test("data about to be used isn't in a cache that could be too small", async () => {
  const server = await serve({ globalFactor: 0.0001, entryTtlMs: 0 });
  const person = { username: 'dora', password: 'secret' };
  const register = (auth?: object) =>
    call(server.url, 'POST', '/_matrix/client/v3/register', undefined, { ...person, auth });
  const { session } = (await register()).body;
  await register();
  const { nonce } = (await call(server.url, 'GET', '/_synapse/admin/v1/register')).body;
  await call(server.url, 'GET', '/_synapse/admin/v1/register');
  server.clock.advance(59_000);
  const user = { username: 'emil', password: 'secret', admin: false };
  const text = [nonce, user.username, user.password, 'notadmin'].join('\0');
  const mac = createHmac('sha1', 'shared').update(text).digest('hex');
  const made = await call(server.url, 'POST', '/_synapse/admin/v1/register', undefined, {
    ...user,
    nonce,
    mac,
  });
  expect(made.status).toBe(200);
  expect((await register({ type: 'm.login.dummy', session })).status).toBe(200);
  await server.remove();
});

test('each has a name for its size setting, which the table of settings lists', async () => {
  const homeserver = await startHomeserver();
  const names = [...homeserver.services.caches.figures().keys()];
  expect(names).toEqual(expect.arrayContaining(['recent_events', 'room_bump_stamps', 'members_to_wake']));
  const table = settingsTable();
  for (const name of names) expect(table).toContain(`\`${name}\``);
  await homeserver.remove();
});
