import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openServices } from '../../../server/app/services.ts';
import { createRoom } from '../../../server/conversation/rooms/creation/create-room.ts';
import { appendEvents } from '../../../server/conversation/rooms/events/append-events.ts';
import { createUser } from '../../../server/identity/accounts/create-user.ts';
import { openSession } from '../../../server/identity/sessions/sessions.ts';
import { loadConfig } from '../../../server/platform/config/load.ts';
import { inTransaction } from '../../../server/platform/database/transaction.ts';
import { isMatrix } from '../../matrix.ts';
import { serve } from '../gatehouse.ts';
import { call } from '../homeserver.ts';
import { makeData } from './data.ts';
import { signIn } from './logged-in-user.ts';

const history = 5000;

let dataDir: string;
let token: string;
let roomId: string;

/** Creates a room with a long history before any server runs. */
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-crash-'));
  const services = await openServices(await loadConfig({ dataDir }));
  const userId = await createUser(services, { localpart: 'admin', admin: true });
  token = (await openSession(services, userId)).accessToken;
  roomId = await createRoom(services, userId, { preset: 'public_chat', name: 'Long' });
  await inTransaction(services.db, async (tx) => {
    const drafts = Array.from({ length: history }, (_, index) => ({
      type: 'm.room.message',
      sender: userId,
      content: { msgtype: 'm.text', body: `message ${index}` },
    }));
    await appendEvents(tx, services, roomId, drafts);
  });
  await services.db.destroy();
});
afterEach(() => rm(dataDir, { recursive: true }));

const room = () => `/_chat/client/v3/rooms/${encodeURIComponent(roomId)}`;

test.each(isMatrix ? [0, 3, 40] : [3])(
  'killed during a purge and %i messages: the task completes after the restart, no acknowledged event is lost',
  async (count) => {
    const first = await serve('--data-dir', dataDir);
    const purge = await call(
      first.url,
      'POST',
      `/_service/admin/v1/purge_history/${encodeURIComponent(roomId)}`,
      token,
      {
        purge_up_to_ts: Date.now(),
        delete_local_events: true,
      },
    );
    expect(purge.status).toBe(200);
    const acknowledged: string[] = [];
    for (let index = 0; index < count; index++) {
      const sent = await call(first.url, 'PUT', `${room()}/send/m.room.message/${index}`, token, {
        msgtype: 'm.text',
        body: `after ${index}`,
      });
      acknowledged.push(sent.body.event_id);
    }
    expect(await first.end('SIGKILL')).toBeNull();
    const database = new SqliteDatabase(join(dataDir, 'homeserver.db'));
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    database.close();

    const second = await serve('--data-dir', dataDir);
    await expect
      .poll(async () => {
        const { body } = await call(
          second.url,
          'GET',
          `/_service/admin/v1/scheduled_tasks?resource_id=${encodeURIComponent(roomId)}`,
          token,
        );
        return body.scheduled_tasks.map((task: { id: string; status: string }) => [task.id, task.status]);
      })
      .toEqual([[purge.body.purge_id, 'complete']]);

    for (const [index, eventId] of acknowledged.entries()) {
      const { status, body } = await call(
        second.url,
        'GET',
        `${room()}/event/${encodeURIComponent(eventId)}`,
        token,
      );
      expect({ status, body: body.content?.body }).toEqual({ status: 200, body: `after ${index}` });
    }
    const { body } = await call(second.url, 'GET', `${room()}/messages?dir=b&limit=1000`, token);
    const texts = body.chunk.map((event: { content: { body?: string } }) => event.content.body ?? '');
    expect(texts.filter((text: string) => text.startsWith('message '))).toEqual(
      // The newest event before the purge was the room's head, which is kept.
      texts.filter((text: string) => text === `message ${history - 1}`),
    );
    expect(await second.end('SIGTERM')).toBe(0);
  },
);

test('killed during concurrent writes: no acknowledged event is lost', async () => {
  const data = await makeData({ rc_message: { per_second: 1e6, burst_count: 1e6 } });
  const served = await serve(...data.source);
  const person = await signIn(served.url);
  const room = encodeURIComponent((await person.post('/createRoom', {})).body.room_id);
  const acknowledged: string[] = [];
  const write = async (writer: number) => {
    for (let count = 0; ; count++) {
      const body = { msgtype: 'm.text', body: 'hello' };
      const reply = await person.put(`/rooms/${room}/send/m.room.message/${writer}-${count}`, body);
      expect(reply.status).toBe(200);
      acknowledged.push(reply.body.event_id);
      if (acknowledged.length === 150) void served.end('SIGKILL');
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: 12 }, (_, writer) => write(writer)));
  expect(ends.map(({ status }) => status)).toEqual(Array(12).fill('rejected'));
  expect(acknowledged.length).toBeGreaterThanOrEqual(150);

  const again = await serve(...data.source);
  const back = await signIn(again.url);
  const { body } = await back.get(`/rooms/${room}/messages?dir=b&limit=1000`);
  const there = new Set(body.chunk.map((event: { event_id: string }) => event.event_id));
  expect(acknowledged.filter((eventId) => !there.has(eventId))).toEqual([]);
  expect(await again.end('SIGTERM')).toBe(0);
  await data.remove();
});
