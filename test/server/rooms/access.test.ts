import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, gist, makeRoom, messages, path, say, setState } from './client.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

/** Creates a room that Bob joined and left, with a message by Alice from each period. */
async function makeHistory(history_visibility: string) {
  const [alice, bob] = [homeserver.as('alice'), homeserver.as('bob')];
  const roomId = await makeRoom(alice, {
    initial_state: [{ type: 'm.room.history_visibility', content: { history_visibility } }],
  });
  const before = await say(alice, roomId, 'before');
  await change(alice, roomId, 'invite', bob);
  const invited = await say(alice, roomId, 'invited');
  await change(bob, roomId, 'join');
  const joined = await say(alice, roomId, 'joined');
  return { alice, bob, roomId, events: { before, invited, joined } };
}

const sees = async (person: string, roomId: string, eventId: string) =>
  (await homeserver.as(person).get(path('rooms', roomId, 'event', eventId))).status === 200;

const mayReport = async (person: string, roomId: string, eventId: string) =>
  (await homeserver.as(person).post(path('rooms', roomId, 'report', eventId), {})).status === 200;

const texts = (page: Awaited<ReturnType<typeof messages>>) =>
  gist(page).filter((text) => !text.startsWith('m.'));

describe.each([
  ['world_readable', ['before', 'invited', 'joined']],
  ['shared', ['before', 'invited', 'joined']],
  ['invited', ['invited', 'joined']],
  ['joined', ['joined']],
  ['an unknown value', ['before', 'invited', 'joined']],
])('a history for %s', (visibility, visible) => {
  test('can be read and reported by a member from the right moment on', async () => {
    const { bob, roomId, events } = await makeHistory(visibility);
    for (const [when, eventId] of Object.entries(events)) {
      expect([when, await sees('bob', roomId, eventId)]).toEqual([when, visible.includes(when)]);
      expect([when, await mayReport('bob', roomId, eventId)]).toEqual([when, visible.includes(when)]);
    }
    expect(texts(await messages(bob, roomId))).toEqual(visible);
  });

  test('ends when leaving', async () => {
    const { alice, bob, roomId, events } = await makeHistory(visibility);
    await change(bob, roomId, 'leave');
    const after = await say(alice, roomId, 'after');
    await setState(alice, roomId, 'm.room.name', { name: 'after' });
    const open = visibility === 'world_readable';
    expect(texts(await messages(bob, roomId))).toEqual(visible);
    expect(await sees('bob', roomId, events.joined)).toBe(true);
    expect(await sees('bob', roomId, after)).toBe(open);
    expect(await mayReport('bob', roomId, after)).toBe(open);
    expect((await bob.get(path('rooms', roomId, 'state', 'm.room.name'))).status).toBe(404);
    expect((await bob.get(path('rooms', roomId, 'joined_members'))).status).toBe(403);

    await change(bob, roomId, 'forget');
    expect((await messages(bob, roomId)).status).toBe(open ? 200 : 403);
  });

  test('lists members at positions the reader knows, and at no others', async () => {
    const { alice, bob, roomId } = await makeHistory(visibility);
    const placeNow = async () => (await alice.get(`${path('rooms', roomId, 'messages')}?dir=b`)).body.start;
    const membersAt = async (place: string) => {
      const { status, body } = await bob.get(
        `${path('rooms', roomId, 'members')}?at=${place}&membership=join`,
      );
      // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary bodies
      return status === 200 ? body.chunk.map((event: any) => event.state_key) : status;
    };
    const place = await placeNow();
    await change(bob, roomId, 'leave');
    await alice.post(path('rooms', roomId, 'invite'), { user_id: '@carol:localhost' });
    await change(homeserver.as('carol'), roomId, 'join');
    expect(await membersAt(place)).toEqual(['@alice:localhost', '@bob:localhost']);
    expect(await membersAt(await placeNow())).toEqual(['@alice:localhost']);
    expect(await membersAt('nonsense')).toBe(400);
  });

  test('is closed to others unless world-readable', async () => {
    const { roomId, events } = await makeHistory(visibility);
    const open = visibility === 'world_readable';
    for (const eventId of Object.values(events)) {
      expect(await sees('carol', roomId, eventId)).toBe(open);
      expect(await mayReport('carol', roomId, eventId)).toBe(open);
    }
    for (const what of ['messages', 'state', 'members', 'joined_members']) {
      const reply = await homeserver.as('carol').get(path('rooms', roomId, what));
      expect([what, reply.status]).toEqual([what, open ? 200 : 403]);
    }
  });
});

