/** What nobody reads takes only so much memory, of one user and of all together. */
import { once } from 'node:events';
import { connect } from 'node:net';
import Fastify from 'fastify';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../server/database/database.ts';
import type { App } from '../../../server/http/routes.ts';
import { sendJson } from '../../../server/http/send-json.ts';
import { boundUnreadReplies } from '../../../server/http/unread-replies.ts';
import { manualClock } from '../../manual-clock.ts';
import { until } from '../../until.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeRoom } from '../rooms/client.ts';

const opened: ReturnType<typeof connect>[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
});

/** Asks for something and reads no more than its beginning, which it says when there is one. */
function askAndNotRead(url: string, path: string, token = '') {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  opened.push(socket);
  socket.on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  const asked = { socket, beginning: '' };
  socket.once('data', (chunk) => {
    asked.beginning = String(chunk);
    socket.pause();
  });
  return asked;
}

type Asked = ReturnType<typeof askAndNotRead>;
const begunOf = (asked: Asked[]) => asked.filter(({ beginning }) => beginning.startsWith('HTTP/1.1 200'));
const allBegin = (asked: Asked[]) => until(() => expect(begunOf(asked)).toHaveLength(asked.length));

describe('of one user', () => {
  let homeserver: TestHomeserver;
  let room: string;
  beforeAll(async () => {
    homeserver = await startHomeserver();
    const alice = homeserver.as('alice');
    room = await makeRoom(alice, { preset: 'public_chat' });
    expect(
      (await homeserver.as('bob').post(`/_chat/client/v3/join/${encodeURIComponent(room)}`, {})).status,
    ).toBe(200);
    const path = `${roomState()}/org.example.thing`;
    for (let number = 0; number < 300; number++) {
      expect((await alice.put(`${path}/${number}`, { text: 'x'.repeat(62_000) })).status).toBe(200);
    }
    const thing = `/_chat/client/v3/user/${encodeURIComponent(alice.userId)}/account_data/org.example.thing`;
    expect((await alice.put(thing, { text: 'x'.repeat(1_000_000) })).status).toBe(200);
    const db = await openDatabase(homeserver.config.database);
    await sql`with recursive numbers(number) as
        (select 1 union all select number + 1 from numbers where number < 20)
      insert into account_data (user_id, room_id, type, content, stream_id)
      select user_id, room_id, type || number, content, stream_id from numbers, account_data
      where type = 'org.example.thing'`.execute(db);
    await db.destroy();
  }, 60_000);
  afterAll(() => homeserver.remove());
  const roomState = () => `/_chat/client/v3/rooms/${encodeURIComponent(room)}/state`;

  test.each([
    ['the state of a room', 'bob', () => roomState()],
    ['it for administrators', 'admin', () => `/_service/admin/v1/rooms/${encodeURIComponent(room)}/state`],
    [
      'account data for administrators',
      'admin',
      () => `/_service/admin/v1/users/${encodeURIComponent(homeserver.as('alice').userId)}/accountdata`,
    ],
  ])(
    'a few replies with %s wait to be read, and others that were asked for come later',
    async (_, name, path) => {
      const { accessToken } = homeserver.as(name);
      const asked = Array.from({ length: 6 }, () => askAndNotRead(homeserver.url, path(), accessToken));
      const begun = () => begunOf(asked);
      await until(() => expect(begun()).toHaveLength(4));
      // Each of these takes as long as one of those.
      for (let turn = 0; turn < 3; turn++) {
        expect((await homeserver.as('alice').get(roomState())).status).toBe(200);
      }
      expect(begun()).toHaveLength(4);
      begun()[0]?.socket.destroy();
      await until(() => expect(begun()).toHaveLength(5));
    },
  );
});

describe('of all', () => {
  const clock = manualClock();
  const app = Fastify({ forceCloseConnections: true }) as unknown as App;
  let url: string;
  beforeAll(async () => {
    boundUnreadReplies(app, clock, 50_000_000);
    const long = JSON.stringify('x'.repeat(20_000_000));
    app.get('/long', (_request, reply) => sendJson(reply, [long]));
    app.get('/short', () => ({ text: 'short' }));
    url = await app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => app.close());
  const ask = (path: string) => fetch(`${url}${path}`);
  const statusOf = async (path: string) => {
    const { status, body } = await ask(path);
    await body?.cancel();
    return status;
  };

  test('so much waits to be read, nothing else that is long is begun meanwhile, and all is well afterwards', async () => {
    const asked = [askAndNotRead(url, '/long'), askAndNotRead(url, '/long')];
    await allBegin(asked);
    const refused = await ask('/long');
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({
      message: 'Too many responses are waiting to be read',
    });
    expect((await ask('/short')).status).toBe(200);
    asked[0]?.socket.destroy();
    await until(async () => expect(await statusOf('/long')).toBe(200));
  });

  test('what nobody has read any more of for minutes is broken off', async () => {
    const asked = [askAndNotRead(url, '/long'), askAndNotRead(url, '/long')];
    await allBegin(asked);
    expect(await statusOf('/long')).toBe(429);
    // At first there is some progress: the machine itself takes what its buffers hold.
    for (let minutes = 0; minutes < 20; minutes++) {
      await ask('/short');
      clock.advance(60_000);
    }
    await until(async () => expect(await statusOf('/long')).toBe(200));
    const gone = Promise.all(asked.map(({ socket }) => once(socket, 'close')));
    for (const { socket } of asked) socket.resume();
    await gone;
  });
});
