import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeRoom, path } from '../rooms/client.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const blockOf = (roomId: string) => `/_service/admin/v1/rooms/${encodeURIComponent(roomId)}/block`;
const as = (name: string) => homeserver.as(name);

test.each<[string, string, string, unknown, number, string]>([
  ['nobody', 'guest', '!a:localhost', { block: true }, 401, 'M_MISSING_TOKEN'],
  ['a user', 'alice', '!a:localhost', { block: true }, 403, 'M_FORBIDDEN'],
  ['a word', 'admin', 'room', { block: true }, 400, 'M_UNKNOWN'],
  ['an empty request', 'admin', '!a:localhost', {}, 400, 'M_MISSING_PARAM'],
  ['maybe', 'admin', '!a:localhost', { block: 'maybe' }, 400, 'M_BAD_JSON'],
  ['no body', 'admin', '!a:localhost', undefined, 400, 'M_NOT_JSON'],
])('refuses %s', async (_, caller, roomId, body, status, errcode) => {
  expect(await as(caller).put(blockOf(roomId), body)).toMatchObject({ status, body: { errcode } });
});

test('prevents joining until unblocked', async () => {
  const roomId = await makeRoom(as('alice'));
  const block = blockOf(roomId);
  expect((await as('admin').get(block)).body).toEqual({ block: false });
  for (let twice = 0; twice < 2; twice++) {
    expect((await as('admin').put(block, { block: true })).body).toEqual({ block: true });
  }
  expect((await as('admin').get(block)).body).toEqual({ block: true, user_id: '@admin:localhost' });
  expect((await as('bob').post(path('join', roomId))).status).toBe(403);
  expect((await as('admin').put(block, { block: false })).body).toEqual({ block: false });
  expect((await as('admin').get(block)).body).toEqual({ block: false });
  expect((await as('bob').post(path('join', roomId))).status).toBe(200);
});

test('works for an unknown room', async () => {
  expect((await as('admin').put(blockOf('!far:localhost'), { block: true })).status).toBe(200);
  expect((await as('admin').get(blockOf('!far:localhost'))).body.block).toBe(true);
});
