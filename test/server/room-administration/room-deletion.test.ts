import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertReports } from '../../../server/administration/reports/event-report-store.ts';
import { createRoomDeletion } from '../../../server/administration/room-administration/room-deletion-task.ts';
import { appendLeave } from '../../../server/conversation/rooms/membership/change-membership.ts';
import { blockRoom, deleteRoom, lockRoom } from '../../../server/conversation/rooms/room-store.ts';
import { inTransaction, type Tx } from '../../../server/platform/database/transaction.ts';
import { insertTask } from '../../../server/platform/tasks/scheduled-task-store.ts';
import type { Task } from '../../../server/platform/tasks/task.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, gist, makeRoom, messages, path, say } from '../rooms/client.ts';
import { Killed, killedAfter, runOn } from '../tasks/killed.ts';

const rooms = (...segments: string[]) =>
  `/_service/admin/v2/rooms/${segments.map(encodeURIComponent).join('/')}`;

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const subscription = (roomId: string, eventId: string) =>
  `/_chat/client/unstable/io.element.msc4306/rooms/${encodeURIComponent(roomId)}/thread/${encodeURIComponent(eventId)}/subscription`;

let made = 0;

/** Creates a room with Alice and Bob, an invite for Carol, an alias, a report and a thread subscription. */
async function makeFullRoom(): Promise<{ roomId: string; alias: string }> {
  const [alice, bob] = [homeserver.as('alice'), homeserver.as('bob')];
  const name = `room${made++}`;
  const roomId = await makeRoom(alice, { name, room_alias_name: name, invite: ['@carol:localhost'] });
  await change(bob, roomId, 'join');
  const eventId = await say(alice, roomId, 'rude');
  await bob.post(path('rooms', roomId, 'report', eventId), { reason: name });
  expect((await bob.put(subscription(roomId, eventId), {})).status).toBe(200);
  return { roomId, alias: `#${name}:localhost` };
}

async function finished(deleteId: string) {
  for (;;) {
    const { body } = await homeserver.as('admin').get(rooms('delete_status', deleteId));
    if (body.status === 'complete' || body.status === 'failed') return body;
  }
}

async function shutDown(roomId: string, request: object) {
  const reply = await homeserver.as('admin').delete(rooms(roomId), request);
  expect(reply).toMatchObject({ status: 200 });
  return finished(reply.body.delete_id);
}

const everyone = ['@alice:localhost', '@bob:localhost', '@carol:localhost'];

/** Tables whose rows may refer to a missing room: room blocks, and users' own data. */
const aboutNoRoom = ['blocked_rooms', 'account_data'];

/** Returns each table's number of rows that refer to the room. */
async function traces(roomId: string): Promise<Record<string, number>> {
  const { db } = homeserver.services;
  const counts: Record<string, number> = {};
  for (const { name, columns } of await db.introspection.getTables()) {
    if (aboutNoRoom.includes(name) || !columns.some((column) => column.name === 'room_id')) continue;
    const table = name as 'rooms';
    const rows = await db.selectFrom(table).select('room_id').where('room_id', '=', roomId).execute();
    if (rows.length > 0) counts[table] = rows.length;
  }
  return counts;
}

test.each<[string, string, string, unknown, number, string]>([
  ['nobody', 'guest', '!a:localhost', {}, 401, 'M_MISSING_TOKEN'],
  ['not an administrator', 'alice', '!a:localhost', {}, 403, 'M_FORBIDDEN'],
  ['no body', 'admin', '!a:localhost', undefined, 400, 'M_NOT_JSON'],
  ['a list', 'admin', '!a:localhost', [], 400, 'M_BAD_JSON'],
  ['an invalid room ID', 'admin', 'a', {}, 400, 'M_UNKNOWN'],
  ['blocking with text', 'admin', '!a:localhost', { block: 'x' }, 400, 'M_BAD_JSON'],
  ['purging with a number', 'admin', '!a:localhost', { purge: 1 }, 400, 'M_BAD_JSON'],
  ["a message that isn't a string", 'admin', '!a:localhost', { message: 5 }, 400, 'M_BAD_JSON'],
  ['an invalid user ID', 'admin', '!a:localhost', { new_room_user_id: 'x' }, 400, 'M_UNKNOWN'],
  ['a host elsewhere', 'admin', '!a:localhost', { new_room_user_id: '@a:b' }, 400, 'M_UNKNOWN'],
])('refuses %s', async (_, caller, roomId, body, status, errcode) => {
  expect(await homeserver.as(caller).delete(rooms(roomId), body)).toMatchObject({
    status,
    body: { errcode },
  });
});

