import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, makeRoom, path, setState } from './client.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const as = (name: string) => homeserver.as(name);
const alias = (name: string) => path('directory', 'room', name);
const canonical = async (roomId: string) =>
  (await as('alice').get(path('rooms', roomId, 'state', 'm.room.canonical_alias'))).body;

describe.each([
  ['vendor', '/_chat'],
  ['matrix', '/_matrix'],
])('in the %s dialect', (_, chat) => {
  const url = `${chat}/client/v3`;
  const anAlias = `${url}/directory/room/%23x:localhost`;
  test.each<[string, string, 'get' | 'put' | 'post' | 'delete', string, unknown, number, string]>([
    ['no alias', 'guest', 'get', anAlias, undefined, 404, 'M_NOT_FOUND'],
    ['a word', 'guest', 'get', `${url}/directory/room/x`, undefined, 400, 'M_INVALID_PARAM'],
    ['other servers', 'guest', 'get', `${url}/directory/room/%23x:a.org`, undefined, 404, 'M_NOT_FOUND'],
    ['nobody', 'guest', 'put', anAlias, { room_id: '!a:localhost' }, 401, 'M_MISSING_TOKEN'],
    ['no room named', 'alice', 'put', anAlias, {}, 400, 'M_MISSING_PARAM'],
    ['a number', 'alice', 'put', anAlias, { room_id: 5 }, 400, 'M_BAD_JSON'],
    ['no room', 'alice', 'put', anAlias, { room_id: '!a:localhost' }, 400, 'M_UNKNOWN'],
    ['a word', 'alice', 'put', `${url}/directory/room/x`, { room_id: '!a' }, 400, 'M_INVALID_PARAM'],
    ['elsewhere', 'alice', 'put', `${url}/directory/room/%23x:a.org`, { room_id: '!a' }, 400, 'M_UNKNOWN'],
    [
      'a space',
      'alice',
      'put',
      `${url}/directory/room/%23a%20b:localhost`,
      { room_id: '!a' },
      400,
      'M_UNKNOWN',
    ],
    [
      'a long one',
      'alice',
      'put',
      `${url}/directory/room/%23${'x'.repeat(255)}:localhost`,
      { room_id: '!a' },
      400,
      'M_INVALID_PARAM',
    ],
    ['nobody', 'guest', 'delete', anAlias, undefined, 401, 'M_MISSING_TOKEN'],
    ['no alias', 'alice', 'delete', anAlias, undefined, 404, 'M_NOT_FOUND'],
    [
      'without an own room',
      'alice',
      'get',
      `${url}/rooms/!a:localhost/aliases`,
      undefined,
      403,
      'M_FORBIDDEN',
    ],
  ])('refuses %s: %s %s %s', async (__, caller, method, target, body, status, errcode) => {
    expect(await as(caller)[method](target, body)).toMatchObject({ status, body: { errcode } });
  });
});

describe('aliases', () => {
  test('point to one room each', async () => {
    const roomId = await makeRoom(as('alice'), { room_alias_name: 'first' });
    expect(await as('alice').put(alias('#Second:localhost'), { room_id: roomId })).toMatchObject({
      status: 200,
      body: {},
    });
    expect((await as('guest').get(alias('#Second:localhost'))).body).toEqual({
      room_id: roomId,
      servers: ['localhost'],
    });
    expect(await as('alice').put(alias('#Second:localhost'), { room_id: roomId })).toMatchObject({
      status: 409,
      body: { errcode: 'M_UNKNOWN' },
    });
    const listed = await as('alice').get(path('rooms', roomId, 'aliases'));
    expect(listed.body).toEqual({ aliases: ['#first:localhost', '#Second:localhost'] });
    expect((await as('bob').get(path('rooms', roomId, 'aliases'))).status).toBe(403);
    for (const action of ['join', 'leave']) await as('carol').post(path('rooms', roomId, action), {});
    expect((await as('carol').get(path('rooms', roomId, 'aliases'))).status).toBe(403);
    expect((await as('admin').get(path('rooms', roomId, 'aliases'))).status).toBe(200);
  });

  test('are created by members and by admins', async () => {
    const roomId = await makeRoom(as('alice'));
    expect(await as('bob').put(alias('#bobs:localhost'), { room_id: roomId })).toMatchObject({
      status: 403,
      body: { errcode: 'M_FORBIDDEN' },
    });
    expect((await as('admin').put(alias('#admins:localhost'), { room_id: roomId })).status).toBe(200);
    await change(as('bob'), roomId, 'join');
    expect((await as('bob').put(alias('#bobs:localhost'), { room_id: roomId })).status).toBe(200);
  });

  test('are deleted by their creators, room moderators and admins', async () => {
    const roomId = await makeRoom(as('alice'));
    const make = (name: string, who = 'alice') => as(who).put(alias(name), { room_id: roomId });
    const remove = (name: string, who: string) => as(who).delete(alias(name));
    await make('#one:localhost');
    await make('#two:localhost');
    expect(await remove('#one:localhost', 'bob')).toMatchObject({ status: 403 });
    await change(as('bob'), roomId, 'join');
    expect(await remove('#one:localhost', 'bob')).toMatchObject({
      status: 403,
      body: { errcode: 'M_FORBIDDEN' },
    });
    await make('#three:localhost', 'bob');
    expect((await remove('#three:localhost', 'alice')).status).toBe(200);
    expect((await remove('#two:localhost', 'admin')).status).toBe(200);
    expect((await remove('#one:localhost', 'alice')).status).toBe(200);
    expect((await as('guest').get(alias('#one:localhost'))).status).toBe(404);
  });

  test('are removed from the canonical alias when deleted', async () => {
    const roomId = await makeRoom(as('alice'), { room_alias_name: 'main' });
    await as('alice').put(alias('#other:localhost'), { room_id: roomId });
    await setState(as('alice'), roomId, 'm.room.canonical_alias', {
      alias: '#main:localhost',
      alt_aliases: ['#other:localhost'],
    });
    await as('alice').delete(alias('#other:localhost'));
    expect(await canonical(roomId)).toEqual({ alias: '#main:localhost' });
    await as('alice').delete(alias('#main:localhost'));
    expect(await canonical(roomId)).toEqual({});
  });

  test('can be deleted by users who may not change the canonical alias', async () => {
    const roomId = await makeRoom(as('alice'), { room_alias_name: 'stays' });
    expect((await as('admin').delete(alias('#stays:localhost'))).status).toBe(200);
    expect(await canonical(roomId)).toEqual({ alias: '#stays:localhost' });
    expect((await as('guest').get(alias('#stays:localhost'))).status).toBe(404);
  });
});
