/** Integers in JSON can be larger than any database integer. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

let homeserver: TestHomeserver;
let room: string;
let event: string;
beforeAll(async () => {
  homeserver = await startHomeserver();
  const alice = homeserver.as('alice');
  room = (await alice.post('/_chat/client/v3/createRoom', {})).body.room_id;
  const message = { msgtype: 'm.text', body: 'x' };
  event = (await alice.put(`/_chat/client/v3/rooms/${room}/send/m.room.message/1`, message)).body.event_id;
});
afterAll(() => homeserver.remove());

const admin = '/_service/admin/v1';
const report = '/_chat/client/v3/rooms/ROOM/report/EVENT';

test.each<[string, string, 'post' | 'put', string, object]>([
  ['a score', 'alice', 'post', report, { score: 1e300 }],
  ['a score', 'alice', 'post', report, { score: -1e300 }],
  ['a score', 'alice', 'post', report, { score: 2 ** 64 }],
  ['a time to purge up to', 'admin', 'post', `${admin}/purge_history/ROOM`, { purge_up_to_ts: 1e300 }],
  ['the end of a token', 'admin', 'post', `${admin}/users/@bob:localhost/login`, { valid_until_ms: 1e300 }],
  [
    'the end of a registration token',
    'admin',
    'post',
    `${admin}/registration_tokens/new`,
    { expiry_time: 1e300 },
  ],
  [
    'the uses of a registration token',
    'admin',
    'post',
    `${admin}/registration_tokens/new`,
    { uses_allowed: 1e300 },
  ],
  [
    'the length of a registration token',
    'admin',
    'post',
    `${admin}/registration_tokens/new`,
    { length: 1e300 },
  ],
  ['how much to redact', 'admin', 'post', `${admin}/user/@bob:localhost/redact`, { rooms: [], limit: 1e300 }],
  [
    'a power level',
    'alice',
    'put',
    '/_chat/client/v3/rooms/ROOM/state/m.room.power_levels',
    { users: { '@alice:localhost': 1e300 } },
  ],
])('%s', async (_, person, method, path, body) => {
  const reply = await homeserver.as(person)[method](path.replace('ROOM', room).replace('EVENT', event), body);
  expect(reply).toMatchObject({
    status: 400,
    body: { errcode: expect.stringMatching(/^M_(BAD_JSON|INVALID_PARAM)$/) },
  });
});
