import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, makeRoom, messages, path, setState } from '../rooms/client.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const admin = '/_service/admin/v1';
const at = (roomId: string, action: string) => `${admin}/rooms/${encodeURIComponent(roomId)}/${action}`;
const as = (name: string) => homeserver.as(name);

describe('making a user room admin', () => {
  const make = (roomId: string, body?: unknown, caller = 'admin') =>
    as(caller).post(at(roomId, 'make_room_admin'), body);
  const levels = async (roomId: string) =>
    (await as('alice').get(path('rooms', roomId, 'state', 'm.room.power_levels'))).body.users;

  test.each<[string, string, string, unknown, number, string]>([
    ['nobody', 'guest', '!a:localhost', {}, 401, 'M_MISSING_TOKEN'],
    ['a user', 'alice', '!a:localhost', {}, 403, 'M_FORBIDDEN'],
    ['no room', 'admin', '!a:localhost', {}, 400, 'M_UNKNOWN'],
    ['a word', 'admin', 'room', {}, 400, 'M_UNKNOWN'],
    ['an unknown alias', 'admin', '#a:localhost', {}, 404, 'M_NOT_FOUND'],
    ['a number', 'admin', '!a:localhost', { user_id: 5 }, 400, 'M_BAD_JSON'],
    ['a list', 'admin', '!a:localhost', [], 400, 'M_BAD_JSON'],
    ['a name', 'admin', '!a:localhost', { user_id: 'bob' }, 400, 'M_INVALID_PARAM'],
    ['someone elsewhere', 'admin', '!a:localhost', { user_id: '@b:example.org' }, 400, 'M_UNKNOWN'],
  ])('refuses %s', async (_, caller, roomId, body, status, errcode) => {
    expect(await make(roomId, body, caller)).toMatchObject({ status, body: { errcode } });
  });

  test('defaults to the caller, and invites to a private room', async () => {
    const roomId = await makeRoom(as('alice'), { preset: 'private_chat' });
    const changes = new Set<string>();
    for (let twice = 0; twice < 2; twice++) {
      expect((await make(roomId)).status).toBe(200);
      const state = `${path('rooms', roomId, 'state', 'm.room.power_levels')}?format=event`;
      changes.add((await as('alice').get(state)).body.event_id);
    }
    expect(changes.size).toBe(1);
    expect(await levels(roomId)).toEqual({ '@alice:localhost': 100, '@admin:localhost': 100 });
    expect((await as('admin').post(path('join', roomId))).status).toBe(200);
  });

  test('grants the highest power level there is, also by alias', async () => {
    const roomId = await makeRoom(as('alice'), { room_alias_name: 'power' });
    await change(as('bob'), roomId, 'join');
    expect((await make('#power:localhost', { user_id: '@bob:localhost' })).status).toBe(200);
    expect(await levels(roomId)).toEqual({ '@alice:localhost': 100, '@bob:localhost': 100 });
  });

  test.each<[string, object, object]>([
    [
      'other power levels',
      { users_default: 5, events: { 'm.room.name': 75 }, ban: 60, invite: 40, 'org.example': 1 },
      { users: { '@alice:localhost': 100, '@admin:localhost': 100 } },
    ],
    [
      'the members who have levels',
      { users: { '@alice:localhost': 100, '@bob:localhost': 50 } },
      { users: { '@alice:localhost': 100, '@bob:localhost': 50, '@admin:localhost': 100 } },
    ],
    [
      'a level above a hundred',
      { users: { '@alice:localhost': 250 }, events: { 'm.room.power_levels': 200 } },
      { users: { '@alice:localhost': 250, '@admin:localhost': 200 } },
    ],
    [
      'a higher level of the user',
      { users: { '@alice:localhost': 250, '@admin:localhost': 150 } },
      { users: { '@alice:localhost': 250, '@admin:localhost': 150 } },
    ],
  ])('keeps %s', async (_, set, changed) => {
    const roomId = await makeRoom(as('alice'), { power_level_content_override: set });
    const all = async () =>
      (await as('alice').get(path('rooms', roomId, 'state', 'm.room.power_levels'))).body;
    const before = await all();
    expect(before).toMatchObject(set);
    expect((await make(roomId)).status).toBe(200);
    expect(await all()).toEqual({ ...before, ...changed });
  });

  test.each<[string, object, string[]]>([
    ['a public room', { preset: 'public_chat' }, []],
    ['a private room', { preset: 'private_chat' }, ['invite']],
    [
      'a private room with an invitation',
      { preset: 'private_chat', invite: ['@admin:localhost'] },
      ['invite'],
    ],
  ])('in %s, the user is invited once if needed', async (_, request, memberships) => {
    const roomId = await makeRoom(as('alice'), request);
    expect((await make(roomId)).status).toBe(200);
    const { chunk } = (await messages(as('alice'), roomId)).body;
    const changes = chunk.filter((event: { state_key?: string }) => event.state_key === '@admin:localhost');
    expect(changes.map((event: { content: object }) => event.content)).toMatchObject(
      memberships.map((membership) => ({ membership })),
    );
  });

  test('needs a local member with enough power', async () => {
    const roomId = await makeRoom(as('alice'));
    await change(as('bob'), roomId, 'join');
    await change(as('alice'), roomId, 'leave');
    expect(await make(roomId, { user_id: '@bob:localhost' })).toMatchObject({
      status: 400,
      body: { errcode: 'M_UNKNOWN', error: 'No local admin user in room' },
    });
  });

  test("doesn't lift a ban and then changes nothing", async () => {
    const roomId = await makeRoom(as('alice'), { preset: 'private_chat' });
    await change(as('alice'), roomId, 'ban', as('bob'));
    expect((await make(roomId, { user_id: '@bob:localhost' })).status).toBe(403);
    expect(await levels(roomId)).toEqual({ '@alice:localhost': 100 });
  });
});

