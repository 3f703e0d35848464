import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeRoom, path } from './client.ts';

const entry = (roomId: string) => path('directory', 'list', 'room', roomId);
const alias = (name: string) => path('directory', 'room', name);

const rule = { userId: '*', alias: '*', roomId: '*', action: 'allow' as const };
let ruled: TestHomeserver;
beforeAll(async () => {
  ruled = await startHomeserver({
    config: {
      roomDirectory: {
        isOpen: true,
        aliasesByMembers: false,
        publicationRules: [
          { ...rule, userId: '*bob*', action: 'deny' },
          { ...rule, alias: '#pub.*' },
          { ...rule, roomId: '!*:example.org' },
          { ...rule, userId: '@CAROL:local????', roomId: '!*:localhost' },
        ],
        aliasCreationRules: [
          { ...rule, alias: '#no*', action: 'deny' },
          { ...rule, alias: '#z*a*a*a*a*a*b', action: 'deny' },
          { ...rule, userId: '@alice:*' },
          { ...rule, alias: '#free_?:localhost' },
          { ...rule, alias: '#pub*' },
        ],
      },
    },
  });
});
afterAll(() => ruled.remove());

test('show public rooms to everyone, if configured', async () => {
  const guest = ruled.as('guest');
  expect(await guest.get(path('publicRooms'))).toMatchObject({ status: 200 });
  expect(await guest.post(path('publicRooms'), { limit: null, since: null, filter: null })).toMatchObject({
    status: 200,
  });
});

test("let users who aren't members create aliases, if configured", async () => {
  const roomId = await makeRoom(ruled.as('bob'));
  expect((await ruled.as('alice').put(alias('#outsiders:localhost'), { room_id: roomId })).status).toBe(200);
});

test.each([
  ['alice', undefined, false],
  ['alice', 'pubx', false],
  ['alice', 'pub.alice', true],
  ['bob', 'pub.bob', false],
  ['carol', undefined, true],
  ['admin', undefined, true],
])('let %s publish a room named %s: %s', async (who, name, allowed) => {
  const roomId = await makeRoom(ruled.as(who), {
    visibility: 'public',
    ...(name !== undefined && { room_alias_name: name }),
  });
  const change = (caller: string, visibility: string) => ruled.as(caller).put(entry(roomId), { visibility });
  expect((await ruled.as(who).get(entry(roomId))).body.visibility).toBe(allowed ? 'public' : 'private');
  expect((await change(who, 'private')).status).toBe(200);
  expect((await change(who, 'public')).status).toBe(allowed ? 200 : 403);
  expect((await change('admin', 'public')).status).toBe(200);
});

test.each([
  ['alice', 'anything', true],
  ['alice', 'nothing', false],
  ['bob', 'anything', false],
  ['bob', 'free_b', true],
  ['bob', 'free_bb', false],
  ['bob', 'FREE_C', true],
])('let %s create the alias %s: %s', async (who, name, allowed) => {
  const made = await ruled.as(who).post(path('createRoom'), { room_alias_name: name });
  expect(made).toMatchObject(allowed ? { status: 200 } : { status: 403, body: { errcode: 'M_UNKNOWN' } });
  await ruled.as('admin').delete(alias(`#${name}:localhost`));
  const roomId = await makeRoom(ruled.as(who));
  const added = await ruled.as(who).put(alias(`#${name}:localhost`), { room_id: roomId });
  expect(added.status).toBe(allowed ? 200 : 403);
});

test('take no longer for an alias with many near matches', async () => {
  // With backtracking, the rule's pattern would take years on this alias.
  const made = await ruled.as('alice').post(path('createRoom'), { room_alias_name: `z${'a'.repeat(230)}` });
  expect(made.status).toBe(200);
});
