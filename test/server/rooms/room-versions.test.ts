/** Rooms of every version: what they are called, what redaction leaves, who may do what; and going from one to another. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { referenceEventId } from '../../../server/rooms/event.ts';
import { type Caller, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, makeRoom, path, redact, say, setState } from './client.ts';

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
const versions = ['3', '4', '5', '6', '7', '8', '9', '10', '11', '12'] as const;

test('capabilities name every version, and the one that rooms have by default', async () => {
  const { capabilities } = (await alice.get(path('capabilities'))).body;
  expect(capabilities['m.room_versions']).toEqual({
    default: '11',
    available: Object.fromEntries(versions.map((version) => [version, 'stable'])),
  });
  expect((await stateOf(alice, await makeRoom(alice), 'm.room.create')).room_version).toBe('11');
});

describe.each(versions)('version %s', (version) => {
  test('names and redacts its events as it says', async () => {
    const room = await makeRoom(alice, { room_version: version });
    const number = Number(version);
    const event = await say(alice, room, 'hello');
    expect(event).toMatch(number === 3 ? /^\$[A-Za-z0-9+/]{43}$/ : /^\$[\w-]{43}$/);
    const { body } = await redact(alice, room, event, { reason: 'test' });
    const redaction = (await alice.get(path('rooms', room, 'event', body.event_id))).body;
    expect(redaction).toMatchObject({ redacts: event, content: { reason: 'test', redacts: event } });
    const left = (await alice.get(path('rooms', room, 'event', event))).body;
    expect(left).toMatchObject({ content: {}, unsigned: { redacted_by: body.event_id } });

    const rows = await homeserver.services.db
      .selectFrom('events')
      .select(['event_id', 'json'])
      .where('room_id', '=', room)
      .orderBy('stream_ordering')
      .execute();
    for (const { event_id, json } of rows) {
      const id = referenceEventId(JSON.parse(json), version);
      if (number > 3) expect(id).toBe(event_id);
      else expect(id.replaceAll('-', '+').replaceAll('_', '/')).toBe(event_id);
    }
    const create = JSON.parse(rows[0]?.json ?? '');
    expect(create.content.creator).toBe(number < 11 ? '@alice:localhost' : undefined);
    expect(create.room_id).toBe(number < 12 ? room : undefined);
    if (number === 12) expect(room).toBe(`!${rows[0]?.event_id.slice(1)}`);
    expect(JSON.parse(rows[2]?.json ?? '').auth_events.includes(rows[0]?.event_id)).toBe(number < 12);
  });

  test.each([
    ['knock', 7],
    ['restricted', 8],
    ['knock_restricted', 10],
  ])('knows %s where that is part of it', async (join_rule, since) => {
    const space = await makeRoom(bob);
    const room = await makeRoom(alice, {
      room_version: version,
      preset: 'private_chat',
      initial_state: [
        {
          type: 'm.room.join_rules',
          content: { join_rule, allow: [{ type: 'm.room_membership', room_id: space }] },
        },
      ],
    });
    const isKnown = Number(version) >= since;
    const knocking = join_rule === 'knock';
    const reply = await bob.post(path(knocking ? 'knock' : 'join', room), {});
    expect(reply.status).toBe(isKnown ? 200 : 403);
    if (!isKnown) return;
    const member = await stateOf(alice, room, 'm.room.member', bob.userId);
    expect(member.membership).toBe(knocking ? 'knock' : 'join');
    if (!knocking) expect(member.join_authorised_via_users_server).toBe(alice.userId);
  });
});

describe('creators of version 12', () => {
  test('stand above every level, and in none', async () => {
    const room = await makeRoom(alice, {
      room_version: '12',
      preset: 'trusted_private_chat',
      invite: [bob.userId],
    });
    expect(await stateOf(alice, room, 'm.room.create')).toMatchObject({ additional_creators: [bob.userId] });
    await change(bob, room, 'join');
    const levels = await stateOf(alice, room, 'm.room.power_levels');
    expect(levels).toMatchObject({ users: {}, events: { 'm.room.tombstone': 150 } });
    await setState(bob, room, 'm.room.power_levels', { ...levels, events: { 'm.room.name': 1_000 } });
    await setState(alice, room, 'm.room.name', { name: 'mine' });
    const listed = await alice.put(path('rooms', room, 'state', 'm.room.power_levels'), {
      ...levels,
      users: { [bob.userId]: 50 },
    });
    expect(listed).toMatchObject({ status: 400, body: { errcode: 'M_UNKNOWN' } });
    expect((await alice.post(path('rooms', room, 'kick'), { user_id: bob.userId })).status).toBe(403);
  });

  test.each([
    ['additional_creators must be an array', 'x'],
    ['entry in additional_creators is not a valid user ID', ['x']],
  ])('are refused: %s', async (error, additional_creators) => {
    const request = { room_version: '12', creation_content: { additional_creators } };
    expect(await alice.post(path('createRoom'), request)).toMatchObject({ status: 400, body: { error } });
  });

  test('can make an administrator of whom the server names', async () => {
    const room = await makeRoom(alice, { room_version: '12' });
    await change(bob, room, 'join');
    const made = await homeserver
      .as('admin')
      .post(`/_service/admin/v1/rooms/${encodeURIComponent(room)}/make_room_admin`, { user_id: bob.userId });
    expect(made.status).toBe(200);
    expect((await stateOf(alice, room, 'm.room.power_levels')).users).toEqual({ [bob.userId]: 100 });
  });
});

describe('an upgrade', () => {
  test.each(['11', '12'])('to version %s takes everything over', async (version) => {
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

  test('takes along what people have set for the room, and no room that only claims to replace it does', async () => {
    const old = await makeRoom(alice);
    await change(bob, old, 'join');
    const own = (who: Caller, ...segments: string[]) => path('user', who.userId, ...segments);
    const ruleOf = (kind: string, roomId: string) => path('pushrules', 'global', kind, roomId);
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
    // What is set there from then on stays.
    await bob.delete(own(bob, 'rooms', next, 'tags', 'm.favourite'));
    await bob.delete(ruleOf('room', next));
    await change(bob, next, 'join');
    expect((await bob.get(own(bob, 'rooms', next, 'tags'))).body.tags).toEqual({});
    expect((await bob.get(ruleOf('room', next))).status).toBe(404);
  });

  test('makes nobody a creator who was not named', async () => {
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

  test('by who has little power gives no more to anyone', async () => {
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

  test('that is asked for twice makes one room', async () => {
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

  test('of a room that somebody closed otherwise is made', async () => {
    const [old, elsewhere] = [await makeRoom(alice), await makeRoom(alice)];
    await setState(alice, old, 'm.room.tombstone', { body: '', replacement_room: elsewhere });
    const { status, body } = await alice.post(path('rooms', old, 'upgrade'), { new_version: '11' });
    expect(status).toBe(200);
    expect(body.replacement_room).not.toBe(elsewhere);
  });

  test.each<[string, () => Caller, object, number, string]>([
    ['a member', () => bob, { new_version: '11' }, 403, 'M_FORBIDDEN'],
    ['a version that there isn’t', () => alice, { new_version: '99' }, 400, 'M_UNSUPPORTED_ROOM_VERSION'],
    ['no version', () => alice, {}, 400, 'M_MISSING_PARAM'],
  ])('is refused for %s', async (_, who, body, status, errcode) => {
    const room = await makeRoom(alice);
    await change(bob, room, 'join');
    const reply = await who().post(path('rooms', room, 'upgrade'), body);
    expect(reply).toMatchObject({ status, body: { errcode } });
  });
});
