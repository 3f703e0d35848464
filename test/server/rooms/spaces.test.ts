/** Room details for non-members: a space's rooms, and summaries. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, call, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, makeRoom, path, setState } from './client.ts';

let homeserver: TestHomeserver;
let alice: Caller;
let bob: Caller;
const rooms: Record<string, string> = {};
beforeAll(async () => {
  homeserver = await startHomeserver();
  alice = homeserver.as('alice');
  bob = homeserver.as('bob');
  rooms.space = await makeRoom(alice, { name: 'space', ...space });
  rooms.sub = await makeRoom(alice, { name: 'sub', ...space });
  rooms.a = await makeRoom(alice, { name: 'a', topic: 'about a' });
  rooms.b = await makeRoom(alice, { name: 'b' });
  rooms.hidden = await makeRoom(alice, { name: 'hidden', preset: 'private_chat' });
  rooms.members = await makeRoomFor(rooms.space);
  await child('space', 'hidden');
  await child('space', 'a', { order: 'b' });
  await child('space', 'sub', { order: 'a', suggested: true });
  await child('space', 'members', { order: 'c' });
  await child('space', 'b', { via: undefined });
  await child('sub', 'b');
  await child('sub', 'space');
});
afterAll(() => homeserver.remove());

const space = { creation_content: { type: 'm.space' } };
/** Creates a room that members of a space may join. */
const makeRoomFor = (roomId: string) =>
  makeRoom(alice, {
    name: 'members',
    preset: 'private_chat',
    initial_state: [
      {
        type: 'm.room.join_rules',
        content: { join_rule: 'restricted', allow: [{ type: 'm.room_membership', room_id: roomId }] },
      },
    ],
  });
const child = (parent: string, room: string, content: object = {}) =>
  setState(alice, rooms[parent] ?? '', 'm.space.child', { via: ['localhost'], ...content }, rooms[room]);
const v1 = (...segments: string[]) => path(...segments).replace('/v3/', '/v1/');
const hierarchy = async (reader: Caller, query = '') =>
  (await reader.get(`${v1('rooms', rooms.space ?? '', 'hierarchy')}?${query}`)).body;
const names = ({ rooms: found }: { rooms: { name: string }[] }) => found.map(({ name }) => name);

test('a space shows its rooms as far as the user may see them', async () => {
  const page = await hierarchy(bob);
  expect(names(page)).toEqual(['space', 'sub', 'b', 'a']);
  expect(page.rooms[0]).toMatchObject({
    room_id: rooms.space,
    room_type: 'm.space',
    num_joined_members: 1,
    join_rule: 'public',
    world_readable: false,
    guest_can_join: false,
    room_version: '11',
  });
  const children = page.rooms[0].children_state.map(({ state_key }: { state_key: string }) => state_key);
  expect(children).toEqual([rooms.sub, rooms.a, rooms.members, rooms.hidden]);
  expect(page.rooms[0].children_state[0]).toMatchObject({ type: 'm.space.child', sender: alice.userId });
  expect(names(await hierarchy(alice))).toEqual(['space', 'sub', 'b', 'a', 'members', 'hidden']);
});

test('in pages, to a depth, and optionally only suggested ones', async () => {
  const first = await hierarchy(bob, 'limit=2');
  expect(names(first)).toEqual(['space', 'sub']);
  const second = await hierarchy(bob, `limit=2&from=${first.next_batch}`);
  expect(names(second)).toEqual(['b', 'a']);
  expect(second).not.toHaveProperty('next_batch');
  expect(names(await hierarchy(bob, 'max_depth=1'))).toEqual(['space', 'sub', 'a']);
  expect(names(await hierarchy(bob, 'suggested_only=true'))).toEqual(['space', 'sub']);
  // A page token works only with the same parameters.
  for (const other of ['max_depth=1', 'suggested_only=true']) {
    const place = `${v1('rooms', rooms.space ?? '', 'hierarchy')}?limit=2&from=${first.next_batch}`;
    expect(await bob.get(`${place}&${other}`)).toMatchObject({
      status: 400,
      body: { errcode: 'M_INVALID_PARAM' },
    });
  }
});

