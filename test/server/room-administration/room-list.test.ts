import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, makeRoom, path, redact, setState } from '../rooms/client.ts';

const list = '/_service/admin/v1/rooms';
let homeserver: TestHomeserver;
/** Rooms by their names in this test. */
const rooms: Record<string, string> = {};

beforeAll(async () => {
  homeserver = await startHomeserver();
  const [alice, bob, carol] = ['alice', 'bob', 'carol'].map((name) => homeserver.as(name));
  if (!alice || !bob || !carol) throw new Error('nobody is here');
  rooms.lobby = await makeRoom(alice, { name: 'Lobby', topic: 'Hello', room_alias_name: 'Entrance' });
  rooms.cellar = await makeRoom(bob, {
    name: 'CELLAR Ünder 100%',
    preset: 'private_chat',
    creation_content: { 'm.federate': false, type: 'm.space' },
    initial_state: [
      { type: 'm.room.encryption', content: { algorithm: 'm.megolm.v1.aes-sha2' } },
      { type: 'm.room.history_visibility', content: { history_visibility: 'joined' } },
    ],
  });
  rooms.attic = await makeRoom(carol, { name: 'Attic', room_alias_name: 'attic' });
  rooms.empty = await makeRoom(alice, { name: 'Empty' });
  await change(bob, rooms.lobby, 'join');
  await change(carol, rooms.lobby, 'join');
  await change(bob, rooms.attic, 'join');
  await change(alice, rooms.empty, 'leave');
  await homeserver.as('admin').put(path('directory', 'list', 'room', rooms.lobby), { visibility: 'public' });
});
afterAll(() => homeserver.remove());

const page = async (query = '') => (await homeserver.as('admin').get(`${list}${query}`)).body;
const namesOf = ({ rooms: found }: { rooms: { room_id: string }[] }) =>
  found.map(({ room_id }) => Object.keys(rooms).find((name) => rooms[name] === room_id));

describe.each([
  ['vendor', '/_service/admin/v1/rooms'],
  ['matrix', '/_synapse/admin/v1/rooms'],
])('in the %s dialect', (_, url) => {
  test.each([
    ['nobody', 'guest', url, 401, 'M_MISSING_TOKEN'],
    ['a user', 'alice', url, 403, 'M_FORBIDDEN'],
    ['an unknown order', 'admin', `${url}?order_by=colour`, 400, 'M_INVALID_PARAM'],
    ['an unknown direction', 'admin', `${url}?dir=up`, 400, 'M_INVALID_PARAM'],
    ['a negative number', 'admin', `${url}?limit=-1`, 400, 'M_INVALID_PARAM'],
    ['before the first', 'admin', `${url}?from=-1`, 400, 'M_INVALID_PARAM'],
    ['an empty search', 'admin', `${url}?search_term=`, 400, 'M_INVALID_PARAM'],
    ['half empty', 'admin', `${url}?empty_rooms=maybe`, 400, 'M_INVALID_PARAM'],
    ['half public', 'admin', `${url}?public_rooms=1`, 400, 'M_INVALID_PARAM'],
    ['detail, anonymously', 'guest', `${url}/!a:localhost`, 401, 'M_MISSING_TOKEN'],
    ['detail, for a user', 'alice', `${url}/!a:localhost`, 403, 'M_FORBIDDEN'],
    ['detail of no room', 'admin', `${url}/!a:localhost`, 404, 'M_NOT_FOUND'],
    ['detail of a word', 'admin', `${url}/room`, 404, 'M_NOT_FOUND'],
  ])('refuses %s', async (__, caller, target, status, errcode) => {
    expect(await homeserver.as(caller).get(target)).toMatchObject({ status, body: { errcode } });
  });
});

test('an item has every field', async () => {
  const found = await page('?search_term=cellar');
  expect(found).toEqual({
    offset: 0,
    total_rooms: 1,
    rooms: [
      {
        room_id: rooms.cellar,
        name: 'CELLAR Ünder 100%',
        canonical_alias: null,
        joined_members: 1,
        joined_local_members: 1,
        version: '11',
        creator: '@bob:localhost',
        encryption: 'm.megolm.v1.aes-sha2',
        federatable: false,
        public: false,
        join_rules: 'invite',
        guest_access: 'can_join',
        history_visibility: 'joined',
        state_events: 8,
        room_type: 'm.space',
      },
    ],
  });
});

