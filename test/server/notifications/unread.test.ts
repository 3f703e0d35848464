/** Notifications and unread counts of users. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noOwnRules } from '../../../server/conversation/notifications/push-rule.ts';
import { setOwnRules } from '../../../server/conversation/notifications/push-rule-store.ts';
import { readUnreadCounts } from '../../../server/conversation/notifications/unread-counts.ts';
import { appendEvent } from '../../../server/conversation/rooms/events/append-events.ts';
import { changeMembership } from '../../../server/conversation/rooms/membership/change-membership.ts';
import { inTransaction } from '../../../server/platform/database/transaction.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, makeRoom, path } from '../rooms/client.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const rules = '/_chat/client/v3/pushrules/global';
let transactions = 0;

/** Creates Alice's room with Bob and Carol. Returns functions that use it. */
async function room() {
  const [alice, bob, carol] = [homeserver.as('alice'), homeserver.as('bob'), homeserver.as('carol')];
  const roomId = await makeRoom(alice, { preset: 'public_chat' });
  for (const who of [bob, carol]) await change(who, roomId, 'join');
  const at = (...parts: string[]) => path('rooms', roomId, ...parts);
  return {
    roomId,
    at,
    async send(content: object, who = alice, type = 'm.room.message'): Promise<string> {
      const whole = { msgtype: 'm.text', body: 'hello', ...content };
      return (await who.put(at('send', type, `u${transactions++}`), whole)).body.event_id;
    },
    async read(eventId: string, body: object = {}, who = bob) {
      expect(await who.post(at('receipt', 'm.read', eventId), body)).toMatchObject({ status: 200 });
    },
    async unread(who = bob): Promise<{ main: [number, number]; [thread: string]: [number, number] }> {
      const { db } = homeserver.services;
      const found = (await readUnreadCounts(db, { userId: who.userId, roomIds: [roomId] })).get(roomId);
      if (!found) throw new Error('not counted');
      const pair = ({ notifications, highlights }: typeof found.main): [number, number] => [
        notifications,
        highlights,
      ];
      return {
        main: pair(found.main),
        ...Object.fromEntries([...found.threads].map(([thread, count]) => [thread, pair(count)])),
      };
    },
  };
}

test("others' messages are unread until read, own messages never are", async () => {
  const { roomId, send, read, unread } = await room();
  const dan = await homeserver.add('dan');
  await change(dan, roomId, 'join');
  const first = await send({});
  const second = await send({});
  await send({}, homeserver.as('bob'));
  await send({ msgtype: 'm.notice' });
  expect(await unread()).toEqual({ main: [2, 0] });
  expect(await unread(homeserver.as('alice'))).toEqual({ main: [1, 0] });
  await read(first);
  expect(await unread()).toEqual({ main: [1, 0] });
  await read(second);
  expect(await unread()).toEqual({ main: [0, 0] });
  expect(await unread(dan)).toEqual({ main: [3, 0] });
});

test('the newer of a public and a private receipt counts', async () => {
  const { at, send, read, unread } = await room();
  const events = [await send({}), await send({}), await send({})];
  const readPrivately = (who: 'bob' | 'carol', eventId = '') =>
    homeserver.as(who).post(at('receipt', 'm.read.private', eventId), {});
  await read(events[1] ?? '');
  await readPrivately('bob', events[0]);
  expect(await unread()).toEqual({ main: [1, 0] });
  await read(events[0] ?? '', {}, homeserver.as('carol'));
  await readPrivately('carol', events[1]);
  expect(await unread(homeserver.as('carol'))).toEqual({ main: [1, 0] });
});

test('mentions are highlights for the mentioned', async () => {
  const { send, unread } = await room();
  await send({ 'm.mentions': { user_ids: ['@bob:localhost'] } });
  await send({ body: 'bob and alice', 'm.mentions': {} });
  expect(await unread()).toEqual({ main: [2, 1] });
  // Without `m.mentions`, names in the text count.
  await send({ body: 'and so said Bob: ha' });
  await send({ body: 'bobby knows @roomy' });
  expect(await unread()).toEqual({ main: [4, 2] });
  expect(await unread(homeserver.as('carol'))).toEqual({ main: [4, 0] });
  // Only users with the required power level can mention the room.
  await send({ body: 'listen', 'm.mentions': { room: true } });
  await send({ body: '@room' }, homeserver.as('carol'));
  expect(await unread()).toEqual({ main: [6, 3] });
});

test('changed display names are matched', async () => {
  const { send, at, unread } = await room();
  const member = { membership: 'join', displayname: 'Sir Lancelot' };
  await homeserver.as('bob').put(at('state', 'm.room.member', '@bob:localhost'), member);
  await send({ body: 'where is SIR LANCELOT?' });
  await send({ body: 'where is sir Lancelotte?' });
  expect(await unread()).toEqual({ main: [2, 1] });
});

