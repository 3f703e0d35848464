/** Pushers, their gateways' notifications, and the list of notifications. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { manualClock } from '../../manual-clock.ts';
import { startHomeserver } from '../homeserver.ts';
import { change, makeRoom, path, say } from '../rooms/client.ts';
import { type Note, type Pushing, startPushing } from './gateway.ts';

let { homeserver, gateway, room, pusher, set, end } = {} as Pushing;

beforeEach(async () => {
  ({ homeserver, gateway, room, pusher, set, end } = await startPushing());
});
afterEach(() => end());
const list = async (who = 'bob') => (await homeserver.as(who).get(path('pushers'))).body.pushers;

test("a gateway receives its user's notifications once and in order", async () => {
  expect(await set(pusher())).toMatchObject({ status: 200, body: {} });
  expect(await list()).toMatchObject([{ pushkey: 'key', kind: 'http', profile_tag: '' }]);
  const first = await say(homeserver.as('alice'), room, 'one');
  const second = await say(homeserver.as('alice'), room, 'bob, two');
  await say(homeserver.as('bob'), room, 'my own');
  await expect.poll(() => gateway.notes.length).toBe(2);
  expect(gateway.notes).toMatchObject([
    { event_id: first, prio: 'low', counts: { unread: 1 }, room_name: 'Tea', content: { body: 'one' } },
    { event_id: second, prio: 'high', sender: '@alice:localhost', devices: [{ pushkey: 'key' }] },
  ]);
  expect(gateway.notes[1].devices[0].tweaks).toEqual({ highlight: true, sound: 'default' });
  expect(gateway.notes[1].devices[0].data).toEqual({});
});

test('a failing gateway is retried, also after a restart, and nothing is left out', async () => {
  await set(pusher());
  gateway.answer = { status: 502, body: {} };
  await say(homeserver.as('alice'), room, 'three');
  await expect.poll(() => gateway.notes.length).toBeGreaterThan(0);
  await homeserver.restart();
  gateway.answer = { status: 200, body: {} };
  gateway.notes = [];
  await say(homeserver.as('alice'), room, 'four');
  await expect.poll(() => gateway.notes.map(({ content }) => content.body)).toEqual(['three', 'four']);
});

test('event_id_only sends no content, and a rejected pushkey is removed', async () => {
  await set(pusher({}, { format: 'event_id_only' }));
  gateway.answer = { status: 200, body: { rejected: ['key'] } };
  const event = await say(homeserver.as('alice'), room, 'five');
  await expect.poll(() => list()).toEqual([]);
  expect(gateway.notes).toMatchObject([{ event_id: event, room_id: room }]);
  expect(Object.keys(gateway.notes[0]).sort()).toEqual(['counts', 'devices', 'event_id', 'prio', 'room_id']);
});

test('another user takes over a pushkey unless append is set', async () => {
  await set(pusher());
  await set(pusher({ append: true }), 'carol');
  expect(await list()).toHaveLength(1);
  await set(pusher(), 'carol');
  expect(await list()).toEqual([]);
  await set({ app_id: 'org.example', pushkey: 'key', kind: null }, 'carol');
  expect(await list('carol')).toEqual([]);
});

test('refuses invalid pushers', async () => {
  for (const [changes, errcode] of [
    [{ data: undefined }, 'M_MISSING_PARAM'],
    [{ data: {} }, 'M_MISSING_PARAM'],
    [{ data: { url: 'https://example.org/' } }, 'M_MISSING_PARAM'],
    [{ app_display_name: undefined }, 'M_MISSING_PARAM'],
    [{ kind: 'email' }, 'M_BAD_JSON'],
    [{ pushkey: 'x'.repeat(513) }, 'M_BAD_JSON'],
  ] as const) {
    const refused = await set(pusher(changes));
    expect({ changes, ...refused }).toMatchObject({ changes, status: 400, body: { errcode } });
  }
});

test("private addresses aren't called unless configured, by name or by IP", async () => {
  const clock = manualClock();
  const other = await startHomeserver({ clock });
  try {
    const lines = gateway.notes.length;
    for (const host of ['localhost', '127.0.0.1', '[::ffff:127.0.0.1]']) {
      const data = { url: gateway.url().replace('localhost', host) };
      await other.as('bob').post(path('pushers', 'set'), pusher({ pushkey: host }, data));
    }
    const hall = await makeRoom(other.as('alice'));
    await change(other.as('bob'), hall, 'join');
    await say(other.as('alice'), hall, 'hello');
    const attempts = async () => {
      // Far less than the retry interval.
      clock.advance(10);
      const rows = await other.services.db.selectFrom('pushers').select('attempts').execute();
      return rows.map((row) => row.attempts);
    };
    await expect.poll(attempts).toEqual([1, 1, 1]);
    expect(gateway.notes).toHaveLength(lines);
  } finally {
    await other.remove();
  }
});

test('notifications are listed newest first with their read state', async () => {
  for (const text of ['one', 'bob, two', 'three', 'four', 'five']) {
    await say(homeserver.as('alice'), room, text);
  }
  const bob = homeserver.as('bob');
  await say(bob, room, 'my own');
  const page = async (query = '') => (await bob.get(`${path('notifications')}?${query}`)).body;
  const { notifications } = await page();
  const texts = notifications.map(({ event }: { event: Note }) => event.content.body);
  expect(texts).toEqual(['five', 'four', 'three', 'bob, two', 'one']);
  expect(notifications[0]).toMatchObject({ read: false, room_id: room, actions: ['notify', {}] });
  const first = await page('limit=2');
  const rest = await page(`from=${first.next_token}`);
  expect(
    [...first.notifications, ...rest.notifications].map(({ event }: Note) => event.content.body),
  ).toEqual(texts);
  expect(rest.next_token).toBeUndefined();
  expect((await page('only=highlight')).notifications).toHaveLength(1);
  await bob.post(path('rooms', room, 'receipt', 'm.read', notifications[1].event.event_id), {});
  expect((await page()).notifications.map(({ read }: Note) => read)).toEqual([false, true, true, true, true]);
  for (const query of ['from=x', 'limit=-1', 'limit=x']) {
    expect(await bob.get(`${path('notifications')}?${query}`)).toMatchObject({ status: 400 });
  }
});

test("events that only notify others don't affect notifications or their positions", async () => {
  await say(homeserver.as('alice'), room, 'bob, two');
  expect(await set(pusher())).toMatchObject({ status: 200 });
  const bob = homeserver.as('bob');
  const busy = await makeRoom(homeserver.as('alice'), { name: 'Busy' });
  await change(bob, busy, 'join');
  await bob.put(path('pushrules', 'global', 'room', busy), { actions: [] });
  for (let i = 0; i < 45; i++) await say(homeserver.as('alice'), busy, 'for others');
  await say(homeserver.as('alice'), room, 'for you');
  for (let i = 0; i < 45; i++) await say(homeserver.as('alice'), busy, 'for others');
  await expect.poll(() => gateway.notes.map(({ content }) => content?.body)).toEqual(['for you']);
  for (const query of ['limit=1', 'limit=1&only=highlight']) {
    const { notifications } = (await bob.get(`${path('notifications')}?${query}`)).body;
    const isHighlight = query.endsWith('highlight');
    expect(notifications).toMatchObject([
      { event: { content: { body: isHighlight ? 'bob, two' : 'for you' } } },
    ]);
  }
});

test("a request unanswered at shutdown isn't sent again", async () => {
  expect(await set(pusher())).toMatchObject({ status: 200 });
  const release = gateway.hold('');
  await say(homeserver.as('alice'), room, 'while it stops');
  await expect.poll(() => gateway.notes.length).toBe(1);
  const restarted = homeserver.restart();
  release();
  await restarted;
  await say(homeserver.as('alice'), room, 'after it');
  await expect.poll(() => gateway.notes.at(-1)?.content?.body).toBe('after it');
  expect(gateway.notes.map(({ content }) => content?.body)).toEqual(['while it stops', 'after it']);
});

test('a badge is cleared once when all is read', async () => {
  expect(await set(pusher())).toMatchObject({ status: 200 });
  const last = await say(homeserver.as('alice'), room, 'badge');
  await expect.poll(() => gateway.notes.length).toBe(1);
  expect(gateway.notes[0].counts).toEqual({ unread: 1 });
  // A restarted server still knows which users have a badge.
  await homeserver.restart();
  const read = () => homeserver.as('bob').post(path('rooms', room, 'receipt', 'm.read', last), {});
  expect(await read()).toMatchObject({ status: 200 });
  await expect.poll(() => gateway.notes.length).toBe(2);
  expect(gateway.notes[1]).toEqual({
    counts: { unread: 0 },
    devices: [{ app_id: 'org.example', pushkey: 'key', pushkey_ts: expect.any(Number), data: {} }],
  });
  // The next notification is for the next message, with none in between.
  await say(homeserver.as('bob'), room, 'mine');
  await say(homeserver.as('alice'), room, 'next');
  await expect.poll(() => gateway.notes.length).toBe(3);
  expect(gateway.notes[2]).toMatchObject({ content: { body: 'next' }, counts: { unread: 1 } });
});

test('a pusher that is set again is tried at once', async () => {
  await set(pusher());
  await homeserver.services.db
    .updateTable('pushers')
    .set({ attempts: 5, retry_ts: Date.now() + 60 * 60_000 })
    .execute();
  await set(pusher());
  await say(homeserver.as('alice'), room, 'five');
  await expect.poll(() => gateway.notes.map(({ content }) => content.body)).toEqual(['five']);
});
