import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, makeRoom, path } from './client.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const as = (name: string) => homeserver.as(name);
const entry = (roomId: string) => path('directory', 'list', 'room', roomId);

describe.each([
  ['vendor', '/_chat'],
  ['matrix', '/_matrix'],
])('in the %s dialect', (_, chat) => {
  const url = `${chat}/client/v3`;
  test.each<[string, string, 'get' | 'put' | 'post' | 'delete', string, unknown, number, string]>([
    ['anonymous list', 'guest', 'get', `${url}/publicRooms`, undefined, 401, 'M_MISSING_TOKEN'],
    ['anonymous search', 'guest', 'post', `${url}/publicRooms`, {}, 401, 'M_MISSING_TOKEN'],
    ['a negative number', 'alice', 'get', `${url}/publicRooms?limit=-1`, undefined, 400, 'M_INVALID_PARAM'],
    ['no such place', 'alice', 'get', `${url}/publicRooms?since=here`, undefined, 400, 'M_INVALID_PARAM'],
    ['other servers', 'alice', 'get', `${url}/publicRooms?server=a.org`, undefined, 400, 'M_UNKNOWN'],
    ['no body', 'alice', 'post', `${url}/publicRooms`, undefined, 400, 'M_NOT_JSON'],
    ['text as a limit', 'alice', 'post', `${url}/publicRooms`, { limit: 'a' }, 400, 'M_BAD_JSON'],
    ['a number for a filter', 'alice', 'post', `${url}/publicRooms`, { filter: 5 }, 400, 'M_BAD_JSON'],
    [
      'a number to search for',
      'alice',
      'post',
      `${url}/publicRooms`,
      { filter: { generic_search_term: 5 } },
      400,
      'M_BAD_JSON',
    ],
    ['no room', 'guest', 'get', `${url}/directory/list/room/!a:localhost`, undefined, 404, 'M_NOT_FOUND'],
    ['nobody', 'guest', 'put', `${url}/directory/list/room/!a:localhost`, {}, 401, 'M_MISSING_TOKEN'],
    ['no room', 'admin', 'put', `${url}/directory/list/room/!a:localhost`, {}, 400, 'M_UNKNOWN'],
    [
      'half public',
      'admin',
      'put',
      `${url}/directory/list/room/!a:localhost`,
      { visibility: 'half' },
      400,
      'M_BAD_JSON',
    ],
  ])('refuses %s: %s %s %s', async (__, caller, method, target, body, status, errcode) => {
    expect(await as(caller)[method](target, body)).toMatchObject({ status, body: { errcode } });
  });
});

describe('publishing', () => {
  const visibility = async (roomId: string) => (await as('guest').get(entry(roomId))).body.visibility;

  test('is for admins only, and a room is created regardless', async () => {
    const roomId = await makeRoom(as('alice'), { visibility: 'public', preset: undefined });
    expect(await visibility(roomId)).toBe('private');
    const rule = await as('alice').get(path('rooms', roomId, 'state', 'm.room.join_rules'));
    expect(rule.body).toEqual({ join_rule: 'public' });
    expect(await as('alice').put(entry(roomId), { visibility: 'public' })).toMatchObject({
      status: 403,
      body: { errcode: 'M_UNKNOWN', error: 'Not allowed to publish room' },
    });
    expect((await as('alice').put(entry(roomId), { visibility: 'private' })).status).toBe(200);
    for (let twice = 0; twice < 2; twice++) {
      expect((await as('admin').put(entry(roomId), {})).status).toBe(200);
      expect(await visibility(roomId)).toBe('public');
    }
    expect((await as('alice').put(entry(roomId), { visibility: 'private' })).status).toBe(200);
    expect(await visibility(roomId)).toBe('private');

    const own = await makeRoom(as('admin'), { visibility: 'public' });
    expect(await visibility(own)).toBe('public');
    await as('admin').put(entry(own), { visibility: 'private' });
  });

  test('needs the power level to set the canonical alias', async () => {
    const roomId = await makeRoom(as('alice'));
    for (const wanted of ['public', 'private']) {
      expect(await as('bob').put(entry(roomId), { visibility: wanted })).toMatchObject({
        status: 403,
        body: { errcode: 'M_FORBIDDEN' },
      });
    }
    await change(as('bob'), roomId, 'join');
    expect((await as('bob').put(entry(roomId), { visibility: 'private' })).status).toBe(403);
  });
});

