import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manualClock } from '../../manual-clock.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, gist, makeRoom, redact, say } from '../rooms/client.ts';

const clock = manualClock();
let homeserver: TestHomeserver;
let roomId: string;
let room: string;
let first: string;
let second: string;

beforeAll(async () => {
  homeserver = await startHomeserver({ clock });
  const alice = homeserver.as('alice');
  roomId = await makePrivateRoom();
  room = `/_service/admin/v1/rooms/${encodeURIComponent(roomId)}`;
  clock.advance(1000);
  first = await say(alice, roomId, 'one');
  clock.advance(1000);
  second = await say(alice, roomId, 'two');
  await say(alice, roomId, 'three');
});
afterAll(() => homeserver.remove());

/** Creates a room without the admin, who couldn't see its contents as a regular user. */
const makePrivateRoom = () =>
  makeRoom(homeserver.as('alice'), {
    preset: 'private_chat',
    initial_state: [{ type: 'm.room.history_visibility', content: { history_visibility: 'joined' } }],
    invite: ['@bob:localhost'],
  });

const get = (path: string) => homeserver.as('admin').get(path);

describe.each([
  ['vendor', '/_service/admin/v1'],
  ['matrix', '/_synapse/admin/v1'],
])('in the %s dialect', (_, admin) => {
  const rooms = `${admin}/rooms`;
  test.each(
    ['members', 'state', 'messages', 'context/$a', 'timestamp_to_event?ts=0', 'block'].flatMap((what) => [
      [what, 'guest', `${rooms}/!a:localhost/${what}`, 401, 'M_MISSING_TOKEN'] as const,
      [what, 'alice', `${rooms}/!a:localhost/${what}`, 403, 'M_FORBIDDEN'] as const,
    ]),
  )('%s is not for %s', async (__, caller, url, status, errcode) => {
    expect(await homeserver.as(caller).get(url)).toMatchObject({ status, body: { errcode } });
  });

  test.each([
    ['members of no room', `${rooms}/!a:localhost/members`, 404, 'M_NOT_FOUND'],
    ['state of no room', `${rooms}/!a:localhost/state`, 404, 'M_NOT_FOUND'],
    ['the context of an unknown event', `${rooms}/!a:localhost/context/$a`, 404, 'M_NOT_FOUND'],
    ['no time', `${rooms}/!a:localhost/timestamp_to_event`, 400, 'M_MISSING_PARAM'],
    ['a word for a time', `${rooms}/!a:localhost/timestamp_to_event?ts=noon`, 400, 'M_INVALID_PARAM'],
    ['a time in no room', `${rooms}/!a:localhost/timestamp_to_event?ts=0`, 404, 'M_NOT_FOUND'],
    ['a bad direction', `${rooms}/!a:localhost/messages?dir=x`, 400, 'M_INVALID_PARAM'],
    ['a negative number', `${rooms}/!a:localhost/messages?limit=-1`, 400, 'M_INVALID_PARAM'],
    ['a place of another kind', `${rooms}/!a:localhost/messages?from=here`, 400, 'M_UNKNOWN'],
    ['an unknown event', `${admin}/fetch_event/$nope`, 404, 'M_NOT_FOUND'],
  ])('refuses %s', async (__, url, status, errcode) => {
    expect(await get(url)).toMatchObject({ status, body: { errcode } });
  });

  test('an event is for admins', async () => {
    const url = `${admin}/fetch_event/${encodeURIComponent(first)}`;
    expect((await homeserver.as('guest').get(url)).status).toBe(401);
    expect((await homeserver.as('alice').get(url)).status).toBe(403);
    expect((await get(url)).body.event.event_id).toBe(first);
  });
});

test('members are those currently in the room', async () => {
  expect((await get(`${room}/members`)).body).toEqual({ members: ['@alice:localhost'], total: 1 });
});

test('state is complete', async () => {
  const { body } = await get(`${room}/state`);
  expect(body.state.map(({ type }: { type: string }) => type)).toEqual(
    expect.arrayContaining(['m.room.create', 'm.room.member', 'm.room.power_levels']),
  );
  expect(body.state).toHaveLength((await get(room)).body.state_events);
});

test("an admin who isn't a member can read messages page by page", async () => {
  const newest = await get(`${room}/messages?dir=b&limit=2`);
  expect(gist(newest)).toEqual(['three', 'two']);
  expect(gist(await get(`${room}/messages?dir=b&limit=1&from=${newest.body.end}`))).toEqual(['one']);
  expect(gist(await get(`${room}/messages?limit=1`))).toEqual(['m.room.create']);
  expect((await get('/_service/admin/v1/rooms/!a:localhost/messages')).body).toEqual({
    chunk: [],
    start: 's0',
  });
});

