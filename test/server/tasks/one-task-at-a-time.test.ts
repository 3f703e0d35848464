/** Concurrent identical requests create one task. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

let homeserver: TestHomeserver;
let room: string;
beforeAll(async () => {
  homeserver = await startHomeserver();
  // Keeps tasks from running, so that none ends between two requests.
  await homeserver.services.tasks.stop();
  room = (await homeserver.as('alice').post('/_chat/client/v3/createRoom', {})).body.room_id;
});
afterAll(() => homeserver.remove());

test.each<[string, 'post' | 'delete', () => string, object, string]>([
  ['purging', 'post', () => `/v1/purge_history/${room}`, { purge_up_to_ts: 4e12 }, 'purge_history'],
  ['deleting a room', 'delete', () => `/v2/rooms/${room}`, {}, 'shutdown_and_purge_room'],
  ['redacting', 'post', () => '/v1/user/@alice:localhost/redact', { rooms: [] }, 'redact_all_events'],
])('%s', async (_, method, path, body, action) => {
  const admin = homeserver.as('admin');
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => admin[method](`/_service/admin${path()}`, body)),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
  const tasks = await admin.get(`/_service/admin/v1/scheduled_tasks?action_name=${action}`);
  expect(tasks.body.scheduled_tasks).toHaveLength(1);
});
