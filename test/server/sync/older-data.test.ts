/** Clients of a server whose data is older than theirs, such as after restoring a backup. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeRoom, path, say } from '../rooms/client.ts';

let homeserver: TestHomeserver;
let alice: Caller;
let bob: Caller;
beforeAll(async () => {
  homeserver = await startHomeserver();
  alice = homeserver.as('alice');
  bob = homeserver.as('bob');
});
afterAll(() => homeserver.remove());

/** Returns a token of a client that has seen more than the server has. */
const later = (token: string) => token.replaceAll(/\d+/g, (number) => String(Number(number) + 1_000));
let sent = 0;
const tell = (whom: Caller, count: number) =>
  alice.put(path('sendToDevice', 'm.test', `t${sent++}`), {
    messages: { [whom.userId]: { '*': { count } } },
  });

test('a sync repeats the current state and loses no to-device message', async () => {
  const token = (await bob.get(path('sync'))).body.next_batch;
  const room = await makeRoom(bob);
  const event = await say(bob, room, 'after the restore');
  await tell(bob, 1);
  const { body } = await bob.get(`${path('sync')}?timeout=60000&since=${later(token)}`);
  const { events } = body.rooms.join[room].timeline;
  expect(events.at(-1)).toMatchObject({ event_id: event });
  expect(body.to_device.events).toMatchObject([{ content: { count: 1 } }]);
  const next = (await bob.get(`${path('sync')}?timeout=0&since=${body.next_batch}`)).body;
  expect(next).not.toHaveProperty('rooms');
  expect(next).not.toHaveProperty('to_device');
});

test('a sliding sync loses no to-device message', async () => {
  const slide = async (since?: string) => {
    const to_device = { enabled: true, ...(since !== undefined && { since }) };
    const at = '/_chat/client/unstable/org.matrix.simplified_msc3575/sync';
    const reply = await alice.post(at, { extensions: { to_device } });
    expect(reply).toMatchObject({ status: 200 });
    return reply.body.extensions.to_device;
  };
  const { next_batch: token } = await slide();
  await tell(alice, 2);
  let since = later(token);
  const told: unknown[] = [];
  // On PostgreSQL, concurrent transactions such as presence can delay it to a later reply.
  const go = async () => {
    const { events = [], next_batch } = await slide(since);
    since = next_batch;
    told.push(...events);
    return told;
  };
  await expect.poll(go).toMatchObject([{ content: { count: 2 } }]);
  expect(await go()).toHaveLength(1);
});

test('a sliding sync from a future position starts over', async () => {
  const at = '/_chat/client/unstable/org.matrix.simplified_msc3575/sync';
  const { pos } = (await bob.post(at, {})).body;
  expect((await bob.post(`${at}?timeout=0&pos=${encodeURIComponent(pos)}`, {})).status).toBe(200);
  const [number, token] = pos.split('/');
  const beyond = encodeURIComponent(`${number}/${later(token)}`);
  expect(await bob.post(`${at}?timeout=0&pos=${beyond}`, {})).toMatchObject({
    ...{ status: 400, body: { errcode: 'M_UNKNOWN_POS' } },
  });
});