test.each([
  ['name', ['attic', 'cellar', 'empty', 'lobby']],
  ['alphabetical', ['attic', 'cellar', 'empty', 'lobby']],
  ['joined_members', ['lobby', 'attic', 'cellar', 'empty']],
  ['size', ['lobby', 'attic', 'cellar', 'empty']],
  ['joined_local_members', ['lobby', 'attic', 'cellar', 'empty']],
])('orders by %s', async (order, expected) => {
  expect(namesOf(await page(`?order_by=${order}`))).toEqual(expected);
  expect(namesOf(await page(`?order_by=${order}&dir=b`))).toEqual(expected.toReversed());
});

test.each([
  ['canonical_alias', 'canonical_alias', 1],
  ['version', 'version', -1],
  ['creator', 'creator', 1],
  ['encryption', 'encryption', 1],
  ['federatable', 'federatable', 1],
  ['public', 'public', 1],
  ['join_rules', 'join_rules', 1],
  ['guest_access', 'guest_access', 1],
  ['history_visibility', 'history_visibility', 1],
  ['state_events', 'state_events', -1],
])('orders by %s and pages without gaps', async (order, field, sign) => {
  for (const [dir, factor] of [
    ['f', 1],
    ['b', -1],
  ] as const) {
    const whole = await page(`?order_by=${order}&dir=${dir}`);
    const values = whole.rooms.map((room: Record<string, unknown>) => room[field]);
    // The database engine decides if missing values come first or last.
    const known = values.filter((value: unknown) => value !== null);
    const compare = (a: number | string, b: number | string) => (a < b ? -1 : a > b ? 1 : 0) * sign * factor;
    expect(known).toEqual(known.toSorted(compare));
    const single: unknown[] = [];
    for (let from = 0; from < whole.total_rooms; from++) {
      single.push(...(await page(`?order_by=${order}&dir=${dir}&limit=1&from=${from}`)).rooms);
    }
    expect(single).toEqual(whole.rooms);
  }
});

test.each([
  ['?limit=2', 2, { offset: 0, total_rooms: 4, next_batch: 2 }],
  ['?limit=2&from=1', 2, { offset: 1, total_rooms: 4, next_batch: 3, prev_batch: 0 }],
  ['?limit=2&from=3', 1, { offset: 3, total_rooms: 4, prev_batch: 1 }],
  ['?limit=0', 0, { offset: 0, total_rooms: 4, next_batch: 0 }],
  ['?from=4', 0, { offset: 4, total_rooms: 4, prev_batch: 0 }],
  ['?from=1000', 0, { offset: 1000, total_rooms: 4, prev_batch: 900 }],
])('has the next batch: %s', async (query, length, rest) => {
  const { rooms: found, ...counts } = await page(query);
  expect(found).toHaveLength(length);
  expect(counts).toEqual(rest);
});

test.each([
  ['search_term=LOB', ['lobby']],
  ['search_term=ünder', ['cellar']],
  ['search_term=%C3%9CNDER', ['cellar']],
  ['search_term=100%25', ['cellar']],
  ['search_term=%25', ['cellar']],
  ['search_term=_', []],
  ['search_term=%5C', []],
  ['search_term=entr', ['lobby']],
  ['search_term=ENTRANCE', ['lobby']],
  ['search_term=localhost', []],
  ['search_term=%00', []],
  ['search_term=y&empty_rooms=true', ['empty']],
  ['search_term=y&public_rooms=true', ['lobby']],
  ['public_rooms=true', ['lobby']],
  ['public_rooms=false', ['attic', 'cellar', 'empty']],
  ['empty_rooms=true', ['empty']],
  ['empty_rooms=false', ['attic', 'cellar', 'lobby']],
  ['empty_rooms=true&public_rooms=true', []],
])('finds exactly the rooms that match %s', async (query, expected) => {
  const found = await page(`?${query}`);
  expect(namesOf(found)).toEqual(expected);
  expect(found.total_rooms).toBe(expected.length);
});

test('finds a room by its full ID only', async () => {
  const id = rooms.attic as string;
  expect(namesOf(await page(`?search_term=${encodeURIComponent(id)}`))).toEqual(['attic']);
  expect(namesOf(await page(`?search_term=${encodeURIComponent(id.slice(0, -1))}`))).toEqual([]);
});

test('the detail has more fields', async () => {
  const { body } = await homeserver.as('admin').get(`${list}/${encodeURIComponent(rooms.lobby ?? '')}`);
  expect(body).toEqual({
    room_id: rooms.lobby,
    name: 'Lobby',
    topic: 'Hello',
    avatar: null,
    canonical_alias: '#Entrance:localhost',
    joined_members: 3,
    joined_local_members: 3,
    joined_local_devices: 3,
    version: '11',
    creator: '@alice:localhost',
    encryption: null,
    federatable: true,
    public: true,
    join_rules: 'public',
    guest_access: null,
    history_visibility: 'shared',
    state_events: 10,
    room_type: null,
    forgotten: false,
    tombstoned: false,
    replacement_room: null,
  });
});

