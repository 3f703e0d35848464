/** What somebody had written may be more than there is memory: whoever asks for it at once gets less, and the server goes on. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Data, makeData } from '../database/data.ts';
import { type SignedIn, signIn } from '../database/person.ts';
import { type Served, serveWith } from '../gatehouse.ts';
import { call } from '../homeserver.ts';

/** Of the server's heap, in MB. */
const limit = 200;
const often = { per_second: 1_000, burst_count: 1_000 };
/** As long as an event may be, and twenty times as much when it is read. */
const things = Array.from({ length: 20_000 }, () => ({}));
const pieces = 120;

let data: Data;
let served: Served;
let admin: SignedIn;
let room: string;
let before: string;
let eventId: string;
beforeAll(async () => {
  data = await makeData({ rc_message: often });
  const env = { ...process.env, NODE_OPTIONS: `--max-old-space-size=${limit}` };
  served = await serveWith({ env }, ...data.source);
  admin = await signIn(served.url);
  room = encodeURIComponent((await admin.post('/createRoom', {})).body.room_id);
  before = (await admin.get('/sync')).body.next_batch;
  for (let piece = 0; piece < pieces; piece++) {
    const { status, body } = await admin.put(`/rooms/${room}/state/org.example.thing/${piece}`, { things });
    expect(status).toBe(200);
    eventId = body.event_id;
  }
  const { body } = await admin.put(`/rooms/${room}/send/m.room.message/1`, {
    msgtype: 'm.text',
    body: 'last',
  });
  eventId = body.event_id;
}, 120_000);
afterAll(async () => {
  await served.end('SIGKILL');
  await data.remove();
});

const sliding = '/_chat/client/unstable/org.matrix.simplified_msc3575/sync';
const everything = () => ({
  room_subscriptions: { [decodeURIComponent(room)]: { timeline_limit: 1, required_state: [['*', '*']] } },
});
const readings: [what: string, ask: () => Promise<{ status: number }>][] = [
  ['the state', () => admin.get(`/rooms/${room}/state`)],
  [
    'the state, as an administrator',
    () => call(served.url, 'GET', `/_service/admin/v1/rooms/${room}/state`, admin.token),
  ],
  ['a first sync', () => admin.get('/sync')],
  ['a sync that goes on', () => admin.get(`/sync?since=${before}`)],
  ['the old first sync', () => admin.get('/initialSync')],
  ['what was around an event', () => admin.get(`/rooms/${room}/context/${encodeURIComponent(eventId)}`)],
  ['sliding sync', () => call(served.url, 'POST', sliding, admin.token, everything())],
];

test.each(readings)('%s', { timeout: 60_000 }, async (_, ask) => {
  for (const { status } of await Promise.all([ask(), ask(), ask(), ask()]))
    expect([200, 429]).toContain(status);
  expect((await admin.get(`/rooms/${room}/state/org.example.thing/7`)).body).toEqual({ things });
});

test('all of it at once', { timeout: 60_000 }, async () => {
  const asked = Array.from({ length: 4 }, () => readings.map(([, ask]) => ask()));
  for (const { status } of await Promise.all(asked.flat())) expect([200, 429]).toContain(status);
  expect((await admin.get('/account/whoami')).status).toBe(200);
  expect(await served.end('SIGTERM')).toBe(0);
});
