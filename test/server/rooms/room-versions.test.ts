/** Rooms of every version: event IDs, redaction and permissions. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { referenceEventId } from '../../../server/conversation/rooms/events/event.ts';
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

test('capabilities list every version and the default one', async () => {
  const { capabilities } = (await alice.get(path('capabilities'))).body;
  expect(capabilities['m.room_versions']).toEqual({
    default: '11',
    available: Object.fromEntries(versions.map((version) => [version, 'stable'])),
  });
  expect((await stateOf(alice, await makeRoom(alice), 'm.room.create')).room_version).toBe('11');
});

describe.each(versions)('version %s', (version) => {
  test('names and redacts its events as specified', async () => {
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
  ])('has %s where that is part of it', async (join_rule, since) => {
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
  test('are above every level and in none', async () => {
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

  test('can make any local user an admin', async () => {
    const room = await makeRoom(alice, { room_version: '12' });
    await change(bob, room, 'join');
    const made = await homeserver
      .as('admin')
      .post(`/_service/admin/v1/rooms/${encodeURIComponent(room)}/make_room_admin`, { user_id: bob.userId });
    expect(made.status).toBe(200);
    expect((await stateOf(alice, room, 'm.room.power_levels')).users).toEqual({ [bob.userId]: 100 });
  });
});
