/** Edits, reactions, references and threads: permissions, and the events that clients receive. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Caller, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, makeRoom, messages, path, redact, say } from './client.ts';

let homeserver: TestHomeserver;
let alice: Caller;
let bob: Caller;
let room: string;
beforeAll(async () => {
  homeserver = await startHomeserver();
  alice = homeserver.as('alice');
  bob = homeserver.as('bob');
  room = await makeRoom(alice);
  await change(bob, room, 'join');
});
afterAll(() => homeserver.remove());

let transactions = 0;
const relate = (
  sender: Caller,
  parent: string,
  relation: object,
  { type = 'm.room.message', to = room, ...content }: Record<string, unknown> & { to?: string } = {},
) =>
  sender.put(path('rooms', to, 'send', String(type), `r${transactions++}`), {
    ...(type === 'm.room.message' && { msgtype: 'm.text', body: 'about' }),
    ...content,
    'm.relates_to': { event_id: parent, ...relation },
  });
const related = async (...given: Parameters<typeof relate>): Promise<string> => {
  const { status, body } = await relate(...given);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.event_id;
};
const react = (sender: Caller, parent: string, key: string) =>
  relate(sender, parent, { rel_type: 'm.annotation', key }, { type: 'm.reaction' });
const edit = (sender: Caller, parent: string, body: string, to = room) =>
  related(sender, parent, { rel_type: 'm.replace' }, { 'm.new_content': { msgtype: 'm.text', body }, to });
const reply = (sender: Caller, parent: string, to = room) =>
  related(sender, parent, { rel_type: 'm.thread' }, { to });

const eventOf = async (reader: Caller, eventId: string, from = room) =>
  (await reader.get(path('rooms', from, 'event', eventId))).body;
const v1 = (...segments: string[]) => path(...segments).replace('/v3/', '/v1/');
const listed = async (reader: Caller, eventId: string, query = '', ...kind: string[]) =>
  (await reader.get(`${v1('rooms', room, 'relations', eventId, ...kind)}?${query}`)).body;
const ids = (page: { chunk: { event_id: string }[] }) => page.chunk.map(({ event_id }) => event_id);

test('an event has its newest edit, references and thread', async () => {
  const event = await say(alice, room, 'hello');
  await edit(alice, event, 'first');
  const second = await edit(alice, event, 'second');
  // Another user's edit has no effect.
  await edit(bob, event, 'not yours');
  const reference = await related(bob, event, { rel_type: 'm.reference' });
  await reply(alice, event);
  const latest = await reply(bob, event);
  const latestEdit = await edit(bob, latest, 'better');

  const { content, unsigned } = await eventOf(alice, event);
  expect(content.body).toBe('hello');
  expect(unsigned['m.relations']).toMatchObject({
    'm.replace': { event_id: second, content: { 'm.new_content': { body: 'second' } } },
    'm.reference': { chunk: [{ event_id: reference }] },
    'm.thread': {
      count: 2,
      current_user_participated: true,
      latest_event: {
        event_id: latest,
        unsigned: { 'm.relations': { 'm.replace': { event_id: latestEdit } } },
      },
    },
  });
  expect(unsigned['m.relations']['m.replace'].unsigned.transaction_id).toMatch(/^r/);

  const { body } = await messages(bob, room, 'dir=b&limit=100');
  const inList = body.chunk.find(({ event_id }: { event_id: string }) => event_id === event);
  expect(inList.unsigned['m.relations']).toMatchObject({
    'm.replace': { event_id: second },
    'm.thread': { count: 2 },
  });
});

test('a former member sees nothing later', async () => {
  const other = await makeRoom(alice);
  await change(bob, other, 'join');
  const event = await say(alice, other, 'hello');
  const seen = await edit(alice, event, 'seen', other);
  await change(bob, other, 'leave');
  await edit(alice, event, 'unseen', other);
  await reply(alice, event, other);
  const { unsigned } = await eventOf(bob, event, other);
  expect(unsigned['m.relations']).toMatchObject({ 'm.replace': { event_id: seen } });
  expect(unsigned['m.relations']).not.toHaveProperty('m.thread');
});

test("redacted relations don't count", async () => {
  const event = await say(alice, room, 'hello');
  const first = await edit(alice, event, 'first');
  const second = await edit(alice, event, 'second');
  const answer = await reply(bob, event);
  const last = await reply(bob, event);
  expect((await react(bob, event, '+')).status).toBe(200);
  await redact(alice, room, second);
  await redact(bob, room, last);
  expect((await eventOf(alice, event)).unsigned['m.relations']).toMatchObject({
    'm.replace': { event_id: first },
    'm.thread': { count: 1, latest_event: { event_id: answer }, current_user_participated: true },
  });
  const [reaction] = ids(await listed(alice, event, '', 'm.annotation'));
  await redact(bob, room, reaction ?? '');
  expect(ids(await listed(alice, event, '', 'm.annotation'))).toEqual([]);
  expect((await react(bob, event, '+')).status).toBe(200);
  await redact(bob, room, answer);
  await redact(alice, room, first);
  expect((await eventOf(alice, event)).unsigned).not.toHaveProperty('m.relations');
});

describe('refuses', () => {
  test('the same reaction twice', async () => {
    const event = await say(alice, room, 'hello');
    expect((await react(bob, event, '👍')).status).toBe(200);
    expect((await react(bob, event, '👎')).status).toBe(200);
    expect((await react(alice, event, '👍')).status).toBe(200);
    expect(await react(bob, event, '👍')).toMatchObject({
      status: 400,
      body: { errcode: 'M_DUPLICATE_ANNOTATION', error: "Can't send same reaction twice" },
    });
  });

  test.each([
    [
      'a missing event',
      { rel_type: 'm.replace', event_id: '$nowhere' },
      "Can't send relation to unknown event",
    ],
    ['an empty reaction', { rel_type: 'm.annotation' }, 'Missing aggregation key'],
    [
      'a reaction of many words',
      { rel_type: 'm.annotation', key: 'x'.repeat(501) },
      'Aggregation key is too long',
    ],
  ])('%s', async (_, relation, error) => {
    const event = await say(alice, room, 'hello');
    expect(await relate(bob, event, relation)).toMatchObject({
      status: 400,
      body: { errcode: 'M_UNKNOWN', error },
    });
  });

  test('an event of another room, and a thread in a thread', async () => {
    const elsewhere = await say(alice, await makeRoom(alice), 'hello');
    expect(await relate(bob, elsewhere, { rel_type: 'm.reference' })).toMatchObject({ status: 400 });
    const inThread = await reply(bob, await say(alice, room, 'hello'));
    expect(await relate(alice, inThread, { rel_type: 'm.thread' })).toMatchObject({
      status: 400,
      body: { error: 'Cannot start threads from an event with a relation' },
    });
  });
});

test('lists relations of an event by type, in pages, in either direction', async () => {
  const event = await say(alice, room, 'hello');
  const changed = await edit(alice, event, 'changed');
  const reaction = (await react(bob, event, '+')).body.event_id;
  const answer = await reply(bob, event);
  const ofAnswer = (await react(alice, answer, '+')).body.event_id;

  expect(ids(await listed(bob, event))).toEqual([answer, reaction, changed]);
  expect(ids(await listed(bob, event, 'dir=f'))).toEqual([changed, reaction, answer]);
  expect(ids(await listed(bob, event, '', 'm.annotation'))).toEqual([reaction]);
  expect(ids(await listed(bob, event, '', 'm.annotation', 'm.reaction'))).toEqual([reaction]);
  expect(ids(await listed(bob, event, '', 'm.annotation', 'm.sticker'))).toEqual([]);

  const first = await listed(bob, event, 'limit=2');
  expect(ids(first)).toEqual([answer, reaction]);
  const second = await listed(bob, event, `limit=2&from=${first.next_batch}`);
  expect(ids(second)).toEqual([changed]);
  expect(second).not.toHaveProperty('next_batch');

  const deep = await listed(bob, event, 'recurse=true&dir=f');
  expect(deep).toMatchObject({ recursion_depth: 3 });
  expect(ids(deep)).toEqual([changed, reaction, answer, ofAnswer]);
  const nobody = await homeserver.as('carol').get(v1('rooms', await makeRoom(alice), 'relations', event));
  expect(nobody).toMatchObject({ status: 404, body: { errcode: 'M_NOT_FOUND' } });
});

test('lists the threads of a room, latest reply first', async () => {
  const other = await makeRoom(alice);
  await change(bob, other, 'join');
  const [quiet, lively, own] = [
    await say(alice, other, 'quiet'),
    await say(alice, other, 'lively'),
    await say(bob, other, 'own'),
  ];
  for (const root of [lively, quiet, own, lively]) await reply(alice, root, other);
  const threads = async (query: string) => (await bob.get(`${v1('rooms', other, 'threads')}?${query}`)).body;
  expect(ids(await threads(''))).toEqual([lively, own, quiet]);
  expect((await threads('')).chunk[0].unsigned['m.relations']['m.thread']).toMatchObject({ count: 2 });
  expect(ids(await threads('include=participated'))).toEqual([own]);
  const first = await threads('limit=2');
  expect(ids(first)).toEqual([lively, own]);
  expect(ids(await threads(`limit=2&from=${first.next_batch}`))).toEqual([quiet]);
});

test("replies of ignored users aren't counted or shown with a thread", async () => {
  const other = await makeRoom(alice);
  await change(bob, other, 'join');
  const [mixed, lost] = [await say(alice, other, 'mixed'), await say(alice, other, 'lost')];
  const kept = await reply(alice, mixed, other);
  for (const root of [mixed, mixed, lost]) await reply(bob, root, other);
  const thread = async (reader: Caller, root: string) =>
    (await eventOf(reader, root, other)).unsigned['m.relations']?.['m.thread'];
  expect(await thread(alice, mixed)).toMatchObject({ count: 3 });

  const ignore = (ignored_users: object) =>
    alice.put(path('user', alice.userId, 'account_data', 'm.ignored_user_list'), { ignored_users });
  await ignore({ [bob.userId]: {}, [alice.userId]: {} });
  expect(await thread(alice, mixed)).toMatchObject({ count: 1, latest_event: { event_id: kept } });
  expect(await thread(alice, lost)).toBeUndefined();
  expect(await thread(bob, mixed)).toMatchObject({ count: 3 });
  await ignore({});
  expect(await thread(alice, lost)).toMatchObject({ count: 1 });
});
