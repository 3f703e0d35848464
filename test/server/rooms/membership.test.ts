import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, makeRoom, path, setState } from './client.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const membershipOf = async (roomId: string, userId: string) => {
  const reply = await homeserver.as('alice').get(path('rooms', roomId, 'state', 'm.room.member', userId));
  return reply.body.membership;
};

/** A previous membership change: actor, action, target. */
type Step = [who: string, action: string, whom?: string];
const ban: Step = ['alice', 'ban', 'bob'];
const joined: Step[] = [
  ['alice', 'invite', 'bob'],
  ['bob', 'join'],
];

test.each<[Step, Step[], number, string?]>([
  [['bob', 'join'], [], 403, 'M_FORBIDDEN'],
  [['bob', 'join'], [['alice', 'invite', 'bob']], 200],
  [['bob', 'join'], joined, 200],
  [['bob', 'join'], [...joined, ['bob', 'leave']], 403, 'M_FORBIDDEN'],
  [['bob', 'join'], [ban], 403, 'M_BAD_STATE'],
  [['bob', 'join'], [ban, ['alice', 'unban', 'bob'], ['alice', 'invite', 'bob']], 200],
  [['bob', 'leave'], [], 403, 'M_FORBIDDEN'],
  [['bob', 'leave'], joined, 200],
  [['bob', 'leave'], [...joined, ['bob', 'leave']], 200],
  [['bob', 'leave'], [['alice', 'invite', 'bob']], 200],
  [['bob', 'leave'], [...joined, ['bob', 'leave'], ['bob', 'forget']], 200],
  [['bob', 'leave'], [...joined, ['alice', 'kick', 'bob']], 403, 'M_FORBIDDEN'],
  [['bob', 'leave'], [ban], 403, 'M_FORBIDDEN'],
  [['bob', 'forget'], [], 200],
  [['bob', 'forget'], joined, 400, 'M_UNKNOWN'],
  [['bob', 'forget'], [...joined, ['bob', 'leave']], 200],
  [['alice', 'invite', 'bob'], joined, 403, 'M_FORBIDDEN'],
  [['alice', 'invite', 'bob'], [ban], 403, 'M_BAD_STATE'],
  [['bob', 'invite', 'carol'], [], 403, 'M_FORBIDDEN'],
  [['bob', 'invite', 'carol'], joined, 200],
  [['alice', 'kick', 'bob'], joined, 200],
  [['alice', 'kick', 'bob'], [['alice', 'invite', 'bob']], 200],
  [['alice', 'kick', 'bob'], [], 403, 'M_FORBIDDEN'],
  [['alice', 'kick', 'bob'], [ban], 403, 'M_BAD_STATE'],
  [['bob', 'kick', 'alice'], joined, 403, 'M_FORBIDDEN'],
  [['bob', 'kick', 'alice'], [], 403, 'M_FORBIDDEN'],
  [['alice', 'ban', 'bob'], joined, 200],
  [['alice', 'ban', 'bob'], [ban], 200],
  [['alice', 'ban', 'alice'], [], 403, 'M_FORBIDDEN'],
  [['bob', 'ban', 'carol'], joined, 403, 'M_FORBIDDEN'],
  [['alice', 'unban', 'bob'], [ban], 200],
  [['alice', 'unban', 'bob'], [], 200],
  [['alice', 'unban', 'bob'], joined, 403, 'M_BAD_STATE'],
  [['alice', 'unban', 'bob'], [...joined, ['bob', 'leave']], 403, 'M_BAD_STATE'],
  [['bob', 'unban', 'carol'], joined, 403, 'M_FORBIDDEN'],
  [['bob', 'unban', 'carol'], [...joined, ['alice', 'ban', 'carol']], 403, 'M_FORBIDDEN'],
  [['guest', 'join'], [], 401, 'M_MISSING_TOKEN'],
  [['guest', 'kick', 'bob'], [], 401, 'M_MISSING_TOKEN'],
])('in a private room %j after %j', async ([who, action, whom], steps, status, errcode) => {
  const roomId = await makeRoom(homeserver.as('alice'), { preset: 'private_chat' });
  for (const [by, what, to] of steps) {
    await change(homeserver.as(by), roomId, what, to ? homeserver.as(to) : undefined);
  }
  const body = whom ? { user_id: homeserver.as(whom).userId } : {};
  const reply = await homeserver.as(who).post(path('rooms', roomId, action), body);
  expect(reply).toMatchObject({ status, ...(errcode && { body: { errcode } }) });
});

