import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { purgeHistory } from '../../../server/administration/room-administration/purge-history-task.ts';
import type { Task } from '../../../server/platform/tasks/task.ts';
import { type Reply, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { gist, makeRoom, messages, path, redact, say, setState } from '../rooms/client.ts';
import { Killed, killedAfter, runOn } from '../tasks/killed.ts';

const admin = (...segments: string[]) => `/_service/admin/v1/${segments.map(encodeURIComponent).join('/')}`;

let homeserver: TestHomeserver;
let roomId: string;
let events: string[];
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());
beforeEach(async () => {
  const alice = homeserver.as('alice');
  roomId = await makeRoom(alice, { name: 'N' });
  events = [];
  for (const text of ['a', 'b', 'c', 'd']) events.push(await say(alice, roomId, text));
});

const firstState = [
  'm.room.create',
  'm.room.member',
  'm.room.power_levels',
  'm.room.join_rules',
  'm.room.history_visibility',
  'm.room.name',
];

async function finished(purgeId: string): Promise<string> {
  for (;;) {
    const { body } = await homeserver.as('admin').get(admin('purge_history_status', purgeId));
    if (body.status !== 'active') return body.status;
  }
}

async function purge(request: object, ...eventId: string[]): Promise<void> {
  const reply = await homeserver.as('admin').post(admin('purge_history', roomId, ...eventId), request);
  expect(reply).toMatchObject({ status: 200 });
  expect(await finished(reply.body.purge_id)).toBe('complete');
}

const history = async () => gist(await messages(homeserver.as('alice'), roomId));
const read = (eventId = ''): Promise<Reply> =>
  homeserver.as('alice').get(path('rooms', roomId, 'event', eventId));
const stored = async (eventId = '') =>
  (
    await homeserver.services.db
      .selectFrom('events')
      .select('event_id')
      .where('event_id', '=', eventId)
      .execute()
  ).length === 1;

test.each<[string, string, unknown, string[], number, string]>([
  ['nobody', 'guest', {}, [], 401, 'M_MISSING_TOKEN'],
  ['not an administrator', 'alice', { purge_up_to_ts: 1 }, [], 403, 'M_FORBIDDEN'],
  ['no end', 'admin', {}, [], 400, 'M_BAD_JSON'],
  ['no body', 'admin', undefined, [], 400, 'M_BAD_JSON'],
  ['a list', 'admin', [], [], 400, 'M_BAD_JSON'],
  ['a time as text', 'admin', { purge_up_to_ts: 'x' }, [], 400, 'M_BAD_JSON'],
  ['an event that is a number', 'admin', { purge_up_to_event_id: 5 }, [], 400, 'M_BAD_JSON'],
  ['an unknown event', 'admin', { purge_up_to_event_id: '$no' }, [], 404, 'M_NOT_FOUND'],
  ['an unknown event in the path', 'admin', {}, ['$no'], 404, 'M_NOT_FOUND'],
  ['a time before the room', 'admin', { purge_up_to_ts: 1 }, [], 404, 'M_NOT_FOUND'],
])('refuses %s', async (_, caller, body, rest, status, errcode) => {
  expect(await homeserver.as(caller).post(admin('purge_history', roomId, ...rest), body)).toMatchObject({
    status,
    body: { errcode },
  });
});

test("refuses another room's event, and has no status of unknown purges", async () => {
  const other = await makeRoom(homeserver.as('alice'));
  const caller = homeserver.as('admin');
  expect((await caller.post(admin('purge_history', other, events[0] ?? ''), {})).status).toBe(400);
  expect((await caller.post(admin('purge_history', '!no:localhost'), { purge_up_to_ts: 1 })).status).toBe(
    404,
  );
  expect((await caller.get(admin('purge_history_status', 'no'))).status).toBe(404);
});

test('hides events before one, and keeps those of local users', async () => {
  await homeserver.as('alice').post(path('rooms', roomId, 'report', events[1] ?? ''), { reason: 'x' });
  await purge({}, events[2] ?? '');
  expect(await history()).toEqual(['c', 'd']);
  expect((await read(events[1])).status).toBe(404);
  expect((await homeserver.as('alice').get(path('rooms', roomId, 'context', events[1] ?? ''))).status).toBe(
    403,
  );
  expect(
    (await homeserver.as('alice').post(path('rooms', roomId, 'report', events[1] ?? ''), {})).status,
  ).toBe(404);
  expect(await stored(events[1])).toBe(true);

  const list = await homeserver
    .as('admin')
    .get(`${admin('event_reports')}?room_id=${encodeURIComponent(roomId)}`);
  const report = await homeserver
    .as('admin')
    .get(admin('event_reports', String(list.body.event_reports[0].id)));
  expect(report.body).toMatchObject({ name: 'N', event_json: { content: { body: 'b' } } });
});

