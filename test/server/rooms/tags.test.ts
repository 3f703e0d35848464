import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeRoom, path } from './client.ts';

let homeserver: TestHomeserver;
let room: string;
beforeAll(async () => {
  homeserver = await startHomeserver();
  room = await makeRoom(homeserver.as('alice'));
});
afterAll(() => homeserver.remove());

test.each([
  ['of the maximum length', 'a'.repeat(255), 200],
  ['longer than that', 'a'.repeat(256), 400],
  ['longer in bytes, though not in characters', 'ä'.repeat(128), 400],
])('tags %s', async (_, tag, status) => {
  const alice = homeserver.as('alice');
  const tags = path('user', alice.userId, 'rooms', room, 'tags');
  const reply = await alice.put(path('user', alice.userId, 'rooms', room, 'tags', tag), { order: 0.5 });
  expect(reply).toMatchObject({
    status,
    body: status === 200 ? {} : { errcode: 'M_INVALID_PARAM' },
  });
  expect(Object.hasOwn((await alice.get(tags)).body.tags, tag)).toBe(status === 200);
});
