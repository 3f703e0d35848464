/** However much state a room has, nobody else waits for who reads it. */
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../server/database/database.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { longestTurn } from '../longest-turn.ts';

let homeserver: TestHomeserver;
let room: string;
const client = '/_chat/client/v3';
const count = 40_000;
/** How long a turn may be, in milliseconds. */
const limit = 50;

beforeAll(async () => {
  homeserver = await startHomeserver();
  const thing = { type: 'org.example.thing', state_key: 'a thing', content: { text: 'Of the usual length' } };
  const { body } = await homeserver
    .as('alice')
    .post(`${client}/createRoom`, { name: 'Large', initial_state: [thing] });
  room = body.room_id;
  await copyState(count);
  // The timelines end with what is no state.
  await homeserver.as('alice').put(`${inRoom()}/send/m.room.message/1`, { msgtype: 'm.text', body: 'last' });
}, 120_000);
afterAll(() => homeserver.remove());

/** More pieces of state like the one that there is. */
async function copyState(copies: number): Promise<void> {
  const db = await openDatabase(homeserver.config.database);
  const state = { type: 'org.example.thing', room_id: room };
  const { stream_ordering: _, ...one } = await db
    .selectFrom('events')
    .selectAll()
    .where('type', '=', state.type)
    .where('room_id', '=', room)
    .executeTakeFirstOrThrow();
  const key = sql`'thing ' || number`;
  const eventId = sql`'$thing' || number`;
  const json = sql`replace(json, ${'"a thing"'}, '"thing ' || number || '"')`;
  const own: Record<string, RawBuilder<unknown>> = { event_id: eventId, state_key: key, json };
  const columns = Object.keys(one);
  const numbers = sql`with recursive numbers(number) as
    (select 1 union all select number + 1 from numbers where number < ${sql.lit(copies)})`;
  await sql`${numbers} insert into events (${sql.join(columns.map((name) => sql.ref(name)))})
    select ${sql.join(columns.map((name) => own[name] ?? sql.ref(name)))} from numbers, events
    where event_id = ${one.event_id} order by number`.execute(db);
  await sql`${numbers} insert into current_state (type, room_id, state_key, event_id)
    select type, room_id, ${key}, ${eventId} from numbers, events where event_id = ${one.event_id}`.execute(
    db,
  );
  // PostgreSQL does so by itself, some time after the table has grown so much.
  await sql`analyze current_state`.execute(db);
  await db.destroy();
}

const inRoom = () => `${client}/rooms/${encodeURIComponent(room)}`;

type State = { type: string; state_key: string }[];
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body
type Reading = [what: string, path: () => string, stateOf: (body: any) => State, body?: () => object];

const readings: Reading[] = [
  [
    'a first sync',
    () => `${client}/sync?filter=${encodeURIComponent('{"room":{"timeline":{"limit":1}}}')}`,
    (body) => body.rooms.join[room].state.events,
  ],
  [
    'sliding sync',
    () => '/_chat/client/unstable/org.matrix.simplified_msc3575/sync',
    (body) => body.rooms[room].required_state,
    () => ({ room_subscriptions: { [room]: { timeline_limit: 1, required_state: [['*', '*']] } } }),
  ],
  ['the state', () => `${inRoom()}/state`, (body) => body],
  ['the old first sync', () => `${client}/initialSync?limit=1`, (body) => body.rooms[0].state],
];

test.each(readings)(
  '%s shows all of it, and no turn of the loop is long',
  { timeout: 60_000 },
  async (_, path, stateOf, body) => {
    const ask = () =>
      fetch(homeserver.url + path(), {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${homeserver.as('alice').accessToken}` },
        ...(body && { body: JSON.stringify(body()) }),
      });
    // The first reply of a kind pays for its queries, too.
    const things = stateOf(await (await ask()).json()).filter(({ type }) => type === 'org.example.thing');
    expect(new Set(things.map(({ state_key }) => state_key)).size).toBe(count + 1);
    expect(things).toHaveLength(count + 1);
    const turns: number[] = [];
    // Memory is tidied up in one of them or another; what is read at once is so each time.
    while (turns.length < 4 && turns.every((turn) => turn >= limit)) {
      const turn = await longestTurn(async () => {
        // To understand it all at once would be this client's long turn.
        for await (const _piece of (await ask()).body ?? []);
      });
      turns.push(turn);
    }
    expect(Math.min(...turns), JSON.stringify(turns)).toBeLessThan(limit);
  },
);
