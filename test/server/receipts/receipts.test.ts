/** Receipts, read markers, typing and presence, set by clients and read through sync. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPresenceSince } from '../../../server/conversation/presence/presence-store.ts';
import { readReceiptsSince } from '../../../server/conversation/receipts/receipt-store.ts';
import { ownChange } from '../../../server/conversation/rooms/membership/change-membership.ts';
import { setMembership } from '../../../server/conversation/rooms/membership/membership.ts';
import { readTyping } from '../../../server/conversation/typing/typing-store.ts';
import { readAccountDataSince } from '../../../server/identity/account-data/account-data-store.ts';
import { createUser } from '../../../server/identity/accounts/create-user.ts';
import { settledChangePosition } from '../../../server/platform/database/changes.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeRoom, path, say } from '../rooms/client.ts';

let homeserver: TestHomeserver;
let room: string;
const events: string[] = [];
let inThread: string;
/** An event of another room. */
let elsewhere: string;
const inRoom = (...parts: string[]) => path('rooms', room, ...parts);

beforeAll(async () => {
  homeserver = await startHomeserver();
  const alice = homeserver.as('alice');
  room = await makeRoom(alice, { preset: 'public_chat' });
  await homeserver.as('bob').post(inRoom('join'), {});
  const send = async (transaction: string, content: object) =>
    (
      await alice.put(inRoom('send', 'm.room.message', transaction), {
        msgtype: 'm.text',
        body: 'x',
        ...content,
      })
    ).body.event_id;
  for (const transaction of ['1', '2', '3']) events.push(await send(transaction, {}));
  inThread = await send('4', { 'm.relates_to': { rel_type: 'm.thread', event_id: events[0] } });
  elsewhere = await say(alice, await makeRoom(alice), 'x');
});
afterAll(() => homeserver.remove());

const event = (index: number) => events[index] ?? '';
const settled = () => settledChangePosition(homeserver.services.db);

test.each([
  ['a public receipt', 'bob', () => ['m.read', event(0)], {}, 200, undefined],
  ['a private one', 'bob', () => ['m.read.private', event(1)], {}, 200, undefined],
  ['one of the main thread', 'bob', () => ['m.read', event(1)], { thread_id: 'main' }, 200, undefined],
  ['one of a thread', 'bob', () => ['m.read', inThread], { thread_id: () => event(0) }, 200, undefined],
  ['one at no event', 'bob', () => ['m.read', '$none'], {}, 200, undefined],
  ['another kind', 'bob', () => ['m.seen', event(0)], {}, 400, 'M_UNKNOWN'],
  ['one of a stranger', 'carol', () => ['m.read', event(0)], {}, 403, 'M_FORBIDDEN'],
  ['no body', 'bob', () => ['m.read', event(0)], undefined, 400, 'M_NOT_JSON'],
  ['a list', 'bob', () => ['m.read', event(0)], [], 400, 'M_BAD_JSON'],
  ['an empty thread', 'bob', () => ['m.read', event(0)], { thread_id: '' }, 400, 'M_INVALID_PARAM'],
  ['a number as thread', 'bob', () => ['m.read', event(0)], { thread_id: 5 }, 400, 'M_INVALID_PARAM'],
  [
    'another thread',
    'bob',
    () => ['m.read', event(0)],
    { thread_id: () => event(1) },
    400,
    'M_INVALID_PARAM',
  ],
  ['main for a thread', 'bob', () => ['m.read', inThread], { thread_id: 'main' }, 400, 'M_INVALID_PARAM'],
  [
    'a thread read fully',
    'bob',
    () => ['m.fully_read', event(0)],
    { thread_id: 'main' },
    400,
    'M_INVALID_PARAM',
  ],
  ['an empty read marker', 'bob', () => ['m.fully_read', '$none'], {}, 404, 'M_UNKNOWN'],
  ['a read marker in another room', 'bob', () => ['m.fully_read', elsewhere], {}, 404, 'M_UNKNOWN'],
  [
    'an event of another room as part of main',
    'bob',
    () => ['m.read', elsewhere],
    { thread_id: 'main' },
    400,
    'M_INVALID_PARAM',
  ],
  [
    'no event as part of main',
    'bob',
    () => ['m.read', '$none'],
    { thread_id: 'main' },
    400,
    'M_INVALID_PARAM',
  ],
] as const)('answers %s', async (_, who, place, body, status, errcode) => {
  const thread = body && 'thread_id' in body ? (body.thread_id as unknown) : undefined;
  const given = typeof thread === 'function' ? { thread_id: thread() } : body;
  const reply = await homeserver.as(who).post(inRoom('receipt', ...place()), given);
  expect(reply).toMatchObject({ status, body: errcode === undefined ? {} : { errcode } });
});

test('receipts only move forward, and private ones are visible to their user alone', async () => {
  const [alice, bob] = [homeserver.as('alice'), homeserver.as('bob')];
  await alice.post(inRoom('receipt', 'm.read', event(2)), {});
  await alice.post(inRoom('receipt', 'm.read', event(0)), {});
  await alice.post(inRoom('receipt', 'm.read.private', event(2)), {});
  const read = async (userId: string, after?: number) =>
    (
      await readReceiptsSince(homeserver.services.db, {
        userId,
        roomIds: [room],
        after,
        upTo: await settled(),
      })
    ).filter((receipt) => receipt.userId === alice.userId);
  expect(await read(bob.userId)).toMatchObject([{ type: 'm.read', eventId: event(2), threadId: undefined }]);
  expect((await read(alice.userId)).map(({ type }) => type)).toEqual(['m.read', 'm.read.private']);
  expect(await read(alice.userId, await settled())).toEqual([]);
});

