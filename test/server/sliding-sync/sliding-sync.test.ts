/** Simplified sliding sync: some rooms, each with the parts not sent yet. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSlidingSync } from '../../../server/conversation/sliding-sync/sliding-sync.ts';
import { settledPositions } from '../../../server/platform/database/changes.ts';
import { type Caller, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { longestTurn, mostTurn } from '../longest-turn.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const client = '/_chat/client/v3';
const path = '/_chat/client/unstable/org.matrix.simplified_msc3575/sync';
const as = (name: string) => homeserver.as(name);
const inRoom = (room: string) => `${client}/rooms/${encodeURIComponent(room)}`;
const makeRoom = async (caller: Caller, request: object = {}): Promise<string> =>
  (await caller.post(`${client}/createRoom`, { preset: 'public_chat', ...request })).body.room_id;
let transactions = 0;
const say = (caller: Caller, room: string, body: string) =>
  caller.put(`${inRoom(room)}/send/m.room.message/t${transactions++}`, { msgtype: 'm.text', body });

const ask = (caller: Caller, body: object, query: Record<string, string> = {}) =>
  caller.post(`${path}?${new URLSearchParams({ set_presence: 'offline', ...query })}`, body);
const slide = async (caller: Caller, body: object, query: Record<string, string> = {}) => {
  const reply = await ask(caller, body, query);
  expect(reply).toMatchObject({ status: 200 });
  return reply.body;
};
const list = (more: object = {}) => ({ ranges: [[0, 0]], timeline_limit: 1, required_state: [], ...more });
// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary bodies
const bodies = (room: any) => room.timeline.map((event: any) => event.content.body);
const manyLists = (count: number, of: (index: number) => object) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`list${index}`, of(index)]));
type Shown = { required_state: { type: string; state_key: string }[] };
const stateOf = (room: Shown) => room.required_state.map(({ type, state_key }) => `${type} ${state_key}`);

test('a window shows the most recently active rooms, and later only changes', async () => {
  const dan = await homeserver.add('dan');
  const [quiet, lively] = [await makeRoom(dan, { name: 'Quiet' }), await makeRoom(dan)];
  await say(dan, lively, 'one');
  const required_state = [
    ['m.room.create', ''],
    ['m.room.member', '$LAZY'],
  ];
  const lists = { all: list({ required_state }) };
  const first = await slide(dan, { lists });
  expect(first.lists.all).toEqual({ count: 2, ops: [{ op: 'SYNC', range: [0, 0], room_ids: [lively] }] });
  expect(Object.keys(first.rooms)).toEqual([lively]);
  expect(first.rooms[lively]).toMatchObject({ initial: true, limited: true, joined_count: 1, num_live: 0 });
  expect(bodies(first.rooms[lively])).toEqual(['one']);
  expect(stateOf(first.rooms[lively])).toEqual(['m.room.create ', `m.room.member ${dan.userId}`]);

  await say(dan, lively, 'two');
  const second = await slide(dan, { lists }, { pos: first.pos });
  expect(second.rooms[lively]).not.toHaveProperty('initial');
  expect(second.rooms[lively]).toMatchObject({ num_live: 1, limited: false, required_state: [] });
  expect(bodies(second.rooms[lively])).toEqual(['two']);
  // A lost reply can be requested again.
  expect(bodies((await slide(dan, { lists }, { pos: first.pos })).rooms[lively])).toEqual(['two']);

  // A room outside all windows is sent when it enters one, with the missed parts.
  await say(dan, quiet, 'loud');
  const third = await slide(dan, { lists }, { pos: second.pos });
  expect([Object.keys(third.rooms), third.rooms[quiet].name]).toEqual([[quiet], 'Quiet']);
  for (const body of ['three', 'four']) await say(dan, lively, body);
  await say(dan, quiet, 'louder');
  const fourth = await slide(dan, { lists }, { pos: third.pos });
  expect(Object.keys(fourth.rooms)).toEqual([quiet]);
  const room_subscriptions = { [lively]: { timeline_limit: 10, required_state: [['*', '*']] } };
  const fifth = await slide(dan, { lists, room_subscriptions }, { pos: fourth.pos });
  expect(bodies(fifth.rooms[lively]).slice(-4)).toEqual(['one', 'two', 'three', 'four']);
  expect(stateOf(fifth.rooms[lively])).toContain('m.room.power_levels ');
  expect((await slide(dan, { lists, room_subscriptions }, { pos: fifth.pos })).rooms).toEqual({});
});

test('a position is valid after a restart, and an unknown one is refused', async () => {
  const room = await makeRoom(as('bob'));
  const lists = { all: list() };
  const { pos } = await slide(as('bob'), { lists });
  await homeserver.restart();
  await say(as('bob'), room, 'after it');
  const { rooms } = await slide(as('bob'), { lists }, { pos });
  expect(rooms[room]).not.toHaveProperty('initial');
  expect(bodies(rooms[room])).toEqual(['after it']);
  const unknown = { status: 400, body: { errcode: 'M_UNKNOWN_POS' } };
  for (const other of ['x', '999999/s1_1', `${pos}0000000000000000`, pos.replace('/', '/x')]) {
    expect(await ask(as('bob'), { lists }, { pos: other })).toMatchObject(unknown);
  }
  expect(await ask(as('carol'), { lists }, { pos })).toMatchObject(unknown);
  expect(await ask(as('bob'), { lists, conn_id: 'another' }, { pos })).toMatchObject(unknown);
});

test('lists are filtered', async () => {
  const erik = await homeserver.add('erik');
  const [space, inside, removed, encrypted] = [
    await makeRoom(erik, { creation_content: { type: 'm.space' } }),
    await makeRoom(erik, { name: 'Inside' }),
    await makeRoom(erik),
    await makeRoom(erik, {
      initial_state: [
        { type: 'm.room.encryption', state_key: '', content: { algorithm: 'm.megolm.v1.aes-sha2' } },
      ],
    }),
  ];
  const setChild = (room: string, content: object) =>
    erik.put(`${inRoom(space)}/state/m.space.child/${encodeURIComponent(room)}`, content);
  for (const room of [inside, removed]) await setChild(room, { via: ['localhost'] });
  await setChild(removed, {});
  const invited = await makeRoom(as('bob'), { invite: [erik.userId] });
  const user = `${client}/user/${encodeURIComponent(erik.userId)}`;
  await erik.put(`${user}/rooms/${encodeURIComponent(inside)}/tags/m.favourite`, {});
  await erik.put(`${user}/account_data/m.direct`, { [as('bob').userId]: [encrypted] });
  const filters = {
    spaces: { room_types: ['m.space'] },
    ordinary: { not_room_types: ['m.space'], is_invite: false },
    untyped: { room_types: [null], is_invite: false },
    encrypted: { is_encrypted: true },
    unencrypted: { is_encrypted: false, is_invite: false },
    invited: { is_invite: true },
    inside: { spaces: [space] },
    inEither: { spaces: ['!none:localhost', space] },
    nowhere: { spaces: [] },
    favourite: { tags: ['m.favourite'] },
    either: { tags: ['u.other', 'm.favourite'] },
    others: { not_tags: ['m.favourite'], is_invite: false },
    direct: { is_dm: true },
    indirect: { is_dm: false, is_invite: false },
    named: { room_name_like: 'NSI' },
  };
  const lists = Object.fromEntries(
    Object.entries(filters).map(([name, filter]) => [name, list({ ranges: [[0, 9]], filters: filter })]),
  );
  const body = await slide(erik, { lists });
  const found = Object.fromEntries(
    Object.keys(filters).map((name) => [name, [...body.lists[name].ops[0].room_ids].sort()]),
  );
  expect(found).toEqual({
    spaces: [space],
    ordinary: [inside, removed, encrypted].sort(),
    untyped: [inside, removed, encrypted].sort(),
    encrypted: [encrypted],
    unencrypted: [space, inside, removed].sort(),
    invited: [invited],
    inside: [inside],
    inEither: [inside],
    nowhere: [],
    favourite: [inside],
    either: [inside],
    others: [space, removed, encrypted].sort(),
    direct: [encrypted],
    indirect: [space, inside, removed].sort(),
    named: [inside],
  });
  expect(body.rooms[invited].invite_state.map(({ type }: { type: string }) => type)).toContain(
    'm.room.create',
  );
});

test('an invite by an ignored user is in no list until unignored', async () => {
  const lists = { invitations: list({ filters: { is_invite: true } }) };
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary bodies
  const listed = (answer: any): string[] => answer.lists.invitations.ops[0].room_ids;
  const carol = as('carol');
  const ignore = (users: object) =>
    carol.put(`${client}/user/${carol.userId}/account_data/m.ignored_user_list`, { ignored_users: users });
  await ignore({ [as('bob').userId]: {} });
  const room = await makeRoom(as('bob'), { invite: [carol.userId] });
  const first = await slide(carol, { lists });
  expect(listed(first)).not.toContain(room);
  await ignore({});
  const second = await slide(carol, { lists }, { pos: first.pos });
  expect(listed(second)).toEqual([room]);
  expect(second.rooms[room]).toMatchObject({ initial: true, membership: 'invite' });
});

test('extensions have data beside rooms and wake waiting requests', async () => {
  const extensions = {
    to_device: { enabled: true },
    e2ee: { enabled: true },
    account_data: { enabled: true },
    receipts: { enabled: true },
    typing: { enabled: true },
  };
  const room = await makeRoom(as('alice'));
  await as('bob').post(`${inRoom(room)}/join`, {});
  const lists = { all: list() };
  const first = await slide(as('alice'), { lists, extensions });
  expect(first.extensions).toMatchObject({
    to_device: { events: [], next_batch: expect.any(String) },
    e2ee: { device_one_time_keys_count: { signed_curve25519: 0 } },
    account_data: { rooms: {} },
    typing: { rooms: {} },
  });
  const waiting = slide(as('alice'), { lists, extensions }, { pos: first.pos, timeout: '20000' });
  await as('bob').put(`${inRoom(room)}/typing/${encodeURIComponent(as('bob').userId)}`, {
    typing: true,
    timeout: 30_000,
  });
  const { extensions: news } = await waiting;
  expect(news.typing.rooms).toEqual({
    [room]: { type: 'm.typing', content: { user_ids: [as('bob').userId] } },
  });
});

test('an extension covers the requested rooms', async () => {
  const carol = as('carol');
  const [listed, subscribed] = [await makeRoom(carol, { name: 'Listed' }), await makeRoom(carol)];
  for (const room of [listed, subscribed]) {
    await carol.put(
      `${client}/user/${encodeURIComponent(carol.userId)}/rooms/${room}/account_data/org.example`,
      {
        room,
      },
    );
  }
  const question = (scope: object) => ({
    lists: { named: list({ ranges: [[0, 9]], filters: { room_name_like: 'Listed' } }) },
    room_subscriptions: { [subscribed]: { timeline_limit: 1, required_state: [] } },
    extensions: { account_data: { enabled: true, ...scope } },
  });
  const spokenOf = async (scope: object) =>
    Object.keys((await slide(carol, question(scope))).extensions.account_data.rooms).sort();
  expect(await spokenOf({})).toEqual([listed, subscribed].sort());
  expect(await spokenOf({ lists: ['*'], rooms: [] })).toEqual([listed]);
  expect(await spokenOf({ lists: ['named'], rooms: ['!none:localhost'] })).toEqual([listed]);
  expect(await spokenOf({ lists: [] })).toEqual([subscribed]);
  expect(await spokenOf({ lists: ['none'], rooms: [subscribed] })).toEqual([subscribed]);
  expect(await spokenOf({ lists: [], rooms: [] })).toEqual([]);
});

test('the maximum number of lists with different state blocks no one', async () => {
  const made: string[] = [];
  for (let index = 0; index < 9; index++) made.push(await makeRoom(as('carol')));
  const states = (index: number) => Array.from({ length: 100 }, (_, other) => [`t${index}_${other}`, '*']);
  const lists = manyLists(100, (index) => list({ ranges: [[0, 99]], required_state: states(index) }));
  lists.names = list({ ranges: [[0, 99]], required_state: [['m.room.create', '']] });
  delete lists.list0;
  const turns: number[] = [];
  // Repeats the measurement because some turns include garbage collection.
  while (turns.length < 4 && turns.every((turn) => turn >= 100)) {
    turns.push(
      await longestTurn(async () => {
        const { rooms } = await slide(as('carol'), { lists });
        for (const room of made) expect(stateOf(rooms[room])).toEqual(['m.room.create ']);
      }),
    );
  }
  expect(Math.min(...turns), JSON.stringify(turns)).toBeLessThan(mostTurn);
});

test.each([
  ['a list without a limit', { lists: { all: { ranges: [[0, 1]], required_state: [] } } }, 'M_MISSING_PARAM'],
  ['a range before the first', { lists: { all: list({ ranges: [[-1, 1]] }) } }, 'M_BAD_JSON'],
  ['an invalid list', { lists: { all: 3 } }, 'M_BAD_JSON'],
  ['more lists than a client has', { lists: manyLists(101, () => list()) }, 'M_BAD_JSON'],
])('%s is refused', async (_, body, errcode) => {
  expect(await ask(as('alice'), body)).toMatchObject({ status: 400, body: { errcode } });
});

test('other clients of a user who left and forgot a room see the leave once', async () => {
  const room = await makeRoom(as('alice'), { name: 'Forgotten' });
  await as('bob').post(`${inRoom(room)}/join`, {});
  await say(as('alice'), room, 'hello');
  const lists = { all: list() };
  const { rooms, pos } = await slide(as('bob'), { lists });
  expect(rooms[room]).toMatchObject({ membership: 'join' });
  await as('bob').post(`${inRoom(room)}/leave`, {});
  await say(as('alice'), room, 'without bob');
  await as('bob').post(`${inRoom(room)}/forget`, {});
  const next = await slide(as('bob'), { lists }, { pos });
  expect(next.rooms[room]).toMatchObject({
    membership: 'leave',
    timeline: [{ content: { membership: 'leave' } }],
  });
  const last = await slide(as('bob'), { lists }, { pos: next.pos });
  expect([last.rooms[room], last.lists.all.ops[0].room_ids.includes(room)]).toEqual([undefined, false]);
  const another = await slide(as('bob'), { lists: { all: list({ ranges: [[0, 99]] }) } });
  expect(another.rooms).not.toHaveProperty(room);
});

test("a room shows the user's membership of that time, despite later changes", async () => {
  const { services } = homeserver;
  const room = await makeRoom(as('alice'));
  await as('carol').post(`${inRoom(room)}/join`, {});
  await say(as('alice'), room, 'before');
  const all = { ranges: [[0, 9] as [number, number]], timeline_limit: 10, required_state: [] };
  const since = await settledPositions(services.db);
  await say(as('alice'), room, 'between');
  const upTo = await settledPositions(services.db);
  await as('bob').post(`${inRoom(room)}/join`, {});
  await as('carol').post(`${inRoom(room)}/leave`, {});
  const shownTo = async (who: string) => {
    const { userId } = as(who);
    const requester = { userId, deviceId: 'DEVICE', actsFor: undefined };
    const known = { rooms: { [room]: { state: 0, timelineLimit: 10 } }, requiredStates: [[]] };
    const question = { requester, body: { lists: { all } }, since, sent: known };
    return (await readSlidingSync(services, question, upTo)).rooms[room];
  };
  expect(await shownTo('bob')).toBeUndefined();
  expect(await shownTo('carol')).toMatchObject({
    membership: 'join',
    timeline: [{ content: { body: 'between' } }],
  });
});

test('a user who was kicked, then banned, sees both and nothing between', async () => {
  const room = await makeRoom(as('alice'));
  await as('bob').post(`${inRoom(room)}/join`, {});
  const lists = { all: list({ timeline_limit: 3, required_state: [['m.room.member', '$ME']] }) };
  const { pos } = await slide(as('bob'), { lists });
  const { userId: user_id } = as('bob');
  await as('alice').post(`${inRoom(room)}/kick`, { user_id });
  await say(as('alice'), room, 'without bob');
  await as('alice').post(`${inRoom(room)}/ban`, { user_id });
  const { rooms } = await slide(as('bob'), { lists }, { pos });
  expect(rooms[room]).toMatchObject({
    membership: 'ban',
    limited: false,
    timeline: [{ content: { membership: 'leave' } }, { content: { membership: 'ban' } }],
    required_state: [{ state_key: user_id, content: { membership: 'ban' } }],
  });
});

test("with lazy-loaded members, the targets of others' membership changes are included", async () => {
  const room = await makeRoom(as('alice'));
  const [bob, carol] = [as('bob').userId, as('carol').userId];
  await as('bob').post(`${inRoom(room)}/join`, {});
  await as('carol').post(`${inRoom(room)}/join`, {});
  const lists = { all: list({ required_state: [['m.room.member', '$LAZY']] }) };
  const { pos } = await slide(as('alice'), { lists });
  const members = ({ required_state }: Shown) => required_state.map(({ state_key }) => state_key).sort();
  await as('alice').post(`${inRoom(room)}/kick`, { user_id: bob });
  const kicked = await slide(as('alice'), { lists }, { pos });
  expect([members(kicked.rooms[room]), kicked.rooms[room].limited]).toEqual([[bob], false]);
  await as('alice').post(`${inRoom(room)}/kick`, { user_id: carol });
  const first = await slide(as('alice'), { lists, conn_id: 'another' });
  expect(members(first.rooms[room])).toEqual([as('alice').userId, carol].sort());
});

test('a device has ten connections: an eleventh ends the oldest', async () => {
  const fay = await homeserver.add('fay');
  const open = async (conn_id: string) => ({ conn_id, pos: (await slide(fay, { conn_id, lists: {} })).pos });
  const opened = [];
  for (let count = 0; count < 11; count++) opened.push(await open(`c${count}`));
  const again = ({ conn_id, pos }: { conn_id: string; pos: string }) =>
    ask(fay, { conn_id, lists: {} }, { pos });
  const [oldest, second] = opened as [(typeof opened)[number], (typeof opened)[number]];
  expect(await again(oldest)).toMatchObject({ status: 400, body: { errcode: 'M_UNKNOWN_POS' } });
  expect(await again(second)).toMatchObject({ status: 200 });
});
