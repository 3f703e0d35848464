/** Many client-chosen names are indexed, and PostgreSQL limits an index row to 2,704 bytes. */
import { randomBytes, randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

/** Returns incompressible text. */
const long = (length: number) => randomBytes(length).toString('base64url').slice(0, length);
/** Returns incompressible text with three bytes per character. */
const wide = (length: number) =>
  Array.from({ length }, () => String.fromCharCode(0x4e00 + randomInt(20_000))).join('');
const wideInPath = () => encodeURIComponent(wide(1000));

let homeserver: TestHomeserver;
let room: string;
beforeAll(async () => {
  homeserver = await startHomeserver({
    config: { registration: { enabled: true, requiresToken: false, sharedSecret: undefined } },
  });
  const { body } = await homeserver.as('alice').post('/_chat/client/v3/createRoom', {});
  room = body.room_id;
  await homeserver.as('admin').put('/_service/admin/v2/users/@dave:localhost', { password: 'dave' });
});
afterAll(() => homeserver.remove());

const state = (type: string, content: object): Row => [
  'alice',
  'put',
  `/_chat/client/v3/rooms/ROOM/state/${type}`,
  content,
  200,
];
const login = { type: 'm.login.password', user: 'dave', password: 'dave' };
const register = { username: 'erin', password: 'erin', auth: { type: 'm.login.dummy' } };
const own = '/_chat/client/v3/user/@alice:localhost';
const ofDave = '/_service/admin/v2/users/@dave:localhost';

type Row = [
  person: string,
  method: 'get' | 'post' | 'put' | 'delete',
  path: string,
  body: object | undefined,
  status: number,
  errcode?: string,
];
test.each<[string, ...Row]>([
  ['a room name', ...state('m.room.name', { name: long(20_000) })],
  ['a topic', ...state('m.room.topic', { topic: long(20_000) })],
  ['a join rule', ...state('m.room.join_rules', { join_rule: long(20_000) })],
  ['a guest access', ...state('m.room.guest_access', { guest_access: long(20_000) })],
  ['an encryption', ...state('m.room.encryption', { algorithm: long(20_000) })],
  ['a visibility', ...state('m.room.history_visibility', { history_visibility: long(20_000) })],
  ['a file', ...state('org.x', { url: `mxc://${long(255)}/${long(20_000)}` })],
  [
    'a device of a login',
    'guest',
    'post',
    '/_chat/client/v3/login',
    { ...login, device_id: long(513) },
    400,
    'M_INVALID_PARAM',
  ],
  [
    'a device of a login',
    'guest',
    'post',
    '/_chat/client/v3/login',
    { ...login, device_id: wide(512) },
    400,
    'M_INVALID_PARAM',
  ],
  ['the longest device', 'guest', 'post', '/_chat/client/v3/login', { ...login, device_id: long(512) }, 200],
  [
    'a device name',
    'guest',
    'post',
    '/_chat/client/v3/login',
    { ...login, initial_device_display_name: long(101) },
    400,
    'M_TOO_LARGE',
  ],
  [
    'a device of a registration',
    'guest',
    'post',
    '/_chat/client/v3/register',
    { ...register, device_id: long(513) },
    400,
    'M_INVALID_PARAM',
  ],
  [
    'a password',
    'guest',
    'post',
    '/_chat/client/v3/register',
    { ...register, password: long(513) },
    400,
    'M_UNKNOWN',
  ],
  [
    'no password',
    'guest',
    'post',
    '/_chat/client/v3/register',
    { ...register, password: '' },
    400,
    'M_MISSING_PARAM',
  ],
  [
    'what was refused is still free',
    'guest',
    'get',
    '/_chat/client/v3/register/available?username=erin',
    undefined,
    200,
  ],
  [
    'a user to log in as',
    'guest',
    'post',
    '/_chat/client/v3/login',
    { ...login, user: long(20_000) },
    403,
    'M_FORBIDDEN',
  ],
  [
    'an avatar',
    'alice',
    'put',
    '/_chat/client/v3/profile/@alice:localhost/avatar_url',
    { avatar_url: long(1000) },
    200,
  ],
  [
    'an avatar',
    'alice',
    'put',
    '/_chat/client/v3/profile/@alice:localhost/avatar_url',
    { avatar_url: wide(999) },
    400,
    'M_UNKNOWN',
  ],
  ["another user's avatar", 'admin', 'put', ofDave, { avatar_url: wide(999) }, 400, 'M_UNKNOWN'],
  ['account data', 'alice', 'put', `${own}/account_data/${long(1024)}`, {}, 200],
  ['account data', 'alice', 'put', `${own}/account_data/${wideInPath()}`, {}, 400, 'M_INVALID_PARAM'],
  [
    'account data of a room',
    'alice',
    'put',
    `${own}/rooms/!${long(1020)}:x/account_data/${long(1024)}`,
    {},
    200,
  ],
  ['a tag', 'alice', 'put', `${own}/rooms/ROOM/tags/${wideInPath()}`, {}, 400, 'M_INVALID_PARAM'],
  [
    'a transaction',
    'alice',
    'put',
    `/_chat/client/v3/rooms/ROOM/send/m.text/${wideInPath()}`,
    {},
    400,
    'M_INVALID_PARAM',
  ],
  ['a transaction', 'alice', 'put', `/_chat/client/v3/rooms/ROOM/send/m.text/${long(1024)}`, {}, 200],
  [
    'a room to block',
    'admin',
    'put',
    `/_service/admin/v1/rooms/!${wideInPath()}:x/block`,
    { block: true },
    400,
    'M_INVALID_PARAM',
  ],
  [
    'a room to delete',
    'admin',
    'delete',
    `/_service/admin/v2/rooms/!${wideInPath()}:x`,
    {},
    400,
    'M_INVALID_PARAM',
  ],
  [
    'a user to redact',
    'admin',
    'post',
    `/_service/admin/v1/user/@${wideInPath()}:x/redact`,
    { rooms: [] },
    400,
    'M_INVALID_PARAM',
  ],
  [
    'an invitation',
    'alice',
    'post',
    '/_chat/client/v3/rooms/ROOM/invite',
    { user_id: `@${long(20_000)}:localhost` },
    413,
    'M_TOO_LARGE',
  ],
  [
    'an external id',
    'admin',
    'put',
    ofDave,
    { external_ids: [{ auth_provider: wide(255), external_id: wide(255) }] },
    200,
  ],
  ['an address', 'admin', 'put', ofDave, { threepids: [{ medium: 'email', address: wide(500) }] }, 200],
])('%s, too long or not, by %s: %s', async (_, person, method, path, body, status, errcode) => {
  const reply = await homeserver.as(person)[method](path.replace('ROOM', room), body);
  expect(reply).toMatchObject({ status, ...(errcode && { body: { errcode } }) });
});
