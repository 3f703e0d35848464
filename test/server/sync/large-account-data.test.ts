/** However much account data a user has, nobody else waits for who reads it. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../server/database/database.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { expectShortTurns } from '../longest-turn.ts';

let homeserver: TestHomeserver;
let room: string;
const client = '/_chat/client/v3';
const count = 900;
/** How long a turn may be, in milliseconds. */
const limit = 50;
const content = { text: 'x'.repeat(20_000) };

beforeAll(async () => {
  homeserver = await startHomeserver();
  for (const name of ['alice', 'bob']) {
    const person = homeserver.as(name);
    room = (await person.post(`${client}/createRoom`, {})).body.room_id;
    const where = name === 'alice' ? '' : `/rooms/${encodeURIComponent(room)}`;
    const path = `${client}/user/${encodeURIComponent(person.userId)}${where}/account_data/org.example.thing`;
    expect((await person.put(path, content)).status).toBe(200);
  }
  const db = await openDatabase(homeserver.config.database);
  await sql`with recursive numbers(number) as
      (select 1 union all select number + 1 from numbers where number < ${sql.lit(count - 1)})
    insert into account_data (user_id, room_id, type, content, stream_id)
    select user_id, room_id, type || number, content, stream_id from numbers, account_data
    where type = 'org.example.thing'`.execute(db);
  await db.destroy();
}, 60_000);
afterAll(() => homeserver.remove());

type Data = { events: { type: string; content: object }[] };
type Body = { account_data: Data; rooms: { join: Record<string, { account_data: Data }> } };

test.each([
  ['of no room', 'alice', (body: Body) => body.account_data],
  ['of a room', 'bob', (body: Body) => body.rooms.join[room]?.account_data],
])('account data %s comes with a first sync, and no turn of the loop is long', async (_, name, dataOf) => {
  const ask = () =>
    fetch(`${homeserver.url}${client}/sync`, {
      headers: { authorization: `Bearer ${homeserver.as(name).accessToken}` },
    });
  // The first reply of a kind pays for its queries, too.
  const data = dataOf((await (await ask()).json()) as Body);
  const things = data?.events.filter(({ type }) => type.startsWith('org.example.thing')) ?? [];
  expect(new Set(things.map(({ type }) => type)).size).toBe(count);
  expect(things.every((thing) => JSON.stringify(thing.content) === JSON.stringify(content))).toBe(true);
  await expectShortTurns(limit, ask);
});