test('an event comes with its context', async () => {
  const { body } = await get(`${room}/context/${encodeURIComponent(second)}?limit=2`);
  expect(body.event.event_id).toBe(second);
  expect(gist({ body: { chunk: body.events_before } } as never)).toEqual(['one']);
  expect(gist({ body: { chunk: body.events_after } } as never)).toEqual(['three']);
  expect(body.state.length).toBeGreaterThan(5);
  const filter = encodeURIComponent(JSON.stringify({ not_types: ['m.room.message'] }));
  const filtered = await get(`${room}/context/${encodeURIComponent(second)}?limit=4&filter=${filter}`);
  expect(filtered.body.event.event_id).toBe(second);
  for (const { type } of [...filtered.body.events_before, ...filtered.body.events_after]) {
    expect(type).not.toBe('m.room.message');
  }
});

test('an event is only found in its own room', async () => {
  const other = await makeRoom(homeserver.as('bob'));
  const url = `/_service/admin/v1/rooms/${encodeURIComponent(other)}/context/${encodeURIComponent(first)}`;
  expect(await get(url)).toMatchObject({ status: 404, body: { errcode: 'M_NOT_FOUND' } });
});

test('a fetched event is unredacted, also after its redaction', async () => {
  const alice = homeserver.as('alice');
  const ownRoom = await makePrivateRoom();
  const rude = await say(alice, ownRoom, 'rude');
  await redact(alice, ownRoom, rude);
  const { body } = await get(`/_service/admin/v1/fetch_event/${encodeURIComponent(rude)}`);
  expect(body.event).toMatchObject({
    event_id: rude,
    room_id: ownRoom,
    content: { body: 'rude' },
    hashes: { sha256: expect.any(String) },
    signatures: { localhost: expect.any(Object) },
    auth_events: expect.any(Array),
    unsigned: { age: expect.any(Number) },
  });
  const context = `/_service/admin/v1/rooms/${encodeURIComponent(ownRoom)}/context`;
  expect((await get(`${context}/${encodeURIComponent(rude)}`)).body.event.content).toEqual({});
});

describe('the event at a time', () => {
  const at = (ts: number, dir: string) => get(`${room}/timestamp_to_event?ts=${ts}&dir=${dir}`);

  const start = manualClock().now();

  test.each([
    [0, 'f', 'm.room.create'],
    [start, 'f', 'm.room.create'],
    [start + 1, 'f', 'one'],
    [start + 1000, 'f', 'one'],
    [start + 1001, 'f', 'two'],
    [start + 1999, 'b', 'one'],
    [start, 'b', 'm.room.member'],
    [-1, 'f', 'm.room.create'],
  ])('%i, %s, is that of %s', async (ts, dir, expected) => {
    const { status, body } = await at(ts, dir);
    expect(status).toBe(200);
    const { body: fetched } = await get(
      `/_service/admin/v1/fetch_event/${encodeURIComponent(body.event_id)}`,
    );
    expect(fetched.event.content.body ?? fetched.event.type).toBe(expected);
    expect(body.origin_server_ts).toBe(fetched.event.origin_server_ts);
  });

  test.each([
    [start - 1, 'b'],
    [start + 1e9, 'f'],
    [Number.MAX_SAFE_INTEGER, 'f'],
  ])('is none for %i, %s', async (ts, dir) => {
    expect(await at(ts, dir)).toMatchObject({ status: 404, body: { errcode: 'M_NOT_FOUND' } });
  });

  test('is one that the user may see', async () => {
    const ownRoom = await makePrivateRoom();
    clock.advance(1000);
    const ts = clock.now();
    const sent = await say(homeserver.as('alice'), ownRoom, 'before he came');
    const url = `/_chat/client/v1/rooms/${encodeURIComponent(ownRoom)}/timestamp_to_event?ts=${ts}`;
    expect((await homeserver.as('alice').get(url)).body.event_id).toBe(sent);
    expect(await homeserver.as('carol').get(url)).toMatchObject({ status: 403 });
    await change(homeserver.as('bob'), ownRoom, 'join');
    const { body } = await homeserver.as('bob').get(url);
    const seen = await get(`/_service/admin/v1/fetch_event/${encodeURIComponent(body.event_id)}`);
    expect(seen.body.event).toMatchObject({ type: 'm.room.member', sender: '@bob:localhost' });
  });
});