test('deletes local events if requested, also after they were hidden', async () => {
  await purge({ purge_up_to_event_id: events[1] });
  expect(await stored(events[0])).toBe(true);
  await purge({ purge_up_to_event_id: events[2], delete_local_events: true });
  expect(await history()).toEqual(['c', 'd']);
  const tasks = await homeserver
    .as('admin')
    .get(`${admin('scheduled_tasks')}?action_name=purge_history&resource_id=${encodeURIComponent(roomId)}`);
  // Hidden state stays: the second one deletes two messages.
  expect(tasks.body.scheduled_tasks.at(-1).result).toEqual({ purged_events: 2 });
  expect(await Promise.all(events.map(stored))).toEqual([false, false, true, true]);
});

test('keeps the state, and the room works', async () => {
  const alice = homeserver.as('alice');
  await purge({ delete_local_events: true }, events[3] ?? '');
  const { body: state } = await alice.get(path('rooms', roomId, 'state'));
  expect(state.map((event: { type: string }) => event.type).sort()).toEqual([...firstState].sort());
  expect((await redact(alice, roomId, events[3] ?? '')).status).toBe(200);
  await setState(alice, roomId, 'm.room.name', { name: 'M' });
  await say(alice, roomId, 'e');
  expect(await history()).toEqual(['m.room.message', 'm.room.redaction', 'm.room.name', 'e']);
});

test('by time keeps the last event', async () => {
  await purge({ purge_up_to_ts: homeserver.services.clock.now(), delete_local_events: true });
  expect(await history()).toEqual(['d']);
});

test('by time deletes everything up to it and keeps later events', async () => {
  const { clock } = homeserver.services;
  const { origin_server_ts: time } = (await read(events[3])).body;
  await expect.poll(() => clock.now()).toBeGreaterThan(time);
  for (const text of ['e', 'f']) await say(homeserver.as('alice'), roomId, text);
  await purge({ purge_up_to_ts: time, delete_local_events: true });
  expect(await history()).toEqual(['e', 'f']);
});

describe('killed at any moment and run again', () => {
  test.each([false, true])('it ends as if uninterrupted (deleting: %s)', async (deleting) => {
    const { db } = homeserver.services;
    const boundary = await db
      .selectFrom('events')
      .select('stream_ordering')
      .where('event_id', '=', events[2] ?? '')
      .executeTakeFirstOrThrow();
    const params = { room_id: roomId, before: boundary.stream_ordering, delete_local_events: deleting };
    const task: Task = {
      id: 'x',
      action: 'purge_history',
      status: 'active',
      timestampMs: 0,
      resourceId: roomId,
      params,
      result: null,
      error: null,
    };
    let kills = 0;
    for (let steps = 0; ; steps++) {
      try {
        await purgeHistory.run({ task, params, ...runOn(killedAfter(db, steps)) });
        break;
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
        kills++;
      }
    }
    expect(kills).toBeGreaterThan(1);
    expect(await history()).toEqual(['c', 'd']);
    expect(await stored(events[0])).toBe(!deleting);
  });

  test('it also counts previously purged events', async () => {
    const params = { room_id: roomId, before: Number.MAX_SAFE_INTEGER, delete_local_events: true };
    const run = (result: unknown) =>
      purgeHistory.run({
        task: { id: 'x', params, result } as Task,
        params,
        ...runOn(homeserver.services.db),
      });
    const { result } = await run({ purged_events: 100 });
    expect(result).toEqual({ purged_events: expect.toSatisfy((count: number) => count > 100) });
  });

  test('it stops at the given event', async () => {
    const signal = AbortSignal.abort();
    const params = { room_id: roomId, before: Number.MAX_SAFE_INTEGER, delete_local_events: true };
    const task = { id: 'x', params, result: null } as Task;
    const run = purgeHistory.run({ task, params, ...runOn(homeserver.services.db), signal });
    await expect(run).rejects.toThrow();
    expect(await history()).toEqual([...firstState, 'a', 'b', 'c', 'd']);
  });
});