test('follows changes of a room', async () => {
  const changing = await startHomeserver();
  const alice = changing.as('alice');
  const roomId = await makeRoom(alice, { name: 'Old' });
  const detail = async () => (await changing.as('admin').get(`${list}/${encodeURIComponent(roomId)}`)).body;
  const before = (await detail()).state_events;

  const renamed = await setState(alice, roomId, 'm.room.name', { name: 'New' });
  await setState(alice, roomId, 'm.room.avatar', { url: 'mxc://localhost/a' });
  await setState(alice, roomId, 'm.room.guest_access', { guest_access: 'forbidden' });
  await setState(alice, roomId, 'm.room.tombstone', { replacement_room: '!next:localhost', body: '' });
  await setState(alice, roomId, 'org.example', { a: 1 }, 'one');
  await setState(alice, roomId, 'org.example', { a: 2 }, 'one');
  expect(await detail()).toMatchObject({
    name: 'New',
    avatar: 'mxc://localhost/a',
    guest_access: 'forbidden',
    tombstoned: true,
    replacement_room: '!next:localhost',
    state_events: before + 4,
  });

  await redact(alice, roomId, renamed);
  expect(await detail()).toMatchObject({ name: null, state_events: before + 4 });
  await change(alice, roomId, 'leave');
  expect(await detail()).toMatchObject({ joined_members: 0, forgotten: false });
  await change(alice, roomId, 'forget');
  expect(await detail()).toMatchObject({ forgotten: true });

  // Names too long for an index are truncated; names with NUL are ignored.
  const named = await makeRoom(alice, { name: '😀'.repeat(4000) });
  const name = async () => (await changing.as('admin').get(`${list}/${encodeURIComponent(named)}`)).body.name;
  expect(await name()).toBe('😀'.repeat(250));
  await setState(alice, named, 'm.room.name', { name: 'a\0b' });
  expect(await name()).toBe(null);
  await changing.remove();
});

test("a deleted room isn't counted", async () => {
  const deleting = await startHomeserver();
  const admin = deleting.as('admin');
  const roomId = await makeRoom(deleting.as('alice'), { name: 'Gone' });
  await makeRoom(deleting.as('alice'), { name: 'Stays' });
  const alice = deleting.as('alice');
  const kept = (...of: string[]) => path('user', alice.userId, 'rooms', roomId, ...of);
  await alice.put(kept('account_data', 'org.example'), { a: 1 });
  await alice.put(kept('tags', 'u.mine'), {});
  await alice.post(path('rooms', roomId, 'report'), { reason: 'x' });
  const { body } = await admin.delete(`/_service/admin/v2/rooms/${encodeURIComponent(roomId)}`, {});
  await expect
    .poll(
      async () => (await admin.get(`/_service/admin/v2/rooms/delete_status/${body.delete_id}`)).body.status,
    )
    .toBe('complete');
  for (const query of ['', '?empty_rooms=false']) {
    expect((await admin.get(`${list}${query}`)).body).toMatchObject({ total_rooms: 1, rooms: { length: 1 } });
  }
  expect((await admin.get(`${list}?empty_rooms=true`)).body).toEqual({
    offset: 0,
    rooms: [],
    total_rooms: 0,
  });
  await deleting.remove();
});

test('counts stay right under concurrent changes', async () => {
  const busy = await startHomeserver();
  const admin = busy.as('admin');
  const people = ['alice', 'bob', 'carol'].map((name) => busy.as(name));
  await Promise.all(
    people.flatMap((person) =>
      Array.from({ length: 6 }, async (_, index) => {
        const roomId = await makeRoom(person);
        const publish = (visibility: string) =>
          admin.put(path('directory', 'list', 'room', roomId), { visibility });
        await Promise.all([
          publish('public'),
          ...people.map((other) => other.post(path('rooms', roomId, 'join'), {})),
          publish(index % 2 ? 'private' : 'public'),
        ]);
        await Promise.all([
          publish(index % 2 ? 'private' : 'public'),
          ...(index % 3 ? [] : people.map((other) => other.post(path('rooms', roomId, 'leave'), {}))),
        ]);
      }),
    ),
  );
  for (const [query, total] of [
    ['', 18],
    ['public_rooms=true', 9],
    ['empty_rooms=true', 6],
    ['public_rooms=true&empty_rooms=true', 3],
    ['public_rooms=false&empty_rooms=false', 6],
  ] as const) {
    const { body } = await admin.get(`${list}?${query}`);
    expect(body).toMatchObject({ total_rooms: total, rooms: { length: total } });
  }
  await busy.remove();
});
