/** Rooms with many members: reading them all doesn't delay other users. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isMatrix } from '../../matrix.ts';
import { copyState } from '../copied-state.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { expectShortTurns } from '../longest-turn.ts';

let homeserver: TestHomeserver;
let room: string;
let event: string;
const client = '/_chat/client/v3';
const count = isMatrix ? 16_000 : 6_000;
/** Limit per event loop turn, in milliseconds. */
const limit = 50;

beforeAll(async () => {
  homeserver = await startHomeserver();
  room = (await homeserver.as('alice').post(`${client}/createRoom`, {})).body.room_id;
  const message = { msgtype: 'm.text', body: 'lemur' };
  const sent = await homeserver.as('alice').put(`${client}/rooms/${room}/send/m.room.message/1`, message);
  expect(sent.status).toBe(200);
  await copyState(homeserver, {
    room,
    type: 'm.room.member',
    stateKey: homeserver.as('alice').userId,
    copyKey: sql`'@guest' || number || ':localhost'`,
    copies: count,
  });
  const last = { msgtype: 'm.text', body: 'the end' };
  event = (await homeserver.as('alice').put(`${client}/rooms/${room}/send/m.room.message/2`, last)).body
    .event_id;
}, 120_000);
afterAll(() => homeserver.remove());

type State = { type: string; state_key: string }[];

// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary bodies
type Reading = [what: string, who: string, path: string, eventsOf: (body: any) => State, body?: object];

const readings: Reading[] = [
  ['the members', 'alice', `${client}/rooms/:room/members`, ({ chunk }) => chunk],
  ['the state, to administrators', 'admin', '/_service/admin/v1/rooms/:room/state', ({ state }) => state],
  ['the state around an event', 'alice', `${client}/rooms/:room/context/:event`, ({ state }) => state],
  [
    'the state around an event, to administrators',
    'admin',
    '/_service/admin/v1/rooms/:room/context/:event',
    ({ state }) => state,
  ],
  [
    'the state with search results',
    'alice',
    `${client}/search`,
    (body) => body.search_categories.room_events.state[room],
    { search_categories: { room_events: { search_term: 'lemur', include_state: true } } },
  ],
];

test.each(readings)(
  '%s come all of them, and no turn of the loop is long',
  async (_, who, path, eventsOf, body) => {
    const at = path.replace(':room', encodeURIComponent(room)).replace(':event', encodeURIComponent(event));
    const ask = () =>
      fetch(homeserver.url + at, {
        method: body ? 'POST' : 'GET',
        ...(body && { body: JSON.stringify(body) }),
        headers: { authorization: `Bearer ${homeserver.as(who).accessToken}` },
      });
    // The first reply of a kind also prepares its queries.
    const events = eventsOf(await (await ask()).json());
    const members = events.filter(({ type }) => type === 'm.room.member');
    expect(new Set(members.map(({ state_key }) => state_key)).size).toBe(count + 1);
    await expectShortTurns(limit, ask);
  },
);
