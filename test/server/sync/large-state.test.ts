/** Large room state: reading it doesn't delay other users. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isMatrix } from '../../matrix.ts';
import { copyState } from '../copied-state.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { expectShortTurns } from '../longest-turn.ts';

let homeserver: TestHomeserver;
let room: string;
const client = '/_chat/client/v3';
const count = isMatrix ? 40_000 : 15_000;
/** Limit per event loop turn, in milliseconds. */
const limit = 50;

beforeAll(async () => {
  homeserver = await startHomeserver();
  const thing = { type: 'org.example.thing', state_key: 'a thing', content: { text: 'Of the usual length' } };
  const { body } = await homeserver
    .as('alice')
    .post(`${client}/createRoom`, { name: 'Large', initial_state: [thing] });
  room = body.room_id;
  await copyState(homeserver, {
    room,
    type: thing.type,
    stateKey: thing.state_key,
    copyKey: sql`'thing ' || number`,
    copies: count,
  });
  // The timelines end with a non-state event.
  await homeserver.as('alice').put(`${inRoom()}/send/m.room.message/1`, { msgtype: 'm.text', body: 'last' });
}, 120_000);
afterAll(() => homeserver.remove());

const inRoom = () => `${client}/rooms/${encodeURIComponent(room)}`;

type State = { type: string; state_key: string }[];
// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary bodies
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
  '%s returns all of it without a long turn of the loop',
  async (_, path, stateOf, body) => {
    const ask = () =>
      fetch(homeserver.url + path(), {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${homeserver.as('alice').accessToken}` },
        ...(body && { body: JSON.stringify(body()) }),
      });
    // The first reply of a kind also prepares its queries.
    const things = stateOf(await (await ask()).json()).filter(({ type }) => type === 'org.example.thing');
    expect(new Set(things.map(({ state_key }) => state_key)).size).toBe(count + 1);
    expect(things).toHaveLength(count + 1);
    await expectShortTurns(limit, ask);
  },
);
