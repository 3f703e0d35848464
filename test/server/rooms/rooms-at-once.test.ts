/** Creating many large rooms at once doesn't delay other writes, and all of them are created. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isMatrix } from '../../matrix.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

let homeserver: TestHomeserver;
let room: string;
const client = '/_chat/client/v3';

beforeAll(async () => {
  homeserver = await startHomeserver();
  room = (await homeserver.as('bob').post(`${client}/createRoom`, {})).body.room_id;
});
afterAll(() => homeserver.remove());

const large = {
  initial_state: Array.from({ length: isMatrix ? 1_000 : 400 }, (_, index) => ({
    type: 'org.example.thing',
    state_key: `thing ${index}`,
    content: { text: 'Something of the usual length', index },
  })),
};

test.each([
  ['one user', ['alice'], 12],
  ['several users', ['alice', 'carol', 'admin'], 4],
])('a message waits for a few of the rooms of %s', { timeout: 120_000 }, async (_, makers, count) => {
  let made = 0;
  const rooms = makers.flatMap((maker) =>
    Array.from({ length: count }, async () => {
      const reply = await homeserver.as(maker).post(`${client}/createRoom`, large);
      made++;
      return reply.status;
    }),
  );
  const waitedFor: number[] = [];
  const sent: number[] = [];
  while (made < rooms.length) {
    const before = made;
    const path = `${client}/rooms/${room}/send/m.room.message/${makers.length}-${sent.length}`;
    sent.push((await homeserver.as('bob').put(path, { msgtype: 'm.text', body: 'meanwhile' })).status);
    waitedFor.push(made - before);
  }
  expect(new Set(await Promise.all(rooms))).toEqual(new Set([200]));
  expect(new Set(sent)).toEqual(new Set([200]));
  expect(Math.max(...waitedFor), JSON.stringify(waitedFor)).toBeLessThan(10);
});