const withBob: Step[] = [...joined, ['bob', 'leave'], ['alice', 'invite', 'bob'], ['bob', 'join']];
test.each<[string, Step[], object]>([
  ['an invitation', [['alice', 'invite', 'bob']], { membership: 'invite', displayname: 'bob' }],
  ['a join', joined, { membership: 'join', displayname: 'bob' }],
  ['another join', withBob, { membership: 'join', displayname: 'bob' }],
  ['a leave', [...joined, ['bob', 'leave']], { membership: 'leave' }],
  [
    'a rejection',
    [
      ['alice', 'invite', 'bob'],
      ['bob', 'leave'],
    ],
    { membership: 'leave' },
  ],
  ['a kick', [...joined, ['alice', 'kick', 'bob']], { membership: 'leave' }],
  ['a ban', [...joined, ban], { membership: 'ban' }],
  ['a ban in advance', [ban], { membership: 'ban' }],
  ['an unban', [ban, ['alice', 'unban', 'bob']], { membership: 'leave' }],
])('%s shows the profile only of those who arrive', async (_, steps, content) => {
  const roomId = await makeRoom(homeserver.as('alice'), { preset: 'private_chat' });
  for (const [by, what, to] of steps) {
    await change(homeserver.as(by), roomId, what, to ? homeserver.as(to) : undefined);
  }
  const member = path('rooms', roomId, 'state', 'm.room.member', homeserver.as('bob').userId);
  expect((await homeserver.as('alice').get(member)).body).toEqual(content);
});

test.each([
  ['no user', 'invite', {}, 400, 'M_MISSING_PARAM'],
  ['a number', 'invite', { user_id: 5 }, 400, 'M_BAD_JSON'],
  ['no user identifier', 'kick', { user_id: 'bob' }, 400, 'M_INVALID_PARAM'],
  ['a user of another server', 'invite', { user_id: '@bob:example.org' }, 400, 'M_UNKNOWN'],
  ['a long user', 'invite', { user_id: `@${'a'.repeat(255)}:localhost` }, 413, 'M_TOO_LARGE'],
  ['a list', 'join', [], 400, 'M_BAD_JSON'],
  ['text', 'leave', 'x', 400, 'M_NOT_JSON'],
])('refuses %s to %s', async (_, action, body, status, errcode) => {
  const roomId = await makeRoom(homeserver.as('alice'));
  expect(await homeserver.as('alice').post(path('rooms', roomId, action), body)).toMatchObject({
    status,
    body: { errcode },
  });
});

test.each([
  ['join', '!nowhere:localhost', 404, 'M_UNKNOWN'],
  ['join', '#nowhere:localhost', 404, 'M_NOT_FOUND'],
  ['join', 'nowhere', 400, 'M_UNKNOWN'],
  ['knock', '!nowhere:localhost', 404, 'M_UNKNOWN'],
])('%s of %s', async (action, room, status, errcode) => {
  expect(await homeserver.as('bob').post(path(action, room))).toMatchObject({ status, body: { errcode } });
});

test.each([
  ['leave', 404, 'M_UNKNOWN'],
  ['forget', 200, undefined],
])('%s of an unknown room', async (action, status, errcode) => {
  const reply = await homeserver.as('bob').post(path('rooms', '!nowhere:localhost', action), {});
  expect(reply.status).toBe(status);
  expect(reply.body.errcode).toBe(errcode);
});

test.each([
  ['joins', 'public', 'join'],
  ['knocks on', 'knock', 'knock'],
])('no one %s a room that everyone left, not even by its state', async (_, rule, membership) => {
  const bob = homeserver.as('bob');
  const roomId = await makeRoom(homeserver.as('alice'));
  await setState(homeserver.as('alice'), roomId, 'm.room.join_rules', { join_rule: rule });
  await change(homeserver.as('alice'), roomId, 'leave');
  const own = path('rooms', roomId, 'state', 'm.room.member', bob.userId);
  for (const reply of [await bob.post(path(membership, roomId)), await bob.put(own, { membership })]) {
    expect(reply).toMatchObject({ status: 404, body: { errcode: 'M_UNKNOWN' } });
  }
});

test('a restricted room admits members of the other one', async () => {
  const [alice, bob, carol] = ['alice', 'bob', 'carol'].map((person) => homeserver.as(person));
  if (!alice || !bob || !carol) return;
  const club = await makeRoom(alice);
  await change(bob, club, 'join');
  const room = await makeRoom(alice, {
    preset: 'private_chat',
    initial_state: [
      {
        type: 'm.room.join_rules',
        content: {
          join_rule: 'restricted',
          allow: [{ type: 'm.room_membership', room_id: club }, { type: 5 }, null],
        },
      },
    ],
  });
  expect((await carol.post(path('join', room))).status).toBe(403);
  const forged = { membership: 'join', join_authorised_via_users_server: alice.userId };
  expect((await carol.put(path('rooms', room, 'state', 'm.room.member', carol.userId), forged)).status).toBe(
    403,
  );
  expect((await bob.post(path('join', room))).status).toBe(200);
  const member = await bob.get(path('rooms', room, 'state', 'm.room.member', bob.userId));
  expect(member.body).toMatchObject({ join_authorised_via_users_server: alice.userId });
});