test('a change of visibility applies from there on', async () => {
  const { alice, roomId, events } = await makeHistory('joined');
  await setState(alice, roomId, 'm.room.history_visibility', { history_visibility: 'world_readable' });
  const open = await say(alice, roomId, 'open');
  await setState(alice, roomId, 'm.room.history_visibility', { history_visibility: 'joined' });
  const closed = await say(alice, roomId, 'closed');
  expect(await sees('carol', roomId, events.joined)).toBe(false);
  expect(await sees('carol', roomId, open)).toBe(true);
  expect(await sees('carol', roomId, closed)).toBe(false);
});

test("an invited user doesn't see shared history yet", async () => {
  const alice = homeserver.as('alice');
  const roomId = await makeRoom(alice, { preset: 'private_chat', invite: ['@bob:localhost'] });
  const eventId = await say(alice, roomId, 'x');
  expect(await sees('bob', roomId, eventId)).toBe(false);
  expect((await messages(homeserver.as('bob'), roomId)).status).toBe(403);
});

/** Returns all text about a room that a user can read, by source. Rejected requests give an empty text. */
async function toldOf(person: string, roomId: string, eventId: string): Promise<Map<string, string>> {
  const who = homeserver.as(person);
  const of = (...segments: string[]) => path('rooms', roomId, ...segments);
  const everything = encodeURIComponent(JSON.stringify({ room: { include_leave: true } }));
  const list = { timeline_limit: 50, required_state: [['*', '*']] };
  const relations = of('relations', eventId).replace('/v3/', '/v1/');
  const replies = {
    messages: await who.get(`${of('messages')}?dir=b&limit=100`),
    state: await who.get(of('state')),
    name: await who.get(of('state', 'm.room.name')),
    members: await who.get(of('members')),
    joinedMembers: await who.get(of('joined_members')),
    aliases: await who.get(of('aliases')),
    event: await who.get(of('event', eventId)),
    context: await who.get(of('context', eventId)),
    relations: await who.get(relations),
    threads: await who.get(of('threads').replace('/v3/', '/v1/')),
    atTime: await who.get(`${of('timestamp_to_event').replace('/v3/', '/v1/')}?ts=0&dir=f`),
    preview: await who.get(of('initialSync')),
    initialSync: await who.get(`${path('initialSync')}?archived=true`),
    sync: await who.get(`${path('sync')}?timeout=0`),
    syncWithLeft: await who.get(`${path('sync')}?timeout=0&filter=${everything}`),
    slidingSync: await who.post('/_chat/client/unstable/org.matrix.simplified_msc3575/sync?timeout=0', {
      lists: { all: { ...list, ranges: [[0, 99]] } },
      room_subscriptions: { [roomId]: list },
    }),
    notifications: await who.get(path('notifications')),
    search: await who.post(path('search'), { search_categories: { room_events: { search_term: 'secret' } } }),
  };
  return new Map(
    Object.entries(replies).map(([name, { status, body }]) => [
      name,
      status === 200 ? JSON.stringify(body) : '',
    ]),
  );
}

const tellersOf = (told: ReadonlyMap<string, string>, words: string) =>
  [...told].filter(([, text]) => text.includes(words)).map(([name]) => name);

test.each([
  ['knocked and thought better of it', 'leave'],
  ['knocked and was refused', 'kick'],
  ['knocked and was banned', 'ban'],
  ['was invited and declined', 'leave'],
  ['was invited and then not', 'kick'],
])('a user who %s reads nothing of the room', async (how, end) => {
  const [alice, carol] = [homeserver.as('alice'), homeserver.as('carol')];
  const roomId = await makeRoom(alice, {
    preset: 'private_chat',
    initial_state: [
      { type: 'm.room.join_rules', content: { join_rule: 'knock' } },
      { type: 'm.room.history_visibility', content: { history_visibility: 'shared' } },
      { type: 'm.room.topic', content: { topic: 'a secret topic' } },
    ],
  });
  const eventId = await say(alice, roomId, 'a secret');
  if (how.startsWith('knocked')) expect((await carol.post(path('knock', roomId), {})).status).toBe(200);
  else await change(alice, roomId, 'invite', carol);
  if (end === 'leave') await change(carol, roomId, 'leave');
  else await change(alice, roomId, end, carol);
  expect(tellersOf(await toldOf('carol', roomId, eventId), 'secret')).toEqual([]);
});