describe('the list', () => {
  let listing: TestHomeserver;
  const names = ['Big', 'Café', 'one', 'three', 'two', 'zoo'];

  beforeAll(async () => {
    const everyone = [{ userId: '*', alias: '*', roomId: '*', action: 'allow' as const }];
    listing = await startHomeserver({
      config: {
        roomDirectory: {
          isOpen: false,
          aliasesByMembers: true,
          publicationRules: everyone,
          aliasCreationRules: everyone,
        },
      },
    });
    const alice = listing.as('alice');
    for (const name of names) {
      const roomId = await makeRoom(alice, {
        visibility: 'public',
        name,
        topic: `About ${name.toUpperCase()}`,
        ...(name === 'zoo' && {
          room_alias_name: 'animals',
          creation_content: { type: 'm.space' },
          initial_state: [
            { type: 'm.room.avatar', content: { url: 'mxc://localhost/zebra' } },
            { type: 'm.room.guest_access', content: { guest_access: 'can_join' } },
            { type: 'm.room.history_visibility', content: { history_visibility: 'world_readable' } },
          ],
        }),
      });
      const guests = name === 'Big' ? ['bob', 'carol'] : name === 'zoo' ? ['bob'] : [];
      for (const guest of guests) await change(listing.as(guest), roomId, 'join');
    }
    await makeRoom(alice, { name: 'unlisted' });
    await makeRoom(alice, { name: 'closed', visibility: 'public', preset: 'private_chat' });
    const empty = await makeRoom(alice, { name: 'empty', visibility: 'public' });
    await change(alice, empty, 'leave');
  });
  afterAll(() => listing.remove());

  type Room = { name: string; room_id: string; num_joined_members: number };
  const get = async (query = '') => (await listing.as('carol').get(`${path('publicRooms')}${query}`)).body;
  const search = async (body: object) => (await listing.as('carol').post(path('publicRooms'), body)).body;
  const namesOf = (page: { chunk: Room[] }) => page.chunk.map(({ name }) => name);

  test('has public rooms, the largest first', async () => {
    const page = await get();
    expect(namesOf(page).slice(0, 2)).toEqual(['Big', 'zoo']);
    expect(namesOf(page).toSorted()).toEqual(names);
    expect(page).not.toHaveProperty('next_batch');
    expect(page).not.toHaveProperty('prev_batch');
    // The estimate includes the room that can't be joined.
    expect(page.total_room_count_estimate).toBe(7);
    expect(page.chunk[1]).toEqual({
      room_id: expect.any(String),
      name: 'zoo',
      topic: 'About ZOO',
      canonical_alias: '#animals:localhost',
      avatar_url: 'mxc://localhost/zebra',
      num_joined_members: 2,
      world_readable: true,
      guest_can_join: true,
      join_rule: 'public',
      room_type: 'm.space',
    });
    expect((await search({})).chunk).toEqual(page.chunk);
    expect((await search({ limit: 0 })).chunk).toEqual(page.chunk);
  });

  test.each([1, 2, 4])('is paginated in both directions, %i at a time', async (limit) => {
    const whole = (await get()).chunk;
    const forward: Room[] = [];
    let page = await get(`?limit=${limit}`);
    expect(page).not.toHaveProperty('prev_batch');
    for (;;) {
      forward.push(...page.chunk);
      if (!page.next_batch) break;
      page = await search({ limit, since: page.next_batch });
    }
    expect(forward).toEqual(whole);

    const back: Room[] = [...page.chunk];
    while (page.prev_batch) {
      page = await get(`?limit=${limit}&since=${page.prev_batch}`);
      expect(page.next_batch).toEqual(expect.any(String));
      back.unshift(...page.chunk);
    }
    expect(back).toEqual(whole);
  });

  test.each([
    ['bIG', ['Big']],
    ['CAFÉ', ['Café']],
    ['about t', ['three', 'two']],
    ['ANIMAL', ['zoo']],
    ['', names],
    ['%', []],
    ['nothing like it', []],
  ])('is searched for %j', async (term, expected) => {
    const page = await search({ filter: { generic_search_term: term } });
    expect(namesOf(page).toSorted()).toEqual(expected);
  });

  test.each([
    [['m.space'], ['zoo']],
    [[null], names.filter((name) => name !== 'zoo')],
    [[null, 'm.space'], names],
    [['other'], []],
    [[], []],
  ])('is filtered by type %j', async (room_types, expected) => {
    expect(namesOf(await search({ filter: { room_types } })).toSorted()).toEqual(expected);
  });
});

test.each([
  ['public', true],
  ['knock', true],
  ['knock_restricted', true],
  ['restricted', false],
  ['invite', false],
])('a published room with the join rule %s is listed: %s', async (join_rule, isListed) => {
  const name = `Joined by ${join_rule}`;
  await makeRoom(homeserver.as('admin'), {
    name,
    visibility: 'public',
    initial_state: [{ type: 'm.room.join_rules', content: { join_rule } }],
  });
  const { body } = await homeserver
    .as('bob')
    .post(path('publicRooms'), { filter: { generic_search_term: name } });
  const names = body.chunk.map((room: { name: string }) => room.name);
  expect(names.includes(name)).toBe(isListed);
});