test.each([
  [['delete_status', 'no'], 404, 'M_NOT_FOUND'],
  [['!no:localhost', 'delete_status'], 404, 'M_NOT_FOUND'],
  [['no', 'delete_status'], 400, 'M_UNKNOWN'],
])('%j has no status', async (segments, status, errcode) => {
  expect(await homeserver.as('admin').get(rooms(...segments))).toMatchObject({ status, body: { errcode } });
});

test('removes all members and all data', async () => {
  const { roomId, alias } = await makeFullRoom();
  // More than a purge deletes at once.
  const report = {
    receivedTs: 1,
    roomId,
    eventId: '$x',
    reason: null,
    score: null,
    sender: '@alice:localhost',
  };
  const reporters = Array.from({ length: 120 }, (_, index) => `@reporter${index}:localhost`);
  await inTransaction(homeserver.services.db, (tx) =>
    insertReports(
      tx,
      reporters.map((userId) => ({ ...report, userId })),
    ),
  );
  const status = await shutDown(roomId, {});
  expect(status).toMatchObject({
    room_id: roomId,
    status: 'complete',
    shutdown_room: {
      kicked_users: everyone,
      failed_to_kick_users: [],
      local_aliases: [],
      new_room_id: null,
    },
  });
  expect(await traces(roomId)).toEqual({});
  const { body } = await homeserver.as('admin').get(rooms(roomId, 'delete_status'));
  expect(body).toEqual({ results: [status] });

  const bob = homeserver.as('bob');
  expect((await bob.post(path('rooms', roomId, 'join'))).status).toBe(404);
  expect((await bob.post(path('join', alias))).status).toBe(404);
  expect((await messages(bob, roomId)).status).toBe(403);
  const reports = await homeserver
    .as('admin')
    .get(`/_service/admin/v1/event_reports?room_id=${encodeURIComponent(roomId)}`);
  expect(reports.body).toEqual({ event_reports: [], total: 0 });
});

test('ends while clients of its members keep writing data about it', async () => {
  const { roomId } = await makeFullRoom();
  let isOver = false;
  const keepOn = async (name: string, type: number) => {
    const { userId, put } = homeserver.as(name);
    const place = path('user', userId, 'rooms', roomId, 'account_data', `type-${type}`);
    for (let count = 0; !isOver; count++) expect((await put(place, { count })).status).toBe(200);
  };
  const clients = ['alice', 'bob', 'carol'].flatMap((name) => [0, 1, 2, 3].map((type) => keepOn(name, type)));
  expect(await shutDown(roomId, {})).toMatchObject({ status: 'complete' });
  isOver = true;
  await Promise.all(clients);
  expect(await traces(roomId)).toEqual({});
});

test('refuses requests that were admitted before it', async () => {
  const { roomId } = await makeFullRoom();
  const alice = homeserver.as('alice');
  const eventId = await say(alice, roomId, 'read');
  const sent = () => [
    alice.post(path('rooms', roomId, 'receipt', 'm.read', eventId), {}),
    alice.post(path('rooms', roomId, 'read_markers'), { 'm.read.private': eventId }),
    alice.put(subscription(roomId, eventId), {}),
  ];
  const replies = await inTransaction(homeserver.services.db, async (tx) => {
    await deleteRoom(tx, roomId);
    const waiting = Promise.all(Array.from({ length: 4 }, sent).flat());
    // The requests find the room, because the deletion isn't committed yet.
    for (let count = 0; count < 30; count++) await alice.get(path('account', 'whoami'));
    return { waiting };
  });
  for (const { status } of await replies.waiting) expect([403, 404]).toContain(status);
});

test.each<[string, number, (tx: Tx, roomId: string) => Promise<unknown>]>([
  ['blocked', 403, (tx, roomId) => blockRoom(tx, roomId, '@admin:localhost', 0)],
  ['left by all', 404, (tx, roomId) => appendLeave(tx, homeserver.services, roomId, '@alice:localhost')],
])('no one joins a room that is %s after they were admitted', async (_, refusal, close) => {
  const roomId = await makeRoom(homeserver.as('alice'));
  const [bob, carol] = [homeserver.as('bob'), homeserver.as('carol')];
  const replies = await inTransaction(homeserver.services.db, async (tx) => {
    await lockRoom(tx, roomId);
    const waiting = Promise.all([bob, carol].map((who) => who.post(path('rooms', roomId, 'join'), {})));
    for (let count = 0; count < 30; count++) await bob.get(path('account', 'whoami'));
    await close(tx, roomId);
    return { waiting };
  });
  for (const { status } of await replies.waiting) expect(status).toBe(refusal);
});

