/** An account with too many rooms to read at once: the server reads room by room, and the first sync succeeds. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isMatrix } from '../../matrix.ts';
import { type Data, makeData } from '../database/data.ts';
import { type SignedIn, signIn } from '../database/logged-in-user.ts';
import { type Served, serveWith } from '../gatehouse.ts';

/** The server's heap, in MB. */
const limit = 200;
const often = { per_second: 1_000, burst_count: 1_000 };
const rooms = 60;
const piecesOfRoom = 100;
/** Ten times as large after parsing. */
const things = Object.fromEntries(Array.from({ length: 100 }, (_, number) => [`t${number}`, number]));

let data: Data;
let served: Served;
let admin: SignedIn;
let since: string;
beforeAll(async () => {
  data = await makeData({ rc_room_creation: often });
  const env = { ...process.env, NODE_OPTIONS: `--max-old-space-size=${limit}` };
  served = await serveWith({ env }, ...data.source);
  admin = await signIn(served.url);
  since = (await admin.get('/sync')).body.next_batch;
  const initial_state = Array.from({ length: piecesOfRoom }, (_, number) => ({
    type: 'org.example.thing',
    state_key: `${number}`,
    content: { things },
  }));
  for (let room = 0; room < rooms; room++) {
    expect((await admin.post('/createRoom', { initial_state })).status).toBe(200);
  }
}, 120_000);
afterAll(async () => {
  await served.end('SIGKILL');
  await data.remove();
});

const lazy = encodeURIComponent('{"room":{"state":{"lazy_load_members":true}}}');

const requests: [string, () => string][] = [
  ['a first sync', () => '/sync'],
  ['one that loads members when they are needed', () => `/sync?filter=${lazy}`],
  ['one with the state after the timelines', () => '/sync?use_state_after=true'],
  ['a sync for everything once more', () => `/sync?full_state=true&since=${since}`],
];

test.each(isMatrix ? requests : requests.slice(0, 1))(
  '%s returns all rooms with all of their state',
  async (_, path) => {
    const { status, body } = await admin.get(path());
    expect({ status, error: body.error }).toEqual({ status: 200 });
    const told: {
      timeline: { events: object[] };
      state?: { events: object[] };
      state_after?: { events: object[] };
    }[] = Object.values(body.rooms.join);
    expect(told).toHaveLength(rooms);
    for (const { timeline, state, state_after } of told) {
      const ofThings = [...timeline.events, ...(state ?? state_after ?? { events: [] }).events].filter(
        (event) => 'state_key' in event && 'type' in event && event.type === 'org.example.thing',
      );
      expect(new Set(ofThings.map((event) => 'state_key' in event && event.state_key)).size).toBe(
        piecesOfRoom,
      );
    }
    // Two devices start at the same time.
    const both = await Promise.all([admin.get(path()), admin.get(path())]);
    expect(both.map((reply) => reply.status)).toEqual([200, 200]);
  },
);
