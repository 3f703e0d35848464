/** The older alternatives to `/sync` that some clients and bots use. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const client = '/_chat/client/r0';

test('a bot starts with everything and continues with events', async () => {
  const [alice, bob] = [homeserver.as('alice'), homeserver.as('bob')];
  const { room_id } = (await alice.post(`${client}/createRoom`, { preset: 'public_chat' })).body;
  const inRoom = `${client}/rooms/${encodeURIComponent(room_id)}`;
  await bob.post(`${inRoom}/join`, {});
  const first = (await bob.get(`${client}/initialSync?limit=1`)).body;
  expect(first.rooms).toMatchObject([
    {
      room_id,
      membership: 'join',
      visibility: 'private',
      messages: { chunk: [{ type: 'm.room.member', room_id }] },
    },
  ]);
  const types = first.rooms[0].state.map(({ type }: { type: string }) => type);
  expect(types).toContain('m.room.create');
  const waiting = bob.get(
    `${client}/events?from=${first.end}&timeout=20000&room_id=${encodeURIComponent(room_id)}`,
  );
  const { event_id } = (
    await alice.put(`${inRoom}/send/m.room.message/1`, { msgtype: 'm.text', body: 'hello bot' })
  ).body;
  const next = (await waiting).body;
  expect(next.start).toBe(first.end);
  const messages = next.chunk.filter(({ type }: { type: string }) => type === 'm.room.message');
  // Another event, such as presence, may come first.
  const later = (await bob.get(`${client}/events?from=${first.end}&timeout=0`)).body.chunk;
  expect([...messages, ...later]).toContainEqual(
    expect.objectContaining({
      room_id,
      user_id: alice.userId,
      content: { msgtype: 'm.text', body: 'hello bot' },
    }),
  );
  expect((await bob.get(`${inRoom}/initialSync?limit=1`)).body).toMatchObject({
    room_id,
    membership: 'join',
    messages: { chunk: [{ content: { body: 'hello bot' } }] },
  });
  const alone = `${client}/events/${encodeURIComponent(event_id)}`;
  expect((await bob.get(alone)).body).toMatchObject({ event_id, room_id, content: { body: 'hello bot' } });
  for (const [caller, event] of [
    [bob, `${client}/events/$none`],
    [homeserver.as('carol'), alone],
  ] as const) {
    expect(await caller.get(event)).toMatchObject({ status: 404, body: { errcode: 'M_NOT_FOUND' } });
  }
  expect(await homeserver.as('carol').get(`${inRoom}/initialSync`)).toMatchObject({
    status: 403,
    body: { errcode: 'M_FORBIDDEN' },
  });
  expect(await bob.get(`${client}/events?from=x`)).toMatchObject({
    status: 400,
    body: { errcode: 'M_UNKNOWN' },
  });
});

test('a bot reads account data and tags among the events', async () => {
  const carol = homeserver.as('carol');
  const { room_id } = (await carol.post(`${client}/createRoom`, {})).body;
  const from = (await carol.get(`${client}/events`)).body.end;
  const own = `${client}/user/${encodeURIComponent(carol.userId)}`;
  await carol.put(`${own}/account_data/my.settings`, { dark: true });
  await carol.put(`${own}/rooms/${encodeURIComponent(room_id)}/tags/fav`, { order: 0.5 });
  const { chunk } = (await carol.get(`${client}/events?from=${from}&timeout=0`)).body;
  expect(chunk).toContainEqual({ type: 'my.settings', content: { dark: true } });
  expect(chunk).toContainEqual({ type: 'm.tag', room_id, content: { tags: { fav: { order: 0.5 } } } });
});
