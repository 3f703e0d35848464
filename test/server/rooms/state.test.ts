import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeRoom, path, redact, setState } from './client.ts';

let homeserver: TestHomeserver;
let roomId: string;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());
beforeEach(async () => {
  roomId = await makeRoom(homeserver.as('alice'));
});

describe('state', () => {
  test('is set and read with and without a key', async () => {
    const alice = homeserver.as('alice');
    const base = path('rooms', roomId, 'state', 'org.example');
    expect((await alice.put(base, { a: 1 })).status).toBe(200);
    expect((await alice.put(`${base}/`, { a: 2 })).status).toBe(200);
    expect((await alice.put(`${base}/k%2Fk`, { a: 3 })).status).toBe(200);
    expect((await alice.get(base)).body).toEqual({ a: 2 });
    expect((await alice.get(`${base}/`)).body).toEqual({ a: 2 });
    expect((await alice.get(`${base}/k%2Fk`)).body).toEqual({ a: 3 });
    expect((await alice.get(`${base}/none`)).status).toBe(404);
    const event = await alice.get(`${base}?format=event`);
    expect(event.body).toMatchObject({
      type: 'org.example',
      state_key: '',
      content: { a: 2 },
      unsigned: { prev_content: { a: 1 }, prev_sender: alice.userId },
    });
    expect((await alice.get(`${base}?format=x`)).body.errcode).toBe('M_INVALID_PARAM');
  });

  test('that is unchanged creates no event', async () => {
    const alice = homeserver.as('alice');
    const first = await setState(alice, roomId, 'a', { b: 1, c: [2] });
    expect(await setState(alice, roomId, 'a', { c: [2], b: 1 })).toBe(first);
    expect(await setState(alice, roomId, 'a', { c: [2], b: 2 })).not.toBe(first);
  });

  test.each<[string, string, string, unknown, number, string]>([
    ['bob', 'm.room.name', '', { name: 'x' }, 403, 'M_FORBIDDEN'],
    ['alice', 'm.room.create', '', {}, 403, 'M_FORBIDDEN'],
    ['alice', 'm.room.name', '', {}, 400, 'M_UNKNOWN'],
    ['alice', 'm.room.topic', '', { topic: null }, 400, 'M_UNKNOWN'],
    ['alice', 'm.room.tombstone', '', {}, 400, 'M_UNKNOWN'],
    ['alice', 'm.room.member', '@alice:localhost', {}, 400, 'M_UNKNOWN'],
    ['alice', 'm.room.member', '@alice:localhost', { membership: 'x' }, 400, 'M_UNKNOWN'],
    ['alice', 'm.room.member', 'alice', { membership: 'invite' }, 400, 'M_INVALID_PARAM'],
    ['alice', 'm.room.member', '@bob:localhost', { membership: 'join' }, 403, 'M_FORBIDDEN'],
    ['alice', 'a', '@bob:localhost', {}, 403, 'M_FORBIDDEN'],
    ['alice', 'a', 'k'.repeat(256), {}, 413, 'M_TOO_LARGE'],
    ['alice', 'm.room.power_levels', '', { users: { '@alice:localhost': '100' } }, 400, 'M_BAD_JSON'],
    ['alice', 'm.room.power_levels', '', { users: { '@alice:localhost': 101 } }, 403, 'M_FORBIDDEN'],
    ['alice', 'm.room.power_levels', '', { users: { alice: 1 } }, 400, 'M_BAD_JSON'],
    ['alice', 'm.room.canonical_alias', '', { alias: '#nowhere:localhost' }, 400, 'M_BAD_ALIAS'],
    ['alice', 'm.room.canonical_alias', '', { alias: 'x' }, 400, 'M_INVALID_PARAM'],
    ['alice', 'm.room.canonical_alias', '', { alt_aliases: [5] }, 400, 'M_INVALID_PARAM'],
    ['alice', 'm.room.server_acl', '', {}, 400, 'M_UNKNOWN'],
    ['alice', 'm.room.server_acl', '', { allow: 'localhost' }, 400, 'M_UNKNOWN'],
    ['alice', 'm.room.server_acl', '', { allow: [5, null, 'LOCALHOS'] }, 400, 'M_UNKNOWN'],
    ['alice', 'm.room.server_acl', '', { allow: ['*'], deny: [5, 'L?cal*'] }, 400, 'M_UNKNOWN'],
    ['alice', 'm.room.server_acl', 'any', {}, 400, 'M_UNKNOWN'],
    ['bob', 'm.room.server_acl', '', {}, 403, 'M_FORBIDDEN'],
  ])('%s may not set %s of "%s" to %j', async (caller, type, key, content, status, errcode) => {
    const reply = await homeserver.as(caller).put(path('rooms', roomId, 'state', type, key), content);
    expect(reply).toMatchObject({ status, body: { errcode } });
  });

  test.each([
    { allow: ['*'] },
    { allow: ['LocalHost'], deny: 'localhost', allow_ip_literals: false },
    { allow: [5, '*host'], deny: [5, null, {}, 'localhost:*', 'local', '127.0.0.1'] },
  ])('of the join rules may be %j', async (content) => {
    const reply = await homeserver
      .as('alice')
      .put(path('rooms', roomId, 'state', 'm.room.server_acl', ''), content);
    expect(reply).toMatchObject({ status: 200 });
  });

  test('name, topic and alias are listed for the room', async () => {
    const alice = homeserver.as('alice');
    const named = await makeRoom(alice, { name: 'N', topic: 'T', room_alias_name: 'summary' });
    const summary = () =>
      homeserver.services.db
        .selectFrom('rooms')
        .select(['name', 'topic', 'canonical_alias', 'join_rule', 'history_visibility'])
        .where('room_id', '=', named)
        .executeTakeFirstOrThrow();
    const rest = { topic: 'T', join_rule: 'public', history_visibility: 'shared' };
    expect(await summary()).toEqual({ ...rest, name: 'N', canonical_alias: '#summary:localhost' });
    const renamed = await setState(alice, named, 'm.room.name', { name: 'M' });
    await setState(alice, named, 'm.room.canonical_alias', {});
    expect(await summary()).toEqual({ ...rest, name: 'M', canonical_alias: null });
    await redact(alice, named, renamed);
    expect(await summary()).toEqual({ ...rest, name: null, canonical_alias: null });
  });

  test('that was redacted can be set again', async () => {
    const alice = homeserver.as('alice');
    const first = await setState(alice, roomId, 'm.room.name', { name: 'N' });
    await redact(alice, roomId, first);
    expect((await alice.get(path('rooms', roomId, 'state', 'm.room.name'))).body).toEqual({});
    expect(await setState(alice, roomId, 'm.room.name', { name: 'N' })).not.toBe(first);
    expect((await alice.get(path('rooms', roomId, 'state', 'm.room.name'))).body).toEqual({ name: 'N' });
  });
});
