import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { gist, makeRoom, messages, path } from './client.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

test.each([
  ['nobody', 'guest', {}, 401, 'M_MISSING_TOKEN'],
  ['no body', 'alice', undefined, 400, 'M_NOT_JSON'],
  ['a list', 'alice', [], 400, 'M_BAD_JSON'],
  ['an unknown preset', 'alice', { preset: 'nope' }, 400, 'M_BAD_JSON'],
  ["a name that isn't a string", 'alice', { name: 5 }, 400, 'M_BAD_JSON'],
  ['an older version', 'alice', { room_version: '2' }, 400, 'M_UNSUPPORTED_ROOM_VERSION'],
  ['a newer version', 'alice', { room_version: '13' }, 400, 'M_UNSUPPORTED_ROOM_VERSION'],
  ["a version that isn't a string", 'alice', { room_version: 11 }, 400, 'M_BAD_JSON'],
  ['a whole alias', 'alice', { room_alias_name: '#a:localhost' }, 400, 'M_UNKNOWN'],
  ['an alias with a space', 'alice', { room_alias_name: 'a b' }, 400, 'M_UNKNOWN'],
  ['a long alias', 'alice', { room_alias_name: 'a'.repeat(250) }, 400, 'M_INVALID_PARAM'],
  ['an invitation of oneself', 'alice', { invite: ['@alice:localhost'] }, 403, 'M_FORBIDDEN'],
  ['an invalid invitation', 'alice', { invite: ['bob'] }, 400, 'M_INVALID_PARAM'],
  ['an invitation to elsewhere', 'alice', { invite: ['@bob:example.org'] }, 400, 'M_UNKNOWN'],
  ['an invitation by address', 'alice', { invite_3pid: [{}] }, 400, 'M_MISSING_PARAM'],
  ['a float', 'alice', { creation_content: { x: 1.5 } }, 400, 'M_BAD_JSON'],
  ['levels as text', 'alice', { power_level_content_override: { ban: '5' } }, 400, 'M_BAD_JSON'],
  ['levels without oneself', 'alice', { power_level_content_override: { users: {} } }, 400, 'M_UNKNOWN'],
  ['state without content', 'alice', { initial_state: [{ type: 'a' }] }, 400, 'M_MISSING_PARAM'],
  [
    'an alias that leads elsewhere',
    'alice',
    { initial_state: [{ type: 'm.room.canonical_alias', content: { alias: '#admin:localhost' } }] },
    400,
    'M_BAD_ALIAS',
  ],
  [
    'a second creation',
    'alice',
    { initial_state: [{ type: 'm.room.create', content: {} }] },
    403,
    'M_FORBIDDEN',
  ],
  [
    'a room that shuts this server out',
    'alice',
    { initial_state: [{ type: 'm.room.server_acl', content: { allow: ['*.example.org'] } }] },
    400,
    'M_UNKNOWN',
  ],
  ['too much', 'alice', { topic: 'x'.repeat(70_000) }, 413, 'M_TOO_LARGE'],
])('refuses %s', async (_, caller, request, status, errcode) => {
  expect(await homeserver.as(caller).post(path('createRoom'), request)).toMatchObject({
    status,
    body: { errcode, error: expect.any(String) },
  });
});

test("leaves nothing of a room that couldn't be created", async () => {
  const alice = homeserver.as('alice');
  const refused = { room_alias_name: 'half', topic: 'x'.repeat(70_000) };
  expect((await alice.post(path('createRoom'), refused)).status).toBe(413);
  await makeRoom(alice, { room_alias_name: 'half' });
});

test('an alias points to one room', async () => {
  const alice = homeserver.as('alice');
  const roomId = await makeRoom(alice, { room_alias_name: 'taken' });
  expect(await homeserver.as('bob').post(path('createRoom'), { room_alias_name: 'taken' })).toMatchObject({
    status: 400,
    body: { errcode: 'M_ROOM_IN_USE' },
  });
  expect(await homeserver.as('bob').post(path('join', '#taken:localhost'))).toMatchObject({
    status: 200,
    body: { room_id: roomId },
  });
});

describe('the first events', () => {
  test("come in Synapse's order", async () => {
    const alice = homeserver.as('alice');
    const roomId = await makeRoom(alice, {
      name: 'N',
      topic: 'T',
      room_alias_name: 'ordered',
      invite: ['@bob:localhost', '@bob:localhost'],
      initial_state: [{ type: 'org.example.state', state_key: 'k', content: { a: 1 } }],
    });
    expect(gist(await messages(alice, roomId))).toEqual([
      'm.room.create',
      'm.room.member',
      'm.room.power_levels',
      'm.room.canonical_alias',
      'm.room.join_rules',
      'm.room.history_visibility',
      'org.example.state',
      'm.room.name',
      'm.room.topic',
      'm.room.member',
    ]);
  });

  test.each([
    [{ preset: 'private_chat' }, 'invite', 'can_join', 0, ['@alice:localhost']],
    [
      { preset: 'trusted_private_chat', invite: ['@bob:localhost'] },
      'invite',
      'can_join',
      0,
      ['@alice:localhost', '@bob:localhost'],
    ],
    [{ preset: 'public_chat' }, 'public', undefined, 50, ['@alice:localhost']],
    [{ preset: undefined, visibility: 'public' }, 'public', undefined, 50, ['@alice:localhost']],
    [{ preset: undefined }, 'invite', 'can_join', 0, ['@alice:localhost']],
  ])('follow the preset of %j', async (request, joinRule, guestAccess, invite, admins) => {
    const alice = homeserver.as('alice');
    const state = async (type: string) => (await alice.get(path('rooms', roomId, 'state', type))).body;
    const roomId = await makeRoom(alice, request);
    expect(await state('m.room.create')).toEqual({ room_version: '11' });
    expect(await state('m.room.join_rules')).toEqual({ join_rule: joinRule });
    expect((await state('m.room.guest_access')).guest_access).toBe(guestAccess);
    const levels = await state('m.room.power_levels');
    expect(levels).toMatchObject({ invite, users_default: 0, ban: 50 });
    expect(levels.events['m.call.invite']).toBe(joinRule === 'public' ? 50 : undefined);
    expect(Object.keys((await state('m.room.power_levels')).users)).toEqual(admins);
  });

  test('are overridden by the request', async () => {
    const alice = homeserver.as('alice');
    const roomId = await makeRoom(alice, {
      preset: 'private_chat',
      creation_content: { 'm.federate': false, room_version: '1' },
      power_level_content_override: { users_default: 5 },
      initial_state: [{ type: 'm.room.join_rules', content: { join_rule: 'knock' } }],
      is_direct: true,
      invite: ['@nobody:localhost'],
    });
    const state = async (...key: string[]) => (await alice.get(path('rooms', roomId, 'state', ...key))).body;
    expect(await state('m.room.create')).toEqual({ room_version: '11', 'm.federate': false });
    expect(await state('m.room.join_rules')).toEqual({ join_rule: 'knock' });
    expect((await state('m.room.power_levels')).users_default).toBe(5);
    expect(await state('m.room.member', '@nobody:localhost')).toEqual({
      membership: 'invite',
      is_direct: true,
    });
  });
});
