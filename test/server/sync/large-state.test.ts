/** However much state a room has, nobody else waits for who reads it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../server/database/database.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { longestTurn } from '../longest-turn.ts';

let homeserver: TestHomeserver;
let room: string;
const client = '/_chat/client/v3';
const count = 40_000;

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
  for (let start = 1; start <= copies; start += 100) {
    const keys = Array.from({ length: 100 }, (_, index) => start + index);
    const events = keys.map((key) => ({
      ...one,
      event_id: `$thing${key}`,
      state_key: `thing ${key}`,
      json: JSON.stringify({ ...JSON.parse(one.json), state_key: `thing ${key}` }),
    }));
    await db.insertInto('events').values(events).execute();
    const rows = keys.map((key) => ({ ...state, state_key: `thing ${key}`, event_id: `$thing${key}` }));
    await db.insertInto('current_state').values(rows).execute();
  }
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
    for (let time = 0; time < 4; time++) {
      const turn = await longestTurn(async () => {
        // To understand it all at once would be this client's long turn.
        for await (const _piece of (await ask()).body ?? []);
      });
      turns.push(turn);
    }
    // Memory is tidied up in one of them or another; what is read at once is so each time.
    expect(Math.min(...turns), JSON.stringify(turns)).toBeLessThan(50);
  },
);