test('joins and changes of a rolled-back transaction have no effect', async () => {
  const { services } = homeserver;
  const [alice, bob] = [homeserver.as('alice'), homeserver.as('bob')];
  const roomId = await makeRoom(alice, { preset: 'public_chat' });
  const say = async (content: object) =>
    alice.put(path('rooms', roomId, 'send', 'm.room.message', `u${transactions++}`), content);
  await say({ msgtype: 'm.text', body: 'hello' });
  const carol = homeserver.as('carol').userId;
  const undone = inTransaction(services.db, async (tx) => {
    const content = { membership: 'join' };
    await changeMembership(tx, services, { roomId, sender: carol, target: carol, content });
    await setOwnRules(tx, carol, noOwnRules);
    const message = { msgtype: 'm.text', body: 'lost' };
    await appendEvent(tx, services, roomId, {
      ...{ type: 'm.room.message', sender: alice.userId, content: message },
    });
    throw new Error('as when a commit fails');
  });
  await expect(undone).rejects.toThrow('as when a commit fails');

  // These rules reuse the numbers from the rolled-back transaction.
  await change(bob, roomId, 'join');
  const actions = ['notify', { set_tweak: 'highlight' }];
  expect((await bob.put(`${rules}/content/cake`, { pattern: 'cake', actions })).status).toBe(200);
  await say({ msgtype: 'm.text', body: 'for you', 'm.mentions': { user_ids: [bob.userId] } });
  await say({ msgtype: 'm.text', body: 'there is cake' });
  const counts = await readUnreadCounts(services.db, { userId: bob.userId, roomIds: [roomId] });
  expect(counts.get(roomId)?.main).toEqual({ notifications: 2, highlights: 2 });
  expect((await bob.delete(`${rules}/content/cake`)).status).toBe(200);
});

test('threads are counted separately, and read alone or with the room', async () => {
  const { send, read, unread } = await room();
  const root = await send({});
  const reply = (body = 'hello', who = homeserver.as('alice')) =>
    send({ body, 'm.relates_to': { rel_type: 'm.thread', event_id: root } }, who);
  const first = await reply();
  await reply('bob!');
  await reply('me', homeserver.as('bob'));
  expect(await unread()).toEqual({ main: [1, 0], [root]: [2, 1] });
  await read(first, { thread_id: root });
  expect(await unread()).toEqual({ main: [1, 0], [root]: [1, 1] });
  await read(root, { thread_id: 'main' });
  expect(await unread()).toEqual({ main: [0, 0], [root]: [1, 1] });
  const last = await reply();
  await read(last);
  expect(await unread()).toEqual({ main: [0, 0] });
});

test("a thread without notifications isn't listed", async () => {
  const { send, unread } = await room();
  const root = await send({});
  await send({ msgtype: 'm.notice', 'm.relates_to': { rel_type: 'm.thread', event_id: root } });
  expect(await unread()).toEqual({ main: [1, 0] });
});

test('redacted messages are no longer unread', async () => {
  const { at, send, read, unread } = await room();
  const bob = homeserver.as('bob');
  const redact = (eventId: string) =>
    homeserver.as('alice').put(at('redact', eventId, `r${transactions++}`), {});
  const read1 = await send({ body: 'bob: read' });
  await read(read1);
  const root = await send({ body: 'bob: root' });
  const other = await send({ 'm.mentions': { room: true } });
  const reply = await send({ body: 'bob: in', 'm.relates_to': { rel_type: 'm.thread', event_id: root } });
  await send({}, bob);
  expect(await unread()).toEqual({ main: [2, 2], [root]: [1, 1] });
  for (const eventId of [read1, root, reply]) await redact(eventId);
  expect(await unread()).toEqual({ main: [1, 1] });
  const { notifications } = (await bob.get(path('notifications'))).body;
  const shown = notifications.map(({ event }: { event: { event_id: string } }) => event.event_id);
  expect(shown).toContain(other);
  for (const eventId of [read1, root, reply]) expect(shown).not.toContain(eventId);
  await redact(other);
  expect(await unread()).toEqual({ main: [0, 0] });
});

test("notifications from before a user joined again aren't listed", async () => {
  const { roomId, send } = await room();
  const bob = homeserver.as('bob');
  const before = await send({});
  await change(bob, roomId, 'leave');
  await change(bob, roomId, 'join');
  const after = await send({});
  const { notifications } = (await bob.get(path('notifications'))).body;
  const shown = notifications.map(({ event }: { event: { event_id: string } }) => event.event_id);
  expect(shown).toContain(after);
  expect(shown).not.toContain(before);
});

test('muting a room removes its notifications, also earlier ones', async () => {
  const { roomId, send, unread } = await room();
  const bob = homeserver.as('bob');
  await send({});
  await bob.put(`${rules}/room/${roomId}`, { actions: [] });
  await send({});
  await send({ body: 'bob' });
  expect(await unread()).toEqual({ main: [2, 1] });
  await bob.delete(`${rules}/room/${roomId}`);
  await send({});
  expect((await unread()).main[1]).toBe(1);
  expect((await unread()).main[0]).toBeGreaterThanOrEqual(2);
});

test("custom rules apply, and ignored users don't notify", async () => {
  const { send, unread } = await room();
  const carol = homeserver.as('carol');
  await carol.put(`${rules}/content/cake`, {
    ...{ pattern: 'c?ke*', actions: ['notify', { set_tweak: 'highlight' }] },
  });
  await carol.put(`${rules}/override/quiet`, {
    actions: [],
    conditions: [{ kind: 'event_match', key: 'content.org\\.example\\.quiet', pattern: 'yes' }],
  });
  await send({ body: 'There are cakes' });
  await send({ body: 'a pancake' });
  await send({ 'org.example.quiet': 'YES' });
  expect(await unread(carol)).toEqual({ main: [2, 1] });
  expect(await unread()).toEqual({ main: [3, 0] });
  await carol.put(path('user', carol.userId, 'account_data', 'm.ignored_user_list'), {
    ignored_users: { '@bob:localhost': {} },
  });
  await send({ body: 'cake' }, homeserver.as('bob'));
  expect(await unread(carol)).toEqual({ main: [2, 1] });
});
