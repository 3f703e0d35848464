/** Content and timing of syncs. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { updatedRooms } from '../../../server/conversation/sync/updated-rooms.ts';
import { settledEventPosition } from '../../../server/platform/database/changes.ts';
import { type Caller, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { connectTo } from '../raw-connection.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const client = '/_chat/client/v3';
const as = (name: string) => homeserver.as(name);

const sync = async (caller: Caller, query: Record<string, unknown> = {}) => {
  const parameters = Object.entries(query).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const reply = await caller.get(`${client}/sync?${new URLSearchParams(parameters)}`);
  expect(reply).toMatchObject({ status: 200 });
  return reply.body;
};
const inRoom = (room: string) => `${client}/rooms/${encodeURIComponent(room)}`;
const makeRoom = async (caller: Caller, request: object = {}): Promise<string> =>
  (await caller.post(`${client}/createRoom`, { preset: 'public_chat', ...request })).body.room_id;
let transactions = 0;
const say = async (caller: Caller, room: string, body: string): Promise<string> => {
  const path = `${inRoom(room)}/send/m.room.message/t${transactions++}`;
  return (await caller.put(path, { msgtype: 'm.text', body })).body.event_id;
};
const join = (caller: Caller, room: string) => caller.post(`${inRoom(room)}/join`, {});

// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary bodies
const bodies = (room: any): string[] => room.timeline.events.map((event: any) => event.content.body);
// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary bodies
const keysOf = (state: any): string[] => state.events.map((event: any) => `${event.type} ${event.state_key}`);

describe('an initial sync', () => {
  test("shows the user's rooms with the state before the newest events", async () => {
    const room = await makeRoom(as('alice'), { name: 'First' });
    await say(as('alice'), room, 'one');
    await say(as('alice'), room, 'two');
    const filter = { room: { rooms: [room], timeline: { limit: 2 } } };
    const { rooms, next_batch } = await sync(as('alice'), { filter });
    expect(bodies(rooms.join[room])).toEqual(['one', 'two']);
    expect(rooms.join[room].timeline).toMatchObject({ limited: true });
    expect(keysOf(rooms.join[room].state)).toEqual(
      expect.arrayContaining(['m.room.create ', 'm.room.name ', `m.room.member ${as('alice').userId}`]),
    );
    expect(rooms.join[room].timeline.events[0]).not.toHaveProperty('room_id');
    // Earlier events can be paginated.
    const before = await as('alice').get(
      `${inRoom(room)}/messages?dir=b&limit=1&from=${rooms.join[room].timeline.prev_batch}`,
    );
    expect(before.body.chunk).toMatchObject([{ type: 'm.room.name' }]);
    expect((await sync(as('alice'), { since: next_batch, filter })).rooms).toBeUndefined();
  });

  test('is complete for a short room, and not marked as limited', async () => {
    const room = await makeRoom(as('alice'));
    const filter = { room: { rooms: [room] } };
    const { rooms, next_batch: since } = await sync(as('alice'), { filter });
    expect(rooms.join[room].timeline).toMatchObject({ limited: false });
    const all = await sync(as('alice'), { since, full_state: true, filter });
    expect(all.rooms.join[room].timeline).toMatchObject({ limited: false, events: [] });
    const { next_batch } = await sync(as('bob'));
    await join(as('bob'), room);
    // A user who joins later still has to fetch earlier events.
    const joined = await sync(as('bob'), { since: next_batch, filter });
    expect(joined.rooms.join[room].timeline).toMatchObject({ limited: true });
  });

  test('has events in the usual client format', async () => {
    const room = await makeRoom(as('alice'));
    const sent = await say(as('alice'), room, 'named');
    const filter = { event_format: 'federation', room: { rooms: [room], timeline: { limit: 1 } } };
    const { rooms } = await sync(as('alice'), { filter });
    expect(rooms.join[room].timeline.events).toMatchObject([{ event_id: sent, hashes: expect.anything() }]);
  });

  test('shows no more of a room with hidden history than the user may see', async () => {
    const room = await makeRoom(as('alice'), {
      initial_state: [
        { type: 'm.room.history_visibility', state_key: '', content: { history_visibility: 'joined' } },
      ],
    });
    await say(as('alice'), room, 'secret');
    await join(as('bob'), room);
    await say(as('alice'), room, 'welcome');
    const { rooms } = await sync(as('bob'), { filter: { room: { rooms: [room] } } });
    const shown = bodies(rooms.join[room]).filter((body) => body !== undefined);
    expect(shown).toEqual(['welcome']);
    expect(keysOf(rooms.join[room].state)).toContain('m.room.create ');
  });
});

test('a reply has the newest events up to a limit and says where the rest is', async () => {
  const rooms = [await makeRoom(as('alice')), await makeRoom(as('alice'))];
  const large = 'x'.repeat(60_000);
  for (let index = 0; index < 40; index++) {
    await Promise.all(rooms.map((room) => say(as('alice'), room, `${index} ${large}`)));
  }
  const filter = { room: { rooms, timeline: { limit: 1_000 } } };
  const reply = await sync(as('alice'), { filter });
  expect(JSON.stringify(reply).length).toBeLessThan(5_000_000);
  for (const room of rooms) {
    const { events, limited, prev_batch } = reply.rooms.join[room].timeline;
    expect(limited).toBe(true);
    const shown = bodies(reply.rooms.join[room]).map((body) => Number.parseInt(body, 10));
    expect(shown).toEqual(Array.from({ length: shown.length }, (_, index) => 40 - shown.length + index));
    const before = await as('alice').get(`${inRoom(room)}/messages?dir=b&limit=1&from=${prev_batch}`);
    expect(Number.parseInt(before.body.chunk[0].content.body, 10)).toBe((shown[0] ?? 0) - 1);
    expect(events.length).toBeGreaterThan(20);
  }

  // A client that sends many requests without reading the replies gets rate limited.
  const path = `${client}/sync?timeout=0&filter=${encodeURIComponent(JSON.stringify(filter))}`;
  const request = `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${as('alice').accessToken}\r\n\r\n`;
  const unread = await connectTo(homeserver.url);
  unread.socket.pause();
  await unread.write(request.repeat(20));
  // Even small requests are refused in the meantime.
  const little = `${client}/sync?timeout=0&filter=${encodeURIComponent('{"room":{"rooms":[]}}')}`;
  const asked = async () => (await as('alice').get(little)).status;
  await expect.poll(asked).toBe(429);
  expect((await as('bob').get(`${client}/sync?timeout=0`)).status).toBe(200);
  unread.socket.destroy();
  await expect.poll(asked).toBe(200);
});

test("messages of ignored users are hidden, and their state isn't", async () => {
  const [reader, other] = [as('alice'), as('bob')];
  const room = await makeRoom(reader);
  await join(other, room);
  const root = await say(reader, room, 'root');
  const thread = { 'm.relates_to': { rel_type: 'm.thread', event_id: root } };
  const reply = `${inRoom(room)}/send/m.room.message/unwanted`;
  const unwanted = (await other.put(reply, { msgtype: 'm.text', body: 'unwanted', ...thread })).body.event_id;
  const { next_batch: since } = await sync(reader);
  const list = `${client}/user/${encodeURIComponent(reader.userId)}/account_data/m.ignored_user_list`;
  await reader.put(list, { ignored_users: { [other.userId]: {} } });
  await say(other, room, 'still unwanted');
  await other.post(`${client}/createRoom`, { invite: [reader.userId] });
  const wanted = await say(reader, room, 'wanted');

  const later = await sync(reader, { since });
  expect(bodies(later.rooms.join[room])).toEqual(['wanted']);
  expect(later.rooms.invite).toBeUndefined();
  const page = await reader.get(`${inRoom(room)}/messages?dir=b&limit=5`);
  const kinds = (events: { type: string; content: { body?: string } }[]) =>
    events.map(({ type, content }) => content.body ?? type);
  expect(kinds(page.body.chunk)).toEqual(['wanted', 'root', 'm.room.member']);
  const context = await reader.get(`${inRoom(room)}/context/${encodeURIComponent(wanted)}?limit=10`);
  expect(kinds(context.body.events_before)).toEqual(['root', 'm.room.member', 'm.room.history_visibility']);
  const relations = inRoom(room).replace('/v3/', '/v1/');
  expect((await reader.get(`${relations}/relations/${encodeURIComponent(root)}`)).body.chunk).toEqual([]);
  for (const kind of ['event', 'context']) {
    const at = `${inRoom(room)}/${kind}/${encodeURIComponent(unwanted)}`;
    expect((await reader.get(at)).status).toBe(kind === 'event' ? 404 : 403);
  }
  await reader.put(list, { ignored_users: {} });
  expect(kinds((await reader.get(`${inRoom(room)}/messages?dir=b&limit=2`)).body.chunk)).toEqual([
    'wanted',
    'still unwanted',
  ]);
});

describe('an incremental sync', () => {
  test('is limited if none of the new events is shown', async () => {
    const room = await makeRoom(as('alice'));
    await join(as('bob'), room);
    const { next_batch: since } = await sync(as('alice'));
    await as('bob').put(`${inRoom(room)}/send/org.example.rare/r${transactions++}`, {});
    for (let i = 0; i < 120; i++) await say(as('bob'), room, `${i}`);
    for (const timeline of [{ limit: 0 }, { types: ['org.example.rare'] }]) {
      const shown = (await sync(as('alice'), { since, filter: { room: { timeline } } })).rooms.join[room];
      expect(shown.timeline).toMatchObject({ events: [], limited: true });
      expect(shown.unread_notifications).toMatchObject({ notification_count: 120 });
      const from = encodeURIComponent(shown.timeline.prev_batch);
      const back = await as('alice').get(`${inRoom(room)}/messages?dir=b&limit=1&from=${from}`);
      expect(back.body.chunk).toMatchObject([{ content: { body: '119' } }]);
    }
  });

  test('shows new events, and for a gap the state that changed in it', async () => {
    const room = await makeRoom(as('alice'));
    await join(as('bob'), room);
    const { next_batch: since } = await sync(as('alice'));
    const first = await say(as('bob'), room, 'first');
    expect((await sync(as('alice'), { since })).rooms.join[room].timeline).toMatchObject({
      limited: false,
      events: [{ event_id: first, sender: as('bob').userId, content: { body: 'first' } }],
    });
    await as('alice').put(`${inRoom(room)}/state/m.room.topic`, { topic: 'new' });
    for (const body of ['second', 'third']) await say(as('bob'), room, body);
    const filter = { room: { timeline: { limit: 1 } } };
    const gap = (await sync(as('alice'), { since, filter })).rooms.join[room];
    expect([bodies(gap), keysOf(gap.state)]).toEqual([['third'], ['m.room.topic ']]);
    expect(gap.timeline.limited).toBe(true);
    const after = (await sync(as('alice'), { since, filter, use_state_after: true })).rooms.join[room];
    expect(keysOf(after.state_after)).toEqual(['m.room.topic ']);
    expect(after).not.toHaveProperty('state');
  });

  test('shows filtered-out state beside the timeline', async () => {
    const room = await makeRoom(as('alice'), { topic: 'old' });
    const filter = { room: { timeline: { types: ['m.room.message'] } } };
    const { next_batch: since } = await sync(as('alice'), { filter });
    await say(as('alice'), room, 'before');
    await as('alice').put(`${inRoom(room)}/state/m.room.topic`, { topic: 'new' });
    await say(as('alice'), room, 'after');
    for (const query of [{ since, filter }, { filter }]) {
      const shown = (await sync(as('alice'), query)).rooms.join[room];
      expect(bodies(shown)).toEqual(['before', 'after']);
      // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary bodies
      const topics = shown.state.events.filter((event: any) => event.type === 'm.room.topic');
      expect(topics).toMatchObject([{ content: { topic: 'new' } }]);
    }
  });

  test('counts members even if a filter hides their membership events', async () => {
    const room = await makeRoom(as('alice'));
    const messages = { types: ['m.room.message'] };
    const filter = { room: { timeline: messages, state: { lazy_load_members: true } } };
    const { next_batch: since } = await sync(as('alice'), { filter });
    await join(as('bob'), room);
    const { rooms } = await sync(as('alice'), { filter, since });
    expect(rooms.join[room].summary).toMatchObject({
      'm.joined_member_count': 2,
      'm.heroes': [as('bob').userId],
    });
  });

  test("shows the user's membership of that time, despite later changes", async () => {
    const { db } = homeserver.services;
    const room = await makeRoom(as('alice'));
    await join(as('carol'), room);
    const after = await settledEventPosition(db);
    await say(as('alice'), room, 'between');
    const upTo = await settledEventPosition(db);
    await join(as('bob'), room);
    await as('carol').post(`${inRoom(room)}/leave`, {});
    const recent = {
      after,
      upTo,
      byRoom: new Map([[room, []]]),
      movesMembers: false,
      parents: new Set<string>(),
    };
    const rules = { fullState: false, includeLeave: false, room: undefined };
    const updates = (who: string) => updatedRooms(db, as(who).userId, { after, upTo }, rules, recent);
    expect(await updates('bob')).toEqual([]);
    expect(await updates('carol')).toMatchObject([
      { roomId: room, section: 'join', after, upTo, full: false },
    ]);
  });

  test('shows a forgotten room as left once to other clients', async () => {
    const room = await makeRoom(as('alice'));
    await join(as('bob'), room);
    const filter = { room: { rooms: [room] } };
    const { next_batch: since } = await sync(as('bob'), { filter });
    await as('bob').post(`${inRoom(room)}/leave`, {});
    await say(as('alice'), room, 'without bob');
    await as('bob').post(`${inRoom(room)}/forget`, {});
    const { rooms, next_batch } = await sync(as('bob'), { filter, since });
    expect(Object.keys(rooms)).toEqual(['leave']);
    expect(rooms.leave[room].timeline.events).toMatchObject([{ content: { membership: 'leave' } }]);
    expect((await sync(as('bob'), { filter, since: next_batch })).rooms).toBeUndefined();
  });

  test('shows room account data only with the room, in its part of the reply', async () => {
    const room = await makeRoom(as('alice'), { preset: 'private_chat', invite: [as('bob').userId] });
    const keep = (n: number) =>
      as('bob').put(
        `${client}/user/${as('bob').userId}/rooms/${encodeURIComponent(room)}/account_data/kept`,
        { n },
      );
    const filter = { room: { rooms: [room] } };
    await keep(1);
    expect(Object.keys((await sync(as('bob'), { filter })).rooms)).toEqual(['invite']);
    const { next_batch: invited } = await sync(as('bob'), { filter });
    await keep(2);
    expect((await sync(as('bob'), { filter, since: invited })).rooms).toBeUndefined();
    await join(as('bob'), room);
    const joined = await sync(as('bob'), { filter, since: invited });
    expect(joined.rooms.join[room].account_data.events).toMatchObject([{ content: { n: 2 } }]);
    await as('bob').post(`${inRoom(room)}/leave`, {});
    await keep(3);
    const left = await sync(as('bob'), { filter, since: joined.next_batch });
    expect(Object.keys(left.rooms)).toEqual(['leave']);
    expect(left.rooms.leave[room].account_data.events).toMatchObject([{ content: { n: 3 } }]);
    await keep(4);
    expect((await sync(as('bob'), { filter, since: left.next_batch })).rooms).toBeUndefined();
    expect((await sync(as('bob'), { filter })).rooms).toBeUndefined();
  });

  test('marks own messages with the transaction ID on the sending device only', async () => {
    const room = await makeRoom(as('alice'));
    await join(as('bob'), room);
    const [ofAlice, ofBob] = [await sync(as('alice')), await sync(as('bob'))];
    await say(as('alice'), room, 'mine');
    const [own] = (await sync(as('alice'), { since: ofAlice.next_batch })).rooms.join[room].timeline.events;
    expect(own.unsigned.transaction_id).toBe(`t${transactions - 1}`);
    const [other] = (await sync(as('bob'), { since: ofBob.next_batch })).rooms.join[room].timeline.events;
    expect(other.unsigned).not.toHaveProperty('transaction_id');
  });

  test('has invites, new rooms with all their state, and left rooms', async () => {
    const room = await makeRoom(as('alice'), { preset: 'private_chat', name: 'Invited' });
    let { next_batch: since } = await sync(as('bob'));
    const next = async (query: object = {}) => {
      const body = await sync(as('bob'), { since, filter: { room: { timeline: { limit: 1 } } }, ...query });
      since = body.next_batch;
      return body.rooms;
    };
    await as('alice').post(`${inRoom(room)}/invite`, { user_id: as('bob').userId });
    const { invite } = await next();
    expect(keysOf(invite[room].invite_state)).toEqual(
      expect.arrayContaining(['m.room.name ', `m.room.member ${as('bob').userId}`]),
    );
    expect(await next()).toBeUndefined();
    await join(as('bob'), room);
    const entered = (await next()).join[room];
    expect(keysOf(entered.state)).toEqual(expect.arrayContaining(['m.room.create ', 'm.room.name ']));
    const reason = { user_id: as('bob').userId, reason: 'enough' };
    await as('alice').post(`${inRoom(room)}/kick`, reason);
    await say(as('alice'), room, 'without bob');
    const { leave } = await next();
    expect(leave[room].timeline.events).toMatchObject([
      { content: { membership: 'leave', reason: 'enough' } },
    ]);
    // A first sync includes rooms that the user left only on request.
    await as('alice').post(`${inRoom(room)}/invite`, { user_id: as('bob').userId });
    await as('bob').post(`${inRoom(room)}/leave`, {});
    const rooms = { rooms: [room] };
    expect((await sync(as('bob'), { filter: { room: rooms } })).rooms).toBeUndefined();
    const all = await sync(as('bob'), { filter: { room: { ...rooms, include_leave: true } } });
    expect(Object.keys(all.rooms.leave)).toEqual([room]);
  });

  test('shows lazy-loaded members when they appear, and again only on request', async () => {
    const room = await makeRoom(as('alice'), { name: 'Lazy' });
    await join(as('bob'), room);
    await join(as('carol'), room);
    for (let count = 0; count < 3; count++) await say(as('bob'), room, `${count}`);
    const lazy = (include_redundant_members: boolean) => ({
      room: {
        rooms: [room],
        timeline: { limit: 1 },
        state: { lazy_load_members: true, include_redundant_members },
      },
    });
    const membersIn = (shown: { state: object }) =>
      keysOf(shown.state)
        .filter((key) => key.startsWith('m.room.member'))
        .map((key) => key.split(' ')[1]);
    const [alice, bob, carol] = ['alice', 'bob', 'carol'].map((name) => as(name).userId);
    const first = await sync(as('alice'), { filter: lazy(false) });
    expect(membersIn(first.rooms.join[room])).toEqual(expect.arrayContaining([alice, bob]));
    const counts = { 'm.joined_member_count': 3, 'm.invited_member_count': 0 };
    expect(first.rooms.join[room].summary).toEqual(counts);
    // The lost reply is requested again.
    await say(as('carol'), room, 'late');
    const query = { since: first.next_batch, filter: lazy(false) };
    for (let time = 0; time < 2; time++) {
      expect(membersIn((await sync(as('alice'), query)).rooms.join[room])).toEqual([carol]);
    }
    const { next_batch: since } = await sync(as('alice'), query);
    await say(as('carol'), room, 'later');
    expect(membersIn((await sync(as('alice'), { since, filter: lazy(false) })).rooms.join[room])).toEqual([]);
    expect(membersIn((await sync(as('alice'), { since, filter: lazy(true) })).rooms.join[room])).toEqual([
      carol,
    ]);
  });

  test('shows members the presence of a joining user, and vice versa', async () => {
    const [member, joiner] = [await homeserver.add('member'), await homeserver.add('joiner')];
    const room = await makeRoom(member);
    const since = new Map<Caller, string>();
    for (const each of [member, joiner]) {
      const status = { presence: 'online', status_msg: each.userId };
      await each.put(`${client}/presence/${encodeURIComponent(each.userId)}/status`, status);
    }
    for (const each of [member, joiner]) {
      since.set(each, (await sync(each, { set_presence: 'offline' })).next_batch);
    }
    await join(joiner, room);
    for (const [reader, other] of [
      [member, joiner],
      [joiner, member],
    ] as const) {
      const { presence } = await sync(reader, { since: since.get(reader), set_presence: 'offline' });
      const ofOther = presence.events.filter(({ sender }: { sender: string }) => sender === other.userId);
      expect(ofOther).toMatchObject([{ content: { presence: 'online', status_msg: other.userId } }]);
    }
  });

  test('applies stored filters and ignored users', async () => {
    const room = await makeRoom(as('alice'));
    await join(as('bob'), room);
    await join(as('carol'), room);
    const filters = `${client}/user/${encodeURIComponent(as('alice').userId)}/filter`;
    const wanted = { room: { timeline: { types: ['m.room.mess*'], not_senders: [as('carol').userId] } } };
    const { filter_id } = (await as('alice').post(filters, wanted)).body;
    expect((await as('alice').get(`${filters}/${filter_id}`)).body).toEqual(wanted);
    const { next_batch: since } = await sync(as('alice'));
    await as('bob').put(`${inRoom(room)}/send/m.reaction/r${transactions++}`, { 'm.relates_to': {} });
    await say(as('carol'), room, 'not this');
    await say(as('bob'), room, 'this');
    const shown = async (filter: unknown) =>
      bodies((await sync(as('alice'), { since, filter })).rooms.join[room]);
    expect(await shown(filter_id)).toEqual(['this']);
    const data = `${client}/user/${encodeURIComponent(as('alice').userId)}/account_data`;
    const list = (users: object) => as('alice').put(`${data}/m.ignored_user_list`, { ignored_users: users });
    await list({ [as('bob').userId]: {} });
    expect(await shown({ room: { timeline: { types: ['m.room.message'] } } })).toEqual(['not this']);
    await list({});
  });

  test('shows account data, typing users and receipts', async () => {
    const room = await makeRoom(as('alice'));
    await join(as('bob'), room);
    const { next_batch: since } = await sync(as('alice'));
    const event = await say(as('alice'), room, 'read me');
    await as('bob').post(`${inRoom(room)}/receipt/m.read/${encodeURIComponent(event)}`, {});
    await as('bob').put(`${inRoom(room)}/typing/${encodeURIComponent(as('bob').userId)}`, {
      typing: true,
      timeout: 30_000,
    });
    const data = `${client}/user/${encodeURIComponent(as('alice').userId)}`;
    await as('alice').put(`${data}/account_data/org.example`, { a: 1 });
    await as('alice').put(`${data}/rooms/${encodeURIComponent(room)}/account_data/org.example.room`, {
      b: 2,
    });
    const body = await sync(as('alice'), { since });
    expect(body.account_data.events).toContainEqual({ type: 'org.example', content: { a: 1 } });
    const { ephemeral, account_data } = body.rooms.join[room];
    expect(account_data.events).toContainEqual({ type: 'org.example.room', content: { b: 2 } });
    expect(ephemeral.events).toEqual(
      expect.arrayContaining([
        { type: 'm.typing', content: { user_ids: [as('bob').userId] } },
        {
          type: 'm.receipt',
          content: { [event]: { 'm.read': { [as('bob').userId]: { ts: expect.any(Number) } } } },
        },
      ]),
    );
  });
});

describe('a long poll', () => {
  test("returns on a message, an invite or account data, and not on others' events", async () => {
    const [room, other] = [await makeRoom(as('alice')), await makeRoom(as('bob'))];
    let { next_batch: since } = await sync(as('alice'), { set_presence: 'offline' });
    const woken = async (cause: () => Promise<unknown>) => {
      const waiting = sync(as('alice'), { since, timeout: 20_000, set_presence: 'offline', filter: quiet });
      await cause();
      const body = await waiting;
      since = body.next_batch;
      return body;
    };
    const quiet = { presence: { types: [] } };
    const message = await woken(async () => {
      await say(as('bob'), other, 'unheard');
      await say(as('alice'), room, 'heard');
    });
    expect(Object.keys(message.rooms.join)).toEqual([room]);
    const invitation = await woken(() =>
      as('bob').post(`${inRoom(other)}/invite`, { user_id: as('alice').userId }),
    );
    expect(Object.keys(invitation.rooms.invite)).toEqual([other]);
    const path = `${client}/user/${encodeURIComponent(as('alice').userId)}/account_data/org.example.wake`;
    const data = await woken(() => as('alice').put(path, { at: 1 }));
    expect(data.account_data.events).toMatchObject([{ type: 'org.example.wake' }]);
  });

  test('ends at its timeout and can be continued', async () => {
    const { next_batch: since } = await sync(as('carol'), { set_presence: 'offline' });
    const filter = { presence: { types: [] } };
    const body = await sync(as('carol'), { since, filter, timeout: 1, set_presence: 'offline' });
    expect(body).not.toHaveProperty('rooms');
    expect(body.next_batch).toMatch(/^s\d+_\d+$/);
  });

  test('shows a message to its sender only after the reply to it', async () => {
    const room = await makeRoom(as('bob'));
    let { next_batch: since } = await sync(as('bob'));
    for (let count = 0; count < 10; count++) {
      const order: string[] = [];
      const waiting = sync(as('bob'), { since, timeout: 20_000 }).then((body) => {
        if (body.rooms?.join?.[room]) order.push('echo');
        return body;
      });
      await say(as('bob'), room, `${count}`).then(() => order.push('reply'));
      ({ next_batch: since } = await waiting);
      expect(order[0]).toBe('reply');
    }
  });

  test('holds a message back from its sender as long as its reply waits', async () => {
    const sender = as('bob');
    const room = await makeRoom(sender);
    const { next_batch: since } = await sync(sender);
    const { next_batch: newest } = await sync(as('carol'), { set_presence: 'offline' });
    const order: string[] = [];
    const waiting = sync(sender, { since, timeout: 20_000 }).then(() => order.push('echo'));
    const { socket, write, received } = await connectTo(homeserver.url);
    socket.on('data', () => received().includes('event_id') && order.push('reply'));
    const head = ({ accessToken }: Caller) =>
      `HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${accessToken}\r\n`;
    const quiet = encodeURIComponent(JSON.stringify({ presence: { types: [] } }));
    const query = `timeout=1000&set_presence=offline&since=${newest}&filter=${quiet}`;
    const body = JSON.stringify({ msgtype: 'm.text', body: 'behind' });
    // The first request on a connection gets its reply first, and it takes a while.
    await write(
      `GET ${client}/sync?${query} ${head(as('carol'))}\r\n` +
        `PUT ${inRoom(room)}/send/m.room.message/behind ${head(sender)}Content-Length: ${body.length}\r\n\r\n${body}`,
    );
    await waiting;
    expect(order).toEqual(['reply', 'echo']);
    socket.destroy();
  });
});

describe('invalid requests', () => {
  test.each([
    ['an unknown filter', { filter: 'nothing' }, 400, 'M_INVALID_PARAM'],
    ["a filter that isn't JSON", { filter: '{x' }, 400, 'M_NOT_JSON'],
    ['a filter of another shape', { filter: { room: 3 } }, 400, 'M_BAD_JSON'],
    ['a huge filter', { filter: { x: 'x'.repeat(14_000) }, since: 'x' }, 400, 'M_UNKNOWN'],
    ['a token of another kind', { since: 's1' }, 400, 'M_UNKNOWN'],
    ['a token with too many digits', { since: `s${'9'.repeat(20)}_1` }, 400, 'M_UNKNOWN'],
    ['a time before zero', { timeout: '-1' }, 400, 'M_INVALID_PARAM'],
    ['an unknown presence', { set_presence: 'x' }, 400, 'M_INVALID_PARAM'],
  ])('%s is refused', async (_, query: Record<string, unknown>, status, errcode) => {
    const parameters = Object.entries(query).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const reply = await as('alice').get(`${client}/sync?${new URLSearchParams(parameters)}`);
    expect(reply).toMatchObject({ status, body: { errcode } });
  });

  test.each([0.5, 2 ** 53])('to store a filter with %d, which has no canonical form', async (number) => {
    const path = `${client}/user/${encodeURIComponent(as('alice').userId)}/filter`;
    for (const filter of [{ x: number }, { room: { timeline: { x: [number] } } }]) {
      expect(await as('alice').post(path, filter)).toMatchObject({
        status: 400,
        body: { errcode: 'M_BAD_JSON' },
      });
    }
  });

  test('to store a filter of megabytes or one for another user', async () => {
    const path = (name: string) => `${client}/user/${encodeURIComponent(as(name).userId)}/filter`;
    const senders = Array.from({ length: 10_000 }, (_, index) => `@user${index}:localhost`);
    const huge = { room: { timeline: { senders } } };
    expect(await as('alice').post(path('alice'), huge)).toMatchObject({ status: 413 });
    expect(await as('alice').post(path('bob'), {})).toMatchObject({ status: 403 });
    expect(await as('alice').get(`${path('alice')}/nothing`)).toMatchObject({ status: 404 });
  });

  test('to wait hundreds of times at once: the next gets a 429', async () => {
    const { next_batch: since } = await sync(as('carol'));
    const ended = new AbortController();
    const path = `${homeserver.url}/_matrix/client/v3/sync?since=${since}&timeout=30000&filter={"presence":{"types":[]}}`;
    const headers = { authorization: `Bearer ${as('carol').accessToken}` };
    const replies: number[] = [];
    const { promise: refused, resolve } = Promise.withResolvers<number>();
    const all = Array.from({ length: 101 }, () =>
      fetch(path, { headers, signal: ended.signal }).then(
        ({ status }) => {
          replies.push(status);
          if (status === 429) resolve(status);
        },
        () => {},
      ),
    );
    expect(await refused).toBe(429);
    ended.abort();
    await Promise.all(all);
    expect(replies).toEqual([429]);
  });
});

// On PostgreSQL, nothing else waits for the database between the body and the reply.
test.runIf(inject('postgres'))("doesn't delay for clients that disconnected before it started", async () => {
  const carol = as('carol');
  const room = await makeRoom(carol);
  const said = await say(carol, room, 'taken back');
  const suspension = `/_chat/client/v1/admin/suspend/${carol.userId}`;
  expect(await as('admin').put(suspension, { suspended: true })).toMatchObject({ status: 200 });
  const { db } = homeserver.services;
  const { write, socket } = await connectTo(homeserver.url);
  await db.transaction().execute(async (tx) => {
    await sql`lock table events in access exclusive mode`.execute(tx);
    await write(
      `PUT ${inRoom(room)}/redact/${encodeURIComponent(said)}/gone HTTP/1.1\r\nhost: localhost\r\n` +
        `authorization: Bearer ${carol.accessToken}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`,
    );
    const waiting = sql<{ count: number }>`select cast(count(*) as integer) as count from pg_locks
      where relation = 'events'::regclass and database = (select oid from pg_database where datname = current_database())
      and not granted`;
    await expect.poll(async () => (await waiting.execute(tx)).rows[0]?.count, { interval: 10 }).toBe(1);
    socket.resetAndDestroy();
    // The server handles earlier events first.
    await as('guest').get('/health');
  });
  const types = async () => {
    const { rooms } = await sync(carol);
    return rooms.join[room].timeline.events.map(({ type }: { type: string }) => type);
  };
  await expect.poll(types).toContain('m.room.redaction');
  await as('admin').put(suspension, { suspended: false });
});
