import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, makeRoom } from '../rooms/client.ts';

const updates = '/_service/admin/v1/background_updates';
let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const admin = () => homeserver.as('admin');
const status = async () => (await admin().get(`${updates}/status`)).body;
const enable = (enabled: unknown) => admin().post(`${updates}/enabled`, { enabled });
const startJob = (job_name: unknown = 'populate_stats_process_rooms') =>
  admin().post(`${updates}/start_job`, { job_name });

describe.each([
  ['vendor', '/_service/admin/v1'],
  ['matrix', '/_synapse/admin/v1'],
])('in the %s dialect', (_, prefix) => {
  const url = `${prefix}/background_updates`;
  test.each<[string, string, 'get' | 'post', string, unknown, number, string]>([
    ['nobody', 'guest', 'get', `${url}/status`, undefined, 401, 'M_MISSING_TOKEN'],
    ['a user', 'alice', 'get', `${url}/status`, undefined, 403, 'M_FORBIDDEN'],
    ['switching by a user', 'alice', 'post', `${url}/enabled`, { enabled: true }, 403, 'M_FORBIDDEN'],
    ['starting by a user', 'alice', 'post', `${url}/start_job`, { job_name: 'x' }, 403, 'M_FORBIDDEN'],
    ['maybe', 'admin', 'post', `${url}/enabled`, { enabled: 'maybe' }, 400, 'M_BAD_JSON'],
    ['neither', 'admin', 'post', `${url}/enabled`, {}, 400, 'M_MISSING_PARAM'],
    ['no body', 'admin', 'post', `${url}/enabled`, undefined, 400, 'M_NOT_JSON'],
    ['an unknown job', 'admin', 'post', `${url}/start_job`, { job_name: 'x' }, 400, 'M_UNKNOWN'],
    ['a number', 'admin', 'post', `${url}/start_job`, { job_name: 5 }, 400, 'M_BAD_JSON'],
    ['no job', 'admin', 'post', `${url}/start_job`, {}, 400, 'M_MISSING_PARAM'],
  ])('refuses %s', async (__, caller, method, target, body, code, errcode) => {
    const reply = await homeserver.as(caller)[method](target, body);
    expect(reply).toMatchObject({ status: code, body: { errcode } });
  });
});

test('a new server has no updates', async () => {
  expect(await status()).toEqual({ enabled: true, current_updates: {} });
  expect((await admin().get(`${updates}/enabled`)).body).toEqual({ enabled: true });
});

test('an update waits while updates are disabled, also over a restart, and then updates rooms', async () => {
  const alice = homeserver.as('alice');
  const named = await makeRoom(alice, {
    name: 'Named',
    topic: 'Topic',
    initial_state: [{ type: 'm.room.encryption', content: { algorithm: 'a' } }],
    creation_content: { type: 'm.space' },
  });
  await change(homeserver.as('bob'), named, 'join');
  const empty = await makeRoom(alice);
  await change(alice, empty, 'leave');
  for (let index = 0; index < 25; index++) await makeRoom(alice);
  const list = async () => (await admin().get('/_service/admin/v1/rooms')).body;
  const before = await list();

  expect((await enable(false)).body).toEqual({ enabled: false });
  expect(await startJob()).toMatchObject({ status: 200, body: {} });
  expect(await startJob()).toMatchObject({ status: 400, body: { errcode: 'M_UNKNOWN' } });
  // The data of a release without these columns.
  await homeserver.services.db
    .updateTable('rooms')
    .set({ name: 'wrong', folded_name: null, encryption: null, room_type: null, state_events: 0 })
    .execute();
  const waiting = {
    name: 'populate_room_summaries',
    total_item_count: 0,
    total_duration_ms: 0,
    average_items_per_ms: 0,
  };
  expect(await status()).toEqual({ enabled: false, current_updates: { master: waiting } });
  await homeserver.restart();
  expect(await status()).toEqual({ enabled: false, current_updates: { master: waiting } });

  expect((await enable(true)).body).toEqual({ enabled: true });
  await expect.poll(status).toEqual({ enabled: true, current_updates: {} });
  expect(await list()).toEqual(before);
  const found = await admin().get('/_service/admin/v1/rooms?search_term=named');
  expect(found.body).toMatchObject({ total_rooms: 1, rooms: [{ room_id: named, room_type: 'm.space' }] });
});