test('users without access may knock if the room allows it', async () => {
  const roomId = await makeRoom(homeserver.as('alice'), { preset: 'private_chat' });
  const bob = homeserver.as('bob');
  expect((await bob.post(path('knock', roomId))).status).toBe(403);
  await setState(homeserver.as('alice'), roomId, 'm.room.join_rules', { join_rule: 'knock' });
  expect(await bob.post(path('knock', roomId), { reason: 'please' })).toMatchObject({
    status: 200,
    body: { room_id: roomId },
  });
  expect(await membershipOf(roomId, bob.userId)).toBe('knock');
  await change(homeserver.as('alice'), roomId, 'invite', bob);
  await change(bob, roomId, 'join');
});

test('counts members', async () => {
  const [alice, bob] = [homeserver.as('alice'), homeserver.as('bob')];
  const roomId = await makeRoom(alice, { invite: ['@carol:localhost'] });
  await change(bob, roomId, 'join');
  await change(bob, roomId, 'join');
  const { joined } = (await alice.get(path('rooms', roomId, 'joined_members'))).body;
  expect(joined).toEqual({
    [alice.userId]: { display_name: 'alice', avatar_url: null },
    [bob.userId]: { display_name: 'bob', avatar_url: null },
  });
  const count = () =>
    homeserver.services.db
      .selectFrom('rooms')
      .select('joined_members')
      .where('room_id', '=', roomId)
      .executeTakeFirst();
  expect(await count()).toEqual({ joined_members: 2 });
  expect((await bob.get(path('joined_rooms'))).body.joined_rooms).toContain(roomId);
  await change(bob, roomId, 'leave');
  expect(await count()).toEqual({ joined_members: 1 });
  expect((await bob.get(path('joined_rooms'))).body.joined_rooms).not.toContain(roomId);
});

test.each([
  ['alice', '', 200, ['join', 'invite', 'ban']],
  ['alice', '?membership=join', 200, ['join']],
  ['alice', '?not_membership=join', 200, ['invite', 'ban']],
  ['alice', '?membership=other', 200, []],
  ['carol', '', 403, undefined],
])('%s asks for the members %s', async (caller, query, status, memberships) => {
  const roomId = await makeRoom(homeserver.as('alice'), {
    preset: 'private_chat',
    invite: ['@bob:localhost'],
  });
  await change(homeserver.as('alice'), roomId, 'ban', { ...homeserver.as('bob'), userId: '@x:localhost' });
  const reply = await homeserver.as(caller).get(path('rooms', roomId, 'members') + query);
  expect(reply.status).toBe(status);
  const found = reply.body.chunk?.map(
    (event: { content: { membership: string } }) => event.content.membership,
  );
  expect(found).toEqual(memberships);
});

test('users see the rooms they share with another', async () => {
  const [alice, bob] = [homeserver.as('alice'), homeserver.as('bob')];
  const mutual = async (query: string) => bob.get(`/_chat/client/v1/mutual_rooms?${query}`);
  const before = (await mutual(`user_id=${alice.userId}`)).body;
  const shared = await makeRoom(alice, { preset: 'public_chat' });
  await makeRoom(alice, { preset: 'public_chat', invite: [bob.userId] });
  await bob.post(path('rooms', shared, 'join'), {});
  const { joined, count } = (await mutual(`user_id=${alice.userId}`)).body;
  expect(joined.sort()).toEqual([...before.joined, shared].sort());
  expect(count).toBe(before.count + 1);
  expect((await mutual('user_id=@nobody:localhost')).body).toEqual({ joined: [], count: 0 });
  const after = Buffer.from(joined.at(-1)).toString('base64url');
  expect((await mutual(`user_id=${alice.userId}&from=${after}`)).body).toEqual({ joined: [], count });
  for (const [query, errcode] of [
    [`user_id=${bob.userId}`, 'M_INVALID_PARAM'],
    [`user_id=${alice.userId}&from=x`, 'M_INVALID_PARAM'],
    ['', 'M_MISSING_PARAM'],
  ] as const) {
    expect(await mutual(query)).toMatchObject({ status: 400, body: { errcode } });
  }
});