test.each([
  [
    "a room that the user can't preview",
    () => v1('rooms', rooms.hidden ?? '', 'hierarchy'),
    403,
    'M_FORBIDDEN',
  ],
  ['no room', () => v1('rooms', '!x:localhost', 'hierarchy'), 403, 'M_FORBIDDEN'],
  [
    'a token of another kind',
    () => `${v1('rooms', rooms.space ?? '', 'hierarchy')}?from=x`,
    400,
    'M_INVALID_PARAM',
  ],
  [
    'a negative depth',
    () => `${v1('rooms', rooms.space ?? '', 'hierarchy')}?max_depth=-1`,
    400,
    'M_INVALID_PARAM',
  ],
  ['the summary of a hidden room', () => v1('room_summary', rooms.hidden ?? ''), 404, 'M_NOT_FOUND'],
])('refuses %s', async (_, address, status, errcode) => {
  expect(await bob.get(address())).toMatchObject({ status, body: { errcode } });
});

test('a summary is for anyone whom the room would admit or let peek, and not with an invalid token', async () => {
  const guest = homeserver.as('guest');
  const { status, body } = await guest.get(v1('room_summary', rooms.a ?? ''));
  expect(status).toBe(200);
  expect(body).toMatchObject({ room_id: rooms.a, join_rule: 'public' });
  expect(body.membership).toBeUndefined();
  expect((await guest.get(v1('room_summary', rooms.members ?? ''))).status).toBe(404);
  expect(await call(homeserver.url, 'GET', v1('room_summary', rooms.a ?? ''), 'nonsense')).toMatchObject({
    status: 401,
    body: { errcode: 'M_UNKNOWN_TOKEN' },
  });
});

test("a summary describes a room and the user's membership", async () => {
  const { body } = await bob.get(v1('room_summary', rooms.a ?? ''));
  expect(body).toMatchObject({ room_id: rooms.a, name: 'a', topic: 'about a', membership: 'leave' });
  const older = `/_chat/client/unstable/im.nheko.summary/rooms/${encodeURIComponent(rooms.a ?? '')}/summary`;
  expect((await bob.get(older)).body).toEqual(body);
});

test('members of a space see its restricted rooms and can join', async () => {
  const carol = homeserver.as('carol');
  const club = await makeRoom(alice, { name: 'club', ...space });
  const members = await makeRoomFor(club);
  expect((await carol.get(v1('room_summary', members))).status).toBe(404);
  await change(carol, club, 'join');
  expect((await carol.get(v1('room_summary', members))).body).toMatchObject({
    join_rule: 'restricted',
    allowed_room_ids: [club],
  });
  const more = { reason: 'curious', 'org.example.extra': [1] };
  expect((await carol.post(`${path('join', members)}?via=localhost`, more)).status).toBe(200);
  const member = path('rooms', members, 'state', 'm.room.member', carol.userId);
  expect((await carol.get(member)).body).toEqual({
    ...more,
    membership: 'join',
    displayname: 'carol',
    join_authorised_via_users_server: alice.userId,
  });
});

test('a message may be sent and redacted without a transaction ID', async () => {
  const message = { msgtype: 'm.text', body: 'once' };
  const send = () => alice.post(path('rooms', rooms.a ?? '', 'send', 'm.room.message'), message);
  const [first, second] = [await send(), await send()];
  expect(first.status).toBe(200);
  expect(first.body.event_id).not.toBe(second.body.event_id);
  expect((await alice.post(path('rooms', rooms.a ?? '', 'redact', first.body.event_id))).status).toBe(200);
  const read = await alice.get(path('rooms', rooms.a ?? '', 'event', first.body.event_id));
  expect(read.body.content).toEqual({});
});

test('an order has up to 50 characters, and rooms without members are left out', async () => {
  rooms.ordered = await makeRoom(alice, { name: 'ordered', ...space });
  for (const [name, order] of [
    ['tooLong', 'x'.repeat(51)],
    ['longest', 'y'.repeat(50)],
    ['empty', 'a'],
  ] as const) {
    rooms[name] = await makeRoom(alice, { name });
    await child('ordered', name, { order });
  }
  await change(alice, rooms.empty ?? '', 'leave');
  const { body } = await bob.get(v1('rooms', rooms.ordered, 'hierarchy'));
  expect(names(body)).toEqual(['ordered', 'longest', 'tooLong']);
});
