/** Room upgrades, and the data that members keep. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isPostgres } from '../../../server/platform/database/engine.ts';
import { type Caller, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, makeRoom, path, setState } from './client.ts';

let homeserver: TestHomeserver;
let alice: Caller;
let bob: Caller;
beforeAll(async () => {
  homeserver = await startHomeserver();
  alice = homeserver.as('alice');
  bob = homeserver.as('bob');
});
afterAll(() => homeserver.remove());

const stateOf = async (reader: Caller, room: string, type: string, key = '') =>
  (await reader.get(path('rooms', room, 'state', type, key))).body;

describe('an upgrade', () => {
  test.each(['11', '12'])('to version %s copies everything', async (version) => {
    const alias = `up${version}`;
    const old = await makeRoom(alice, {
      room_version: '10',
      name: 'Name',
      topic: 'Topic',
      room_alias_name: alias,
      creation_content: { type: 'm.space', 'm.federate': false },
    });
    await change(bob, old, 'join');
    await change(alice, old, 'ban', homeserver.as('carol'));
    const levels = await stateOf(alice, old, 'm.room.power_levels');
    await setState(alice, old, 'm.room.power_levels', {
      ...levels,
      users: { ...levels.users, [bob.userId]: 50 },
    });
    await homeserver.as('admin').put(path('directory', 'list', 'room', old), { visibility: 'public' });

    const { status, body } = await alice.post(path('rooms', old, 'upgrade'), { new_version: version });
    expect({ status, body }).toMatchObject({ status: 200 });
    const next = body.replacement_room;
    expect(await stateOf(alice, old, 'm.room.tombstone')).toEqual({
      body: 'This room has been replaced',
      replacement_room: next,
    });
    expect(await stateOf(alice, next, 'm.room.create')).toMatchObject({
      room_version: version,
      type: 'm.space',
      'm.federate': false,
      predecessor: { room_id: old },
    });
    expect(await stateOf(alice, next, 'm.room.name')).toEqual({ name: 'Name' });
    expect((await stateOf(alice, next, 'm.room.join_rules')).join_rule).toBe('public');
    expect((await stateOf(alice, next, 'm.room.member', '@carol:localhost')).membership).toBe('ban');
    expect((await stateOf(alice, next, 'm.room.power_levels')).users).toEqual({
      ...(version === '11' && { [alice.userId]: 100 }),
      [bob.userId]: 50,
    });
    expect((await stateOf(alice, next, 'm.room.canonical_alias')).alias).toBe(`#${alias}:localhost`);
    expect((await alice.get(path('directory', 'room', `#${alias}:localhost`))).body.room_id).toBe(next);
    expect((await alice.get(path('directory', 'list', 'room', next))).body.visibility).toBe('public');
    expect((await alice.get(path('directory', 'list', 'room', old))).body.visibility).toBe('private');
    expect((await homeserver.as('guest').get(path('directory', 'list', 'room', old))).status).toBe(200);
    expect(await stateOf(alice, old, 'm.room.power_levels')).toMatchObject({
      events_default: 50,
      invite: 50,
    });
    await change(bob, next, 'join');
  });

  test('makes only named users creators', async () => {
    const old = await makeRoom(alice, {
      room_version: '12',
      creation_content: { additional_creators: [bob.userId] },
    });
    const upgrade = async (more: object) => {
      const request = { new_version: '12', ...more };
      const { body } = await alice.post(path('rooms', old, 'upgrade'), request);
      return stateOf(alice, body.replacement_room, 'm.room.create');
    };
    expect(await upgrade({})).not.toHaveProperty('additional_creators');
  });

  test('by a user with little power gives no one more', async () => {
    const old = await makeRoom(alice, {
      power_level_content_override: { events: { 'm.room.tombstone': 50 } },
    });
    await change(bob, old, 'join');
    const users = { [alice.userId]: 100, [bob.userId]: 50 };
    const levels = await stateOf(alice, old, 'm.room.power_levels');
    await setState(alice, old, 'm.room.power_levels', { ...levels, users });
    const { body } = await bob.post(path('rooms', old, 'upgrade'), { new_version: '11' });
    expect((await stateOf(bob, body.replacement_room, 'm.room.power_levels')).users).toEqual(users);
  });

  test('requested twice creates one room', async () => {
    const old = await makeRoom(alice);
    const upgrade = (who: Caller) => who.post(path('rooms', old, 'upgrade'), { new_version: '11' });
    const [first, second] = await Promise.all([upgrade(alice), upgrade(alice)]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
    expect((await upgrade(alice)).body).toEqual(first.body);
    expect(await upgrade(bob)).toMatchObject({ status: 400, body: { errcode: 'M_UNKNOWN' } });
    expect((await stateOf(alice, old, 'm.room.tombstone')).replacement_room).toBe(
      first.body.replacement_room,
    );
  });

  test('of a room that was closed otherwise works', async () => {
    const [old, elsewhere] = [await makeRoom(alice), await makeRoom(alice)];
    await setState(alice, old, 'm.room.tombstone', { body: '', replacement_room: elsewhere });
    const { status, body } = await alice.post(path('rooms', old, 'upgrade'), { new_version: '11' });
    expect(status).toBe(200);
    expect(body.replacement_room).not.toBe(elsewhere);
  });

  test.each<[string, () => Caller, object, number, string]>([
    ['a member', () => bob, { new_version: '11' }, 403, 'M_FORBIDDEN'],
    ['an unknown version', () => alice, { new_version: '99' }, 400, 'M_UNSUPPORTED_ROOM_VERSION'],
    ['no version', () => alice, {}, 400, 'M_MISSING_PARAM'],
  ])('is refused for %s', async (_, who, body, status, errcode) => {
    const room = await makeRoom(alice);
    await change(bob, room, 'join');
    const reply = await who().post(path('rooms', room, 'upgrade'), body);
    expect(reply).toMatchObject({ status, body: { errcode } });
  });
});

describe('data that users take along', () => {
  const own = (who: Caller, ...segments: string[]) => path('user', who.userId, ...segments);
  const ruleOf = (kind: string, roomId: string) => path('pushrules', 'global', kind, roomId);

  test('is their settings of the room, and not from a room that only claims to replace it', async () => {
    const old = await makeRoom(alice);
    await change(bob, old, 'join');
    const isThere = (room_id: string) => ({ kind: 'event_match', key: 'room_id', pattern: room_id });
    const expectSettings = async (who: Caller, room: string, direct: string[], status: number) => {
      const tags = (await who.get(own(who, 'rooms', room, 'tags'))).body.tags;
      expect(tags).toEqual(status === 200 ? { 'm.favourite': { order: 0.1 } } : {});
      expect((await who.get(own(who, 'account_data', 'm.direct'))).body).toEqual({
        '@carol:localhost': direct,
      });
      for (const kind of ['room', 'override']) {
        const reply = await who.get(ruleOf(kind, room));
        expect(reply).toMatchObject({ status, body: status === 200 ? { enabled: true, actions: [] } : {} });
        if (reply.body.conditions) expect(reply.body.conditions).toEqual([isThere(room)]);
      }
    };
    for (const who of [alice, bob]) {
      await who.put(own(who, 'rooms', old, 'tags', 'm.favourite'), { order: 0.1 });
      await who.put(own(who, 'account_data', 'm.direct'), { '@carol:localhost': [old] });
      await who.put(ruleOf('room', old), { actions: [] });
      await who.put(ruleOf('override', old), { actions: [], conditions: [isThere(old)] });
    }
    const claiming = await makeRoom(homeserver.as('carol'), {
      creation_content: { predecessor: { room_id: old, event_id: '$x' } },
    });
    await change(bob, claiming, 'join');
    await expectSettings(bob, claiming, [old], 404);

    const { body } = await alice.post(path('rooms', old, 'upgrade'), { new_version: '12' });
    const next = body.replacement_room;
    await expectSettings(alice, next, [old, next], 200);
    await expectSettings(bob, next, [old], 404);
    await change(bob, next, 'join');
    await expectSettings(bob, next, [old, next], 200);
    // Later changes in the new room are kept.
    await bob.delete(own(bob, 'rooms', next, 'tags', 'm.favourite'));
    await bob.delete(ruleOf('room', next));
    await change(bob, next, 'join');
    expect((await bob.get(own(bob, 'rooms', next, 'tags'))).body.tags).toEqual({});
    expect((await bob.get(ruleOf('room', next))).status).toBe(404);
  });

  const upgraded = async (old: string): Promise<string> =>
    (await alice.post(path('rooms', old, 'upgrade'), { new_version: '12' })).body.replacement_room;

  test('is also there after a join by an admin', async () => {
    const old = await makeRoom(alice);
    await change(bob, old, 'join');
    await bob.put(own(bob, 'rooms', old, 'tags', 'm.favourite'), {});
    const next = await upgraded(old);
    const joined = await homeserver
      .as('admin')
      .post(`/_service/admin/v1/join/${encodeURIComponent(next)}`, { user_id: bob.userId });
    expect(joined.status).toBe(200);
    expect((await bob.get(own(bob, 'rooms', next, 'tags'))).body.tags).toEqual({ 'm.favourite': {} });
  });

  test('keeps no one out who has the maximum number of push rules', async () => {
    const old = await makeRoom(alice);
    const carol = homeserver.as('carol');
    await change(carol, old, 'join');
    await carol.put(own(carol, 'rooms', old, 'tags', 'm.favourite'), {});
    for (let rules = 1; rules < 500; rules++)
      await carol.put(ruleOf('content', `r${rules}`), { actions: [], pattern: 'x' });
    expect((await carol.put(ruleOf('room', old), { actions: [] })).status).toBe(200);
    const next = await upgraded(old);
    expect(await carol.post(path('rooms', next, 'join'), {})).toMatchObject({ status: 200 });
    expect((await carol.get(own(carol, 'rooms', next, 'tags'))).body.tags).toEqual({ 'm.favourite': {} });
    expect((await carol.get(ruleOf('room', next))).status).toBe(404);
    expect((await carol.get(ruleOf('room', old))).status).toBe(200);
  });

  test('is there with the join or not at all', async () => {
    const old = await makeRoom(alice);
    await change(bob, old, 'join');
    await bob.put(own(bob, 'rooms', old, 'tags', 'm.favourite'), {});
    await bob.put(ruleOf('room', old), { actions: [] });
    const next = await upgraded(old);
    const join = () => bob.post(path('rooms', next, 'join'), {});
    await withPushRulesThatCannotChange(async () => {
      expect((await join()).status).toBe(500);
      expect((await bob.get(path('joined_rooms'))).body.joined_rooms).not.toContain(next);
    });
    expect((await join()).status).toBe(200);
    expect((await bob.get(own(bob, 'rooms', next, 'tags'))).body.tags).toEqual({ 'm.favourite': {} });
    expect(await bob.get(ruleOf('room', next))).toMatchObject({ status: 200, body: { actions: [] } });
  });

  async function withPushRulesThatCannotChange(work: () => Promise<void>): Promise<void> {
    const { db } = homeserver.services;
    if (isPostgres(db)) {
      await sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end'`.execute(
        db,
      );
      await sql`create trigger refuse before update on push_rules execute function refuse()`.execute(db);
    } else {
      await sql`create trigger refuse before update on push_rules begin select raise(abort, 'no'); end`.execute(
        db,
      );
    }
    await work();
    await (isPostgres(db) ? sql`drop function refuse cascade` : sql`drop trigger refuse`).execute(db);
  }
});