test('a former member who knocked and withdrew reads nothing after their stay', async () => {
  const [alice, carol] = [homeserver.as('alice'), homeserver.as('carol')];
  const roomId = await makeRoom(alice, { preset: 'public_chat' });
  await change(carol, roomId, 'join');
  const known = await say(alice, roomId, 'known');
  await change(alice, roomId, 'kick', carol);
  const eventId = await say(alice, roomId, 'a secret');
  await setState(alice, roomId, 'm.room.topic', { topic: 'a secret topic' });
  await setState(alice, roomId, 'm.room.name', { name: 'a secret name' });
  await setState(alice, roomId, 'm.room.join_rules', { join_rule: 'knock' });
  expect((await carol.post(path('knock', roomId), {})).status).toBe(200);
  await change(carol, roomId, 'leave');
  const told = await toldOf('carol', roomId, eventId);
  expect(tellersOf(told, 'secret')).toEqual([]);
  expect(tellersOf(told, known)).toEqual(expect.arrayContaining(['messages', 'preview', 'syncWithLeft']));
});

test.each(['kick', 'ban', 'leave'])('after a %s new relations to earlier events are hidden', async (end) => {
  const [alice, bob] = [homeserver.as('alice'), homeserver.as('bob')];
  const roomId = await makeRoom(alice, { preset: 'public_chat' });
  await change(bob, roomId, 'join');
  const { body } = await bob.get(`${path('sync')}?timeout=0`);
  const eventId = await say(alice, roomId, 'bob, this was before');
  if (end === 'leave') await change(bob, roomId, 'leave');
  else await change(alice, roomId, end, bob);
  const relate = async (content: object, relation: object) =>
    alice.put(path('rooms', roomId, 'send', 'm.room.message', crypto.randomUUID()), {
      ...content,
      msgtype: 'm.text',
      'm.relates_to': { ...relation, event_id: eventId },
    });
  const edited = { body: '* secret', 'm.new_content': { msgtype: 'm.text', body: 'secret' } };
  expect((await relate(edited, { rel_type: 'm.replace' })).status).toBe(200);
  expect((await relate({ body: 'a secret reply' }, { rel_type: 'm.thread' })).status).toBe(200);
  await setState(alice, roomId, 'm.room.name', { name: 'a secret name' });
  const told = await toldOf('bob', roomId, eventId);
  const later = await bob.get(`${path('sync')}?timeout=0&since=${body.next_batch}`);
  told.set('later', JSON.stringify(later.body));
  expect(tellersOf(told, 'secret')).toEqual([]);
  expect(tellersOf(told, eventId)).toEqual(expect.arrayContaining(['later', 'syncWithLeft', 'event']));
});

test('a user who was only invited sees messages from then, if the room allows it, and nothing else', async () => {
  const [alice, carol] = [homeserver.as('alice'), homeserver.as('carol')];
  const roomId = await makeRoom(alice, {
    preset: 'private_chat',
    initial_state: [
      { type: 'm.room.history_visibility', content: { history_visibility: 'invited' } },
      { type: 'm.room.topic', content: { topic: 'a secret topic' } },
    ],
  });
  await change(alice, roomId, 'invite', carol);
  const eventId = await say(alice, roomId, 'hello');
  await change(carol, roomId, 'leave');
  await say(alice, roomId, 'a secret');
  const told = await toldOf('carol', roomId, eventId);
  expect(tellersOf(told, 'hello')).toEqual(['event', 'context']);
  expect(tellersOf(told, 'secret')).toEqual([]);
});

test('after any number of bans, a former member still reads up to their leaving', async () => {
  const { alice, bob, roomId } = await makeHistory('shared');
  await change(bob, roomId, 'leave');
  for (let count = 0; count < 6; count++) {
    await change(alice, roomId, 'ban', bob);
    await change(alice, roomId, 'unban', bob);
  }
  await say(alice, roomId, 'without bob');
  const seen = gist(await messages(bob, roomId));
  expect(seen).toContain('joined');
  expect(seen).not.toContain('without bob');
});