test('receipts at events of other rooms or at none are ignored', async () => {
  const bob = homeserver.as('bob');
  const before = await settled();
  for (const type of ['m.read', 'm.read.private'])
    for (const at of [elsewhere, '$none'])
      expect(await bob.post(inRoom('receipt', type, at), {})).toMatchObject({ status: 200, body: {} });
  const range = { userId: bob.userId, roomIds: [room], after: before, upTo: await settled() };
  expect(await readReceiptsSince(homeserver.services.db, range)).toEqual([]);
});

test('the fully read marker is account data that only moves forward', async () => {
  const bob = homeserver.as('bob');
  const before = await settled();
  const markers = (body: object) => bob.post(inRoom('read_markers'), body);
  expect(await markers({ 'm.fully_read': event(1), 'm.read': event(2) })).toMatchObject({ status: 200 });
  expect(await markers({ 'm.fully_read': event(0), 'm.read': null })).toMatchObject({ status: 200 });
  expect(await markers({})).toMatchObject({ status: 200, body: {} });
  expect(await markers({ 'm.read': 5 })).toMatchObject({ status: 400 });
  expect(
    await bob.get(path('user', bob.userId, 'rooms', room, 'account_data', 'm.fully_read')),
  ).toMatchObject({
    body: { event_id: event(1) },
  });
  const asked = { userId: bob.userId, after: before, upTo: await settled() };
  const [data, ...others] = await readAccountDataSince(homeserver.services.db, asked);
  expect(data).toMatchObject({ roomId: room, type: 'm.fully_read' });
  expect(JSON.parse(data?.content.text ?? '')).toEqual({ event_id: event(1) });
  expect(others).toEqual([]);
  const refused = await homeserver.as('carol').post(inRoom('read_markers'), { 'm.read': event(0) });
  expect(refused).toMatchObject({ status: 403, body: { errcode: 'M_FORBIDDEN' } });
});

test("typing starts, continues and ends, and can't be set for others", async () => {
  const [alice, bob] = [homeserver.as('alice'), homeserver.as('bob')];
  const own = inRoom('typing', bob.userId);
  const who = async (after?: number) =>
    readTyping(homeserver.services.db, { roomIds: [room], after, now: Date.now() });
  const before = await settled();
  expect(await bob.put(own, { typing: true, timeout: 60_000 })).toMatchObject({ status: 200, body: {} });
  await expect.poll(() => who()).toEqual(new Map([[room, [bob.userId]]]));
  expect(await who(before)).toEqual(new Map([[room, [bob.userId]]]));
  const then = await settled();
  expect(await who(then)).toEqual(new Map());
  await bob.put(own, { typing: false });
  await expect.poll(() => who(then)).toEqual(new Map([[room, []]]));
  await bob.put(own, { typing: true, timeout: 1 });
  await expect.poll(() => who()).toEqual(new Map());

  expect(await alice.put(own, { typing: true })).toMatchObject({
    status: 400,
    body: { errcode: 'M_FORBIDDEN' },
  });
  const carol = homeserver.as('carol');
  expect(await carol.put(inRoom('typing', carol.userId), { typing: true })).toMatchObject({ status: 403 });
  expect(await bob.put(own, {})).toMatchObject({ status: 400 });
  expect(await bob.put(own, { typing: true, timeout: 'x' })).toMatchObject({ status: 400 });
});

test('presence works in large rooms', async () => {
  const [alice, carol] = [homeserver.as('alice'), homeserver.as('carol')];
  const { services } = homeserver;
  const crowded = await makeRoom(alice, { preset: 'public_chat' });
  await setMembership(services, ownChange(crowded, carol.userId, 'join'));
  for (let index = 0; index < 100; index++) {
    const member = await createUser(services, { localpart: `crowd${index}` });
    await setMembership(services, ownChange(crowded, member, 'join'));
  }
  const sync = async (query: string) =>
    (await carol.get(`${path('sync')}?set_presence=offline${query}`)).body;
  const { next_batch } = await sync('');
  // Without a notification, this would run until its timeout.
  const woken = sync(`&timeout=600000&since=${next_batch}`);
  await alice.put(path('presence', alice.userId, 'status'), { presence: 'unavailable' });
  expect((await woken).presence.events).toMatchObject([
    { sender: alice.userId, content: { presence: 'unavailable' } },
  ]);
  await alice.put(path('presence', alice.userId, 'status'), { presence: 'offline' });
});

test('presence is shown to users who share a room and to no one else', async () => {
  const [alice, bob, carol] = [homeserver.as('alice'), homeserver.as('bob'), homeserver.as('carol')];
  const status = path('presence', bob.userId, 'status');
  const seen = async (userId: string, after?: number) =>
    readPresenceSince(homeserver.services.db, { userId, after, upTo: await settled() });
  const before = await settled();
  expect(await bob.put(status, { presence: 'online', status_msg: 'here' })).toMatchObject({ status: 200 });
  expect(await alice.get(status)).toMatchObject({
    status: 200,
    body: { presence: 'online', status_msg: 'here', currently_active: true },
  });
  expect(await carol.get(status)).toMatchObject({ status: 403, body: { errcode: 'M_FORBIDDEN' } });
  expect(await alice.put(status, { presence: 'online' })).toMatchObject({ status: 403 });
  for (const body of [{ presence: 'busy' }, {}, { presence: 'online', status_msg: null }]) {
    expect(await bob.put(status, body)).toMatchObject({ status: 400 });
  }
  expect(await seen(alice.userId, before)).toMatchObject([{ userId: bob.userId, presence: 'online' }]);
  expect(await seen(carol.userId, before)).toEqual([]);
  await bob.put(status, { presence: 'offline' });
  expect(await alice.get(status)).toMatchObject({ body: { presence: 'offline' } });
  expect(await seen(alice.userId)).toEqual([]);
});
