/** However many members a room has, nobody else waits for who reads all of them. */
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../server/database/database.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { longestTurn } from '../longest-turn.ts';

let homeserver: TestHomeserver;
let room: string;
const client = '/_chat/client/v3';
const count = 16_000;
/** How long a turn may be, in milliseconds. */
const limit = 50;

beforeAll(async () => {
  homeserver = await startHomeserver();
  room = (await homeserver.as('alice').post(`${client}/createRoom`, {})).body.room_id;
  const message = { msgtype: 'm.text', body: 'lemur' };
  const sent = await homeserver.as('alice').put(`${client}/rooms/${room}/send/m.room.message/1`, message);
  expect(sent.status).toBe(200);
  await copyMember();
}, 120_000);
afterAll(() => homeserver.remove());

/** More members like the one that there is. */
async function copyMember(): Promise<void> {
  const db = await openDatabase(homeserver.config.database);
  const { stream_ordering: _, ...one } = await db
    .selectFrom('events')
    .selectAll()
    .where('type', '=', 'm.room.member')
    .where('room_id', '=', room)
    .executeTakeFirstOrThrow();
  const key = sql`'@guest' || number || ':localhost'`;
  const eventId = sql`'$guest' || number`;
  const json = sql`replace(json, ${'"@alice:localhost"'}, '"@guest' || number || ':localhost"')`;
  const own: Record<string, RawBuilder<unknown>> = { event_id: eventId, state_key: key, json };
  const columns = Object.keys(one);
  const numbers = sql`with recursive numbers(number) as
    (select 1 union all select number + 1 from numbers where number < ${sql.lit(count)})`;
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

type State = { type: string; state_key: string }[];

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body
type Reading = [what: string, who: string, path: string, eventsOf: (body: any) => State, body?: object];

const readings: Reading[] = [
  ['the members', 'alice', `${client}/rooms/:room/members`, ({ chunk }) => chunk],
  ['the state, to administrators', 'admin', '/_service/admin/v1/rooms/:room/state', ({ state }) => state],
  [
    'the state beside what a search finds',
    'alice',
    `${client}/search`,
    (body) => body.search_categories.room_events.state[room],
    { search_categories: { room_events: { search_term: 'lemur', include_state: true } } },
  ],
];

test.each(readings)(
  '%s come all of them, and no turn of the loop is long',
  { timeout: 60_000 },
  async (_, who, path, eventsOf, body) => {
    const ask = () =>
      fetch(homeserver.url + path.replace(':room', encodeURIComponent(room)), {
        method: body ? 'POST' : 'GET',
        ...(body && { body: JSON.stringify(body) }),
        headers: { authorization: `Bearer ${homeserver.as(who).accessToken}` },
      });
    // The first reply of a kind pays for its queries, too.
    const events = eventsOf(await (await ask()).json());
    const members = events.filter(({ type }) => type === 'm.room.member');
    expect(new Set(members.map(({ state_key }) => state_key)).size).toBe(count + 1);
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
