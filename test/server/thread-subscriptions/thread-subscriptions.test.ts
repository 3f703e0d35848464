/** Thread subscriptions: changing them, and receiving them through sliding sync. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeRoom, path } from '../rooms/client.ts';

let homeserver: TestHomeserver;
let room: string;
let root: string;
let transactions = 0;

const unstable = '/_chat/client/unstable';
const subscription = (thread = root, inRoom = room) =>
  `${unstable}/io.element.msc4306/rooms/${encodeURIComponent(inRoom)}/thread/${encodeURIComponent(thread)}/subscription`;
const changes = (query: Record<string, string>) =>
  `${unstable}/io.element.msc4308/thread_subscriptions?${new URLSearchParams(query)}`;
const extension = 'io.element.msc4308.thread_subscriptions';
const slide = async (caller: Caller, query: Record<string, string> = {}, more: object = {}) => {
  const reply = await caller.post(
    `${unstable}/org.matrix.simplified_msc3575/sync?${new URLSearchParams({ set_presence: 'offline', ...query })}`,
    { extensions: { [extension]: { enabled: true, ...more } } },
  );
  expect(reply).toMatchObject({ status: 200 });
  return { pos: reply.body.pos as string, threads: reply.body.extensions[extension] };
};
const say = async (caller: Caller, thread?: string): Promise<string> => {
  const relation = thread && { 'm.relates_to': { rel_type: 'm.thread', event_id: thread } };
  const content = { msgtype: 'm.text', body: 'x', ...relation };
  return (await caller.put(path('rooms', room, 'send', 'm.room.message', `t${transactions++}`), content)).body
    .event_id;
};

beforeAll(async () => {
  homeserver = await startHomeserver();
  room = await makeRoom(homeserver.as('alice'), { preset: 'public_chat' });
  await homeserver.as('bob').post(path('rooms', room, 'join'), {});
  root = await say(homeserver.as('alice'));
});
afterAll(() => homeserver.remove());

test('a thread is followed until its user unsubscribes', async () => {
  const bob = homeserver.as('bob');
  const cause = await say(homeserver.as('alice'), root);
  expect(await bob.get(subscription())).toMatchObject({ status: 404, body: { errcode: 'M_NOT_FOUND' } });
  const automatic = { status: 200, body: { automatic: true } };
  expect(await bob.put(subscription(), { automatic: cause })).toMatchObject({ status: 200, body: {} });
  expect(await bob.get(subscription())).toMatchObject(automatic);
  await bob.put(subscription(), {});
  const byHand = { status: 200, body: { automatic: false } };
  expect(await bob.get(subscription())).toMatchObject(byHand);
  // An automatic subscription doesn't override the user's own.
  expect(await bob.put(subscription(), { automatic: cause })).toMatchObject({ status: 200 });
  expect(await bob.get(subscription())).toMatchObject(byHand);

  for (let time = 0; time < 2; time++)
    expect(await bob.delete(subscription())).toMatchObject({ status: 200 });
  expect(await bob.get(subscription())).toMatchObject({ status: 404 });
  expect(await bob.put(subscription(), { automatic: cause })).toMatchObject({
    ...{ status: 409, body: { errcode: 'IO.VENDOR.MSC4306.M_CONFLICTING_UNSUBSCRIPTION' } },
  });
  const later = await say(homeserver.as('alice'), root);
  expect(await bob.put(subscription(), { automatic: later })).toMatchObject({ status: 200 });
  expect(await bob.get(subscription())).toMatchObject(automatic);
});

test.each([
  ['a missing thread', () => subscription('$none'), {}, 404, 'M_NOT_FOUND'],
  ['a thread of another room', () => subscription(root, '!none:localhost'), {}, 404, 'M_NOT_FOUND'],
  [
    'a cause outside',
    () => subscription(),
    { automatic: () => root },
    400,
    'IO.VENDOR.MSC4306.M_NOT_IN_THREAD',
  ],
  ['an invalid cause', () => subscription(), { automatic: true }, 400, 'M_BAD_JSON'],
])('%s is refused', async (_, address, { automatic }: { automatic?: unknown }, status, errcode) => {
  const body = { automatic: typeof automatic === 'function' ? automatic() : automatic };
  expect(await homeserver.as('bob').put(address(), body)).toMatchObject({ status, body: { errcode } });
});

test("a user who can't see a room can't follow its threads", async () => {
  const hidden = await makeRoom(homeserver.as('alice'), { preset: 'private_chat' });
  const sent = await homeserver
    .as('alice')
    .put(path('rooms', hidden, 'send', 'm.room.message', 'first'), { msgtype: 'm.text', body: 'x' });
  const thread = subscription(sent.body.event_id, hidden);
  for (const method of ['get', 'delete'] as const) {
    expect(await homeserver.as('bob')[method](thread)).toMatchObject({ status: 404 });
  }
  expect(await homeserver.as('bob').put(thread, {})).toMatchObject({ status: 404 });
});

test('devices get changes as they happen, and page back to missed ones', async () => {
  const alice = homeserver.as('alice');
  const first = await slide(alice);
  expect(first.threads).toBeUndefined();
  const waiting = slide(alice, { pos: first.pos, timeout: '20000' });
  await alice.put(subscription(), {});
  const second = await waiting;
  const bump_stamp = expect.any(Number);
  expect(second.threads).toEqual({ subscribed: { [room]: { [root]: { automatic: false, bump_stamp } } } });

  const roots = [await say(alice), await say(alice), await say(alice)];
  for (const each of roots) await alice.put(subscription(each), {});
  await alice.delete(subscription());
  const third = await slide(alice, { pos: second.pos }, { limit: 2 });
  expect(third.threads).toEqual({
    subscribed: { [room]: { [roots[2] ?? '']: { automatic: false, bump_stamp } } },
    unsubscribed: { [room]: { [root]: { bump_stamp } } },
    prev_batch: expect.any(String),
  });
  const range = { dir: 'b', to: second.pos, limit: '1' };
  const page = (await alice.get(changes({ ...range, from: third.threads.prev_batch }))).body;
  expect(Object.keys(page.subscribed[room])).toEqual([roots[1]]);
  const last = (await alice.get(changes({ ...range, from: page.end }))).body;
  expect(last).toEqual({ subscribed: { [room]: { [roots[0] ?? '']: { automatic: false, bump_stamp } } } });
  for (const query of [{}, { dir: 'f' }, { dir: 'b', from: 'x' }, { dir: 'b', limit: '0' }]) {
    expect(await alice.get(changes(query as Record<string, string>))).toMatchObject({ status: 400 });
  }
});
