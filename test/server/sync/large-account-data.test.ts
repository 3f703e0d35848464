/** Large account data: reading it doesn't delay other users. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../server/platform/database/database.ts';
import { isMatrix } from '../../matrix.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { expectShortTurns } from '../longest-turn.ts';

let homeserver: TestHomeserver;
let room: string;
const client = '/_chat/client/v3';
const count = isMatrix ? 900 : 400;
/** Limit per event loop turn, in milliseconds. */
const limit = 150;
const content = { text: 'x'.repeat(20_000) };
/** Number of large items, and of names in each: nearly a megabyte. */
const [longOnes, names] = [isMatrix ? 16 : 10, 60_000];
const longContent = Object.fromEntries(Array.from({ length: names }, (_, index) => [`name${index}`, {}]));

beforeAll(async () => {
  homeserver = await startHomeserver();
  for (const name of ['alice', 'bob']) {
    const person = homeserver.as(name);
    room = (await person.post(`${client}/createRoom`, {})).body.room_id;
    const where = name === 'alice' ? '' : `/rooms/${encodeURIComponent(room)}`;
    const path = `${client}/user/${encodeURIComponent(person.userId)}${where}/account_data/org.example.thing`;
    expect((await person.put(path, content)).status).toBe(200);
  }
  const carol = homeserver.as('carol');
  const long = `${client}/user/${encodeURIComponent(carol.userId)}/account_data/org.example.long`;
  expect((await carol.put(long, longContent)).status).toBe(200);
  await copy('org.example.thing', count - 1);
  await copy('org.example.long', longOnes - 1);
}, 60_000);
afterAll(() => homeserver.remove());

async function copy(type: string, copies: number): Promise<void> {
  const db = await openDatabase(homeserver.config.database);
  await sql`with recursive numbers(number) as
      (select 1 union all select number + 1 from numbers where number < ${sql.lit(copies)})
    insert into account_data (user_id, room_id, type, content, stream_id)
    select user_id, room_id, type || number, content, stream_id from numbers, account_data
    where type = ${type}`.execute(db);
  await db.destroy();
}

type Data = { events: { type: string; content: object }[] };
type Body = { account_data: Data; rooms: { join: Record<string, { account_data: Data }> } };

test.each([
  ['of no room', 'alice', (body: Body) => body.account_data],
  ['of a room', 'bob', (body: Body) => body.rooms.join[room]?.account_data],
])('account data %s comes with a first sync without blocking the event loop', async (_, name, dataOf) => {
  const ask = () =>
    fetch(`${homeserver.url}${client}/sync`, {
      headers: { authorization: `Bearer ${homeserver.as(name).accessToken}` },
    });
  // The first reply of a kind also prepares its queries.
  const data = dataOf((await (await ask()).json()) as Body);
  const things = data?.events.filter(({ type }) => type.startsWith('org.example.thing')) ?? [];
  expect(new Set(things.map(({ type }) => type)).size).toBe(count);
  expect(things.every((thing) => JSON.stringify(thing.content) === JSON.stringify(content))).toBe(true);
  await expectShortTurns(limit, ask);
});

type Listed = { type: string; content: object }[];

const readings: [
  what: string,
  who: string,
  path: string,
  body: object | undefined,
  (body: never) => Listed,
][] = [
  ['a first sync', 'carol', `${client}/sync`, undefined, (body: Body) => body.account_data.events],
  [
    'a first sync with a filter that looks at the content',
    'carol',
    `${client}/sync?filter=${encodeURIComponent('{"account_data":{"contains_url":false}}')}`,
    undefined,
    (body: Body) => body.account_data.events,
  ],
  [
    'a first sliding sync',
    'carol',
    '/_chat/client/unstable/org.matrix.simplified_msc3575/sync',
    { extensions: { account_data: { enabled: true } } },
    (body: { extensions: { account_data: { global: Listed } } }) => body.extensions.account_data.global,
  ],
  [
    'a first sync of older clients',
    'carol',
    `${client}/initialSync`,
    undefined,
    (body: { account_data: Listed }) => body.account_data,
  ],
  [
    'the admin API',
    'admin',
    '/_service/admin/v1/users/@carol:localhost/accountdata',
    undefined,
    (body: { account_data: { global: Record<string, object> } }) =>
      Object.entries(body.account_data.global).map(([type, of]) => ({ type, content: of })),
  ],
];

test.each(readings)(
  'very long account data comes with %s without a long turn of the loop',
  {
    timeout: 120_000,
  },
  async (_, who, path, body, dataOf) => {
    const ask = () =>
      fetch(homeserver.url + path, {
        method: body ? 'POST' : 'GET',
        ...(body && { body: JSON.stringify(body) }),
        headers: { authorization: `Bearer ${homeserver.as(who).accessToken}` },
      });
    const data = dataOf((await (await ask()).json()) as never);
    const own = data.filter(({ type }) => type.startsWith('org.example.long'));
    expect(new Set(own.map(({ type }) => type)).size).toBe(longOnes);
    expect(own.at(-1)?.content).toEqual(longContent);
    await expectShortTurns(limit, ask);
  },
);
