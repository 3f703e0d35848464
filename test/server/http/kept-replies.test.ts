/** A list that is kept in memory is the one that the database has: what was changed is in the next reply. */
import SqliteDatabase from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { queryDatabase } from '../database.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

const client = '/_chat/client/v3';
const reports = '/_service/admin/v1/event_reports';
const tasks = '/_service/admin/v1/scheduled_tasks';

let homeserver: TestHomeserver;
let roomId: string;
beforeAll(async () => {
  homeserver = await startHomeserver();
  const made = await homeserver.as('alice').post(`${client}/createRoom`, { preset: 'public_chat' });
  roomId = made.body.room_id;
});
afterAll(() => homeserver.remove());

/** Asked twice: the second reply may come from memory. */
async function read(path: string) {
  await homeserver.as('admin').get(path);
  const { status, body } = await homeserver.as('admin').get(path);
  expect(status).toBe(200);
  return body;
}

/** Changes the database as another program would. */
async function changeBeside(statement: string): Promise<void> {
  const { database } = homeserver.config;
  if (database.name !== 'sqlite3') return queryDatabase(database, statement);
  const connection = new SqliteDatabase(database.file, { timeout: 10_000 });
  connection.exec(statement);
  connection.close();
}

async function report(reason: string): Promise<void> {
  const alice = homeserver.as('alice');
  const sent = await alice.put(`${client}/rooms/${roomId}/send/m.room.message/${reason}`, {
    msgtype: 'm.text',
    body: reason,
  });
  const filed = await alice.post(`${client}/rooms/${roomId}/report/${sent.body.event_id}`, { reason });
  expect(filed.status).toBe(200);
}

test('a list of reports has each that was filed or deleted, and what its room is called by now', async () => {
  expect(await read(reports)).toEqual({ event_reports: [], total: 0 });
  await report('one');
  expect(await read(reports)).toMatchObject({ total: 1, event_reports: [{ reason: 'one', name: null }] });
  await report('two');
  const { event_reports: both } = await read(reports);
  expect(both).toMatchObject([{ reason: 'two' }, { reason: 'one' }]);
  expect((await read(`${reports}?dir=f&limit=1`)).event_reports).toMatchObject([{ reason: 'one' }]);

  const named = await homeserver
    .as('alice')
    .put(`${client}/rooms/${roomId}/state/m.room.name`, { name: 'A new name' });
  expect(named.status).toBe(200);
  expect((await read(reports)).event_reports).toMatchObject([{ name: 'A new name' }, { name: 'A new name' }]);

  await homeserver.as('admin').delete(`${reports}/${both[0].id}`);
  expect(await read(reports)).toMatchObject({ total: 1, event_reports: [{ reason: 'one' }] });
  await changeBeside(`update event_reports set reason = 'other'`);
  expect(await read(reports)).toMatchObject({ event_reports: [{ reason: 'other' }] });
});

test('a list of tasks has each as it is, whoever asks for which', async () => {
  const failed = `${tasks}?status=failed`;
  const { scheduled_tasks: before } = await read(tasks);
  await changeBeside(
    `insert into scheduled_tasks (id, action, status, timestamp_ms, params)
     values ('kept', 'purge_history', 'complete', 1, '{}')`,
  );
  expect((await read(tasks)).scheduled_tasks).toHaveLength(before.length + 1);
  expect((await read(failed)).scheduled_tasks).toEqual([]);
  await changeBeside(`update scheduled_tasks set status = 'failed', error = 'It broke' where id = 'kept'`);
  expect((await read(failed)).scheduled_tasks).toMatchObject([{ id: 'kept', error: 'It broke' }]);

  const purge = `/_service/admin/v1/purge_history/${encodeURIComponent(roomId)}`;
  const { body } = await homeserver.as('admin').post(purge, { purge_up_to_ts: Date.now() });
  const ofPurge = async () =>
    (await read(tasks)).scheduled_tasks.filter(({ id }: { id: string }) => id === body.purge_id);
  expect(await ofPurge()).toHaveLength(1);
  await expect.poll(ofPurge).toMatchObject([{ status: 'complete' }]);
});

test('nobody else gets to see what was kept', async () => {
  await read(reports);
  expect((await homeserver.as('alice').get(reports)).status).toBe(403);
  expect((await homeserver.as('guest').get(reports)).status).toBe(401);
});
