/** Large key backups: reading one doesn't delay other users. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../server/platform/database/database.ts';
import { type Reply, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { expectShortTurns } from '../longest-turn.ts';

let homeserver: TestHomeserver;
const at = (rest: string) => `/_chat/client/v3/room_keys/${rest}`;
const [rooms, perRoom] = [20, 1000];
const one = '!room1:localhost';
const key = {
  first_message_index: 5,
  forwarded_count: 3,
  is_verified: false,
  session_data: { ciphertext: 'x'.repeat(550), ephemeral: 'y', mac: 'z' },
};
/** Limit per event loop turn, in milliseconds. */
const limit = 50;

beforeAll(async () => {
  homeserver = await startHomeserver();
}, 60_000);
afterAll(() => homeserver.remove());

/** Creates a user with a large backup. Returns a function that reads it. */
async function backUp(name: string): Promise<Backup> {
  const user = await homeserver.add(name);
  const backup = { algorithm: 'm.megolm_backup.v1.curve25519-aes-sha2', auth_data: {} };
  const { version } = (await user.post(at('version'), backup)).body;
  const first = at(`keys/${encodeURIComponent(one)}/session1?version=${version}`);
  expect((await user.put(first, key)).status).toBe(200);
  await copyKey(user.userId, version);
  const url = (path: string) => at(`${path}?version=${version}`);
  return {
    user,
    url,
    read: (path) => user.get(url(path)),
    fetch: (path) =>
      fetch(homeserver.url + url(path), { headers: { authorization: `Bearer ${user.accessToken}` } }),
  };
}

type Backup = {
  user: ReturnType<TestHomeserver['as']>;
  url(path: string): string;
  read(path: string): Promise<Reply>;
  fetch(path: string): Promise<Response>;
};

/** Copies the existing key until the backup has the target number. */
async function copyKey(userId: string, version: string): Promise<void> {
  const db = await openDatabase(homeserver.config.database);
  const { first_message_index, forwarded_count, is_verified, session_data, user_id } = await db
    .selectFrom('key_backup_sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  const numbers = sql`with recursive numbers(number) as
    (select 1 union all select number + 1 from numbers where number < ${sql.lit(rooms * perRoom - 1)})`;
  await sql`${numbers} insert into key_backup_sessions (user_id, version, room_id, session_id,
      first_message_index, forwarded_count, is_verified, session_data)
    select ${user_id}, ${sql.lit(Number(version))},
      '!room' || (number / ${sql.lit(perRoom)} + 1) || ':localhost',
      'session' || (number % ${sql.lit(perRoom)} + 1),
      ${sql.lit(first_message_index)}, ${sql.lit(forwarded_count)}, ${sql.lit(is_verified)}, ${session_data}
    from numbers`.execute(db);
  await db.destroy();
}

type Sessions = { sessions: Record<string, unknown> };

test.each([
  ['all of them', 'keys', rooms, (body: { rooms: Record<string, Sessions> }) => Object.values(body.rooms)],
  ['those of a room', `keys/${encodeURIComponent(one)}`, 1, (body: Sessions) => [body]],
])('%s are read without blocking the event loop', async (_, path, count, roomsOf) => {
  const backup = await backUp(`reader-of-${count}`);
  // The first reply of a kind also prepares its queries.
  const inRooms = roomsOf((await backup.read(path)).body);
  expect(inRooms).toHaveLength(count);
  for (const { sessions } of inRooms) expect(Object.keys(sessions)).toHaveLength(perRoom);
  expect(inRooms[0]?.sessions.session1).toEqual(key);
  expect(inRooms[0]?.sessions.session1000).toEqual(key);
  await expectShortTurns(limit, () => backup.fetch(path));
});

test('a user may read four times at once without delaying others', async () => {
  const { read, url } = await backUp('erik');
  const statuses = (replies: Reply[]) => replies.map(({ status }) => status).sort();
  const five = Array.from({ length: 5 }, () => read('keys'));
  expect(await homeserver.as('bob').get(url('keys'))).toMatchObject({ status: 404 });
  const replies = await Promise.all(five);
  expect(statuses(replies)).toEqual([200, 200, 200, 200, 429]);
  expect(replies.find(({ status }) => status === 429)).toMatchObject({
    body: { errcode: 'M_LIMIT_EXCEEDED', retry_after_ms: expect.any(Number) },
  });
  expect((await read('keys')).status).toBe(200);
});

test('the database is read no faster than the client reads', async () => {
  const { user, url, read, fetch: fetchKeys } = await backUp('frida');
  const reading = await fetchKeys('keys');
  expect(reading.status).toBe(200);
  expect(await user.delete(url('keys'))).toMatchObject({ status: 200 });
  const found = ((await reading.json()) as { rooms: Record<string, Sessions> }).rooms;
  const keys = Object.values(found).flatMap(({ sessions }) => Object.values(sessions));
  expect(keys.length).toBeLessThan(rooms * perRoom);
  for (const some of keys) expect(some).toEqual(key);
  expect((await read('keys')).body).toEqual({ rooms: {} });
  expect((await read(`keys/${encodeURIComponent(one)}`)).body).toEqual({ sessions: {} });
});