test('without purge only closes the room', async () => {
  const { roomId } = await makeFullRoom();
  expect(await shutDown(roomId, { purge: false })).toMatchObject({ status: 'complete' });
  expect(await traces(roomId)).toMatchObject({ rooms: 1, event_reports: 1, room_aliases: 1 });
  expect((await homeserver.as('bob').post(path('rooms', roomId, 'join'))).status).toBe(404);
  expect((await messages(homeserver.as('bob'), roomId)).status).toBe(403);
});

test('blocks rooms, also unknown ones', async () => {
  const { roomId } = await makeFullRoom();
  for (const blocked of [roomId, '!unknown:localhost']) {
    expect(await shutDown(blocked, { block: true })).toMatchObject({ status: 'complete' });
    expect(await homeserver.as('bob').post(path('rooms', blocked, 'join'))).toMatchObject({
      status: 403,
      body: { errcode: 'M_UNKNOWN' },
    });
  }
});

test('moves members to a new room, where they can read the notice but not write', async () => {
  const { roomId, alias } = await makeFullRoom();
  const { shutdown_room: result } = await shutDown(roomId, {
    new_room_user_id: '@admin:localhost',
    room_name: 'Closed',
    message: 'It was closed.',
  });
  expect(result).toMatchObject({ kicked_users: everyone, local_aliases: [alias] });
  const bob = homeserver.as('bob');
  expect((await bob.get(path('joined_rooms'))).body.joined_rooms).toContain(result.new_room_id);
  expect(gist(await messages(bob, result.new_room_id)).at(-1)).toBe('It was closed.');
  expect((await bob.get(path('rooms', result.new_room_id, 'state', 'm.room.name'))).body).toEqual({
    name: 'Closed',
  });
  const reply = await bob.put(path('rooms', result.new_room_id, 'send', 'm.room.message', 't'), {
    msgtype: 'm.text',
    body: 'x',
  });
  expect(reply.status).toBe(403);
  // Invited users are only removed.
  const { joined } = (await bob.get(path('rooms', result.new_room_id, 'joined_members'))).body;
  expect(Object.keys(joined).sort()).toEqual(['@admin:localhost', '@alice:localhost', '@bob:localhost']);
  expect((await homeserver.as('carol').post(path('join', alias))).body).toEqual({
    room_id: result.new_room_id,
  });
});

test('two concurrent deletions do no harm', async () => {
  const { roomId } = await makeFullRoom();
  const admin = homeserver.as('admin');
  const [first, second] = await Promise.all([
    admin.delete(rooms(roomId), {}),
    admin.delete(rooms(roomId), {}),
  ]);
  const accepted = [first, second].filter(({ status }) => status === 200);
  for (const { body } of accepted)
    expect(await finished(body.delete_id)).toMatchObject({ status: 'complete' });
  expect(accepted.length).toBeGreaterThan(0);
  expect(await traces(roomId)).toEqual({});
});

test('killed at any moment and run again, it does everything once', async () => {
  const { services } = homeserver;
  const { db } = services;
  const { roomId, alias } = await makeFullRoom();
  const id = `killed-${roomId}`;
  const params = {
    room_id: roomId,
    requester_user_id: '@admin:localhost',
    new_room_user_id: '@admin:localhost',
    block: true,
    purge: true,
    force_purge: false,
  };
  const task: Task = {
    id,
    action: 'killed',
    status: 'complete',
    timestampMs: services.clock.now(),
    resourceId: roomId,
    params,
    result: null,
    error: null,
  };
  await insertTask(db, task);
  let kills = 0;
  for (let steps = 0; ; steps++) {
    const current = (await services.tasks.get(id)) ?? task;
    const killed = killedAfter(db, steps);
    const run = { task: current, params, ...runOn(killed) };
    try {
      const outcome = await createRoomDeletion({ ...services, db: killed }).run(run);
      expect(outcome).toMatchObject({
        status: 'complete',
        result: { kicked_users: everyone, failed_to_kick_users: [], local_aliases: [alias] },
      });
      const { new_room_id: newRoomId } = outcome.result as { new_room_id: string };
      const news = gist(await messages(homeserver.as('bob'), newRoomId)).filter(
        (text) => !text.startsWith('m.'),
      );
      expect(news).toHaveLength(1);
      break;
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      kills++;
    }
  }
  expect(kills).toBeGreaterThan(5);
  expect(await traces(roomId)).toEqual({});
});