describe('joining a user', () => {
  const join = (roomIdOrAlias: string, user_id: unknown, caller = 'admin') =>
    as(caller).post(`${admin}/join/${encodeURIComponent(roomIdOrAlias)}`, { user_id });

  test.each<[string, string, string, unknown, number, string]>([
    ['nobody', 'guest', '!a:localhost', '@bob:localhost', 401, 'M_MISSING_TOKEN'],
    ['a user', 'alice', '!a:localhost', '@bob:localhost', 403, 'M_FORBIDDEN'],
    ['no user', 'admin', '!a:localhost', undefined, 400, 'M_MISSING_PARAM'],
    ['a number', 'admin', '!a:localhost', 5, 400, 'M_BAD_JSON'],
    ['a name', 'admin', '!a:localhost', 'bob', 400, 'M_INVALID_PARAM'],
    ['an unknown user', 'admin', '!a:localhost', '@nobody:localhost', 404, 'M_NOT_FOUND'],
    ['someone elsewhere', 'admin', '!a:localhost', '@bob:example.org', 400, 'M_UNKNOWN'],
    ['a word', 'admin', 'room', '@bob:localhost', 400, 'M_UNKNOWN'],
    ['no room', 'admin', '!a:localhost', '@bob:localhost', 404, 'M_UNKNOWN'],
    ['an unknown alias', 'admin', '#a:localhost', '@bob:localhost', 404, 'M_NOT_FOUND'],
  ])('refuses %s', async (_, caller, room, user, status, errcode) => {
    expect(await join(room, user, caller)).toMatchObject({ status, body: { errcode } });
  });

  test('a public room', async () => {
    const roomId = await makeRoom(as('alice'), { room_alias_name: 'public' });
    expect(await join('#public:localhost', '@bob:localhost')).toMatchObject({
      status: 200,
      body: { room_id: roomId },
    });
    expect((await as('bob').get(path('joined_rooms'))).body.joined_rooms).toContain(roomId);
  });

  test('a private room needs an admin who is a member', async () => {
    const roomId = await makeRoom(as('alice'), { preset: 'private_chat', invite: ['@admin:localhost'] });
    expect(await join(roomId, '@bob:localhost')).toMatchObject({
      status: 403,
      body: { errcode: 'M_FORBIDDEN', error: `@admin:localhost not in room ${roomId}.` },
    });
    await change(as('admin'), roomId, 'join');
    expect((await join(roomId, '@bob:localhost')).status).toBe(200);
    expect((await as('admin').get(at(roomId, 'members'))).body.members).toContain('@bob:localhost');
  });

  test("doesn't bypass a ban or a block", async () => {
    const roomId = await makeRoom(as('alice'));
    await change(as('alice'), roomId, 'ban', as('bob'));
    expect((await join(roomId, '@bob:localhost')).status).toBe(403);
    await as('admin').put(at(roomId, 'block'), { block: true });
    expect((await join(roomId, '@carol:localhost')).status).toBe(403);
  });

  test('needs enough power to invite', async () => {
    const roomId = await makeRoom(as('alice'), {
      preset: 'private_chat',
      invite: ['@admin:localhost'],
      power_level_content_override: { invite: 50 },
    });
    await change(as('admin'), roomId, 'join');
    expect((await join(roomId, '@carol:localhost')).status).toBe(403);
    await setState(as('alice'), roomId, 'm.room.join_rules', { join_rule: 'public' });
    expect((await join(roomId, '@carol:localhost')).status).toBe(200);
  });
});
