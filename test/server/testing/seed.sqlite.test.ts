/** Seeds: the initial data of a temporary server. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addSeed } from '../../../server/administration/testing/add-seed.ts';
import { checkSeed, readSeedFile } from '../../../server/administration/testing/read-seed.ts';
import type { World } from '../../../shared/workbench/seed.ts';
import { call } from '../homeserver.ts';
import { startTemporary, type Temporary } from './temporary.ts';

const example = join(import.meta.dirname, '../../../examples/world.yaml');
let servers: [Temporary, Temporary];
let worlds: [World, World];
beforeAll(async () => {
  const seed = await readSeedFile(example);
  const start = async () => {
    let world: World | undefined;
    const server = await startTemporary(async (services) => {
      world = await addSeed(services, seed);
    });
    return [server, world as World] as const;
  };
  const [[one, first], [other, second]] = await Promise.all([start(), start()]);
  servers = [one, other];
  worlds = [first, second];
});
afterAll(() => Promise.all(servers.map((server) => server.remove())));

const get = (token: string | undefined, path: string) => call(servers[0].url, 'GET', path, token);
const client = '/_chat/client/v3';
const add = (seed: object) =>
  call(servers[0].url, 'POST', '/_gatehouse/v1/seed', servers[0].adminToken, seed);
const inLobby = (path: string) =>
  `${client}/rooms/${encodeURIComponent(worlds[0].rooms.lobby?.room_id ?? '')}${path}`;

test("users sign in with the seed's tokens and passwords on its devices", async () => {
  const { bob } = worlds[0].users;
  const { body } = await get('bobs-phone', `${client}/account/whoami`);
  expect(body).toMatchObject({ user_id: '@bob:localhost', device_id: 'PHONE' });
  const devices = await get(bob?.devices[1]?.access_token, `${client}/devices`);
  expect(devices.body.devices).toMatchObject([{ display_name: "Bob's laptop" }, { device_id: 'PHONE' }]);
  const profile = await get(undefined, `${client}/profile/@bob:localhost`);
  expect(profile.body).toEqual({ displayname: 'Bob', avatar_url: worlds[0].media.picture });
  const identifier = { type: 'm.id.user', user: 'bob' };
  const login = { type: 'm.login.password', identifier, password: 'bobs-password' };
  expect((await call(servers[0].url, 'POST', `${client}/login`, undefined, login)).status).toBe(200);
});

test('rooms have their members, names, power levels and state', async () => {
  const { body: members } = await get('alice-token', inLobby('/members'));
  const memberships = members.chunk.map(
    ({ state_key, content }: { state_key: string; content: { membership: string } }) =>
      `${state_key} ${content.membership}`,
  );
  expect(memberships.sort()).toEqual([
    '@alice:localhost join',
    '@bob:localhost join',
    '@carol:localhost join',
    '@dave:localhost invite',
  ]);
  const state = async (type: string) => (await get('alice-token', inLobby(`/state/${type}`))).body;
  expect((await state('m.room.power_levels')).users).toEqual({
    '@alice:localhost': 100,
    '@bob:localhost': 50,
  });
  expect(await state('org.example.settings')).toEqual({ color: 'blue' });
  const listed = await get('alice-token', `${client}/publicRooms`);
  expect(listed.body.chunk).toMatchObject([{ name: 'Lobby', canonical_alias: '#lobby:localhost' }]);
  const direct = await get('alice-token', `${client}/user/@alice:localhost/account_data/m.direct`);
  expect(direct.body).toEqual({ '@bob:localhost': [worlds[0].rooms.private?.room_id] });
});

test('messages have their relations, one second apart', async () => {
  const { body } = await get('alice-token', inLobby('/messages?dir=b&limit=100'));
  const { events = {} } = worlds[0].rooms.lobby ?? {};
  type Event = {
    event_id: string;
    origin_server_ts: number;
    content: Record<string, unknown>;
    unsigned: object;
  };
  const found = new Map((body.chunk as Event[]).map((event) => [event.event_id, event]));
  expect(found.get(events.hello ?? '')?.unsigned).toMatchObject({
    'm.relations': { 'm.replace': { content: { 'm.new_content': { body: 'Hello, everyone!' } } } },
  });
  expect(found.get(events.reply ?? '')?.content).toEqual({});
  const texts = [...found.values()].map(({ content }) => content.body);
  expect(texts).toEqual(expect.arrayContaining(['Message 1', 'Message 3', 'In a thread']));
  expect([...found.values()].some(({ content }) => content.url === worlds[0].media.picture)).toBe(true);
  const times = body.chunk.slice(0, 3).map((event: Event) => event.origin_server_ts);
  expect(times.map((time: number) => times[0] - time)).toEqual([0, 1000, 2000]);
});

test('reports are filed', async () => {
  const reports = await get(servers[0].adminToken, '/_service/admin/v1/event_reports');
  expect(reports.body.event_reports).toMatchObject([
    { event_id: worlds[0].rooms.lobby?.events.spam, user_id: '@bob:localhost', reason: 'Spam', score: -100 },
  ]);
});

test('rooms, events and media have the same IDs on every server', () => {
  expect(worlds[1].rooms).toEqual(worlds[0].rooms);
  expect(worlds[1].media).toEqual(worlds[0].media);
  expect(worlds[1].users.carol?.access_token).not.toBe(worlds[0].users.carol?.access_token);
});

test('a running server accepts a seed and reports its errors', async () => {
  const { status, body } = await add({
    users: { erin: { token: 'erin-token' } },
    rooms: { own: { creator: 'erin' } },
  });
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { users: { erin: { access_token: 'erin-token' } } },
  });
  expect((await get('erin-token', `${client}/joined_rooms`)).body.joined_rooms).toEqual([
    body.rooms.own.room_id,
  ]);
  expect(await add({ users: { erin: {} } })).toMatchObject({
    status: 400,
    body: { error: expect.stringMatching(/^users.erin: already on this server; remove it from users/) },
  });
});

test('a seed refers to users of the running server', async () => {
  const { status, body } = await add({
    media: { note: { by: 'bob', text: 'x' } },
    rooms: {
      later: { creator: 'alice', members: ['bob'], messages: [{ id: 'm', by: 'bob', media: 'note' }] },
    },
    reports: [{ by: 'bob', room: 'later' }],
  });
  expect(status).toBe(200);
  const event = `${client}/rooms/${encodeURIComponent(body.rooms.later.room_id)}/event/${body.rooms.later.events.m}`;
  expect((await get('alice-token', event)).body).toMatchObject({ sender: '@bob:localhost' });
  expect((await add({ rooms: { r: { creator: 'nobody' } } })).body.error).toMatch(
    /^rooms.r.creator: no user named nobody; use one of /,
  );
});

test.each<[string, { users?: object; media?: object; rooms?: object }]>([
  ['users.frank.token', { users: { frank: { token: 'alice-token' } } }],
  ['users.frank.devices.1.token', { users: { frank: { devices: [{}, { token: 'bobs-phone' }] } } }],
  ['media.picture', { media: { picture: { by: 'frank', text: 'x' } } }],
  ['rooms.lobby', { rooms: { lobby: { creator: 'frank' } } }],
])('a running server refuses %s of an earlier seed, and adds nothing', async (path, seed) => {
  const { status, body } = await add({ ...seed, users: { frank: {}, ...seed.users } });
  expect({ status, error: body.error }).toEqual({
    status: 400,
    error: expect.stringMatching(new RegExp(`^${path}: already on this server; choose another`)),
  });
  expect((await get(undefined, `${client}/profile/@frank:localhost`)).status).toBe(404);
});

test('a room of version 12 is added once', async () => {
  const seed = { rooms: { newest: { creator: 'alice', version: '12' } } };
  expect((await add(seed)).status).toBe(200);
  expect(await add(seed)).toMatchObject({
    status: 400,
    body: { error: 'rooms.newest: Room already exists; correct it' },
  });
});

const message = (fields: object) => ({
  users: { a: {} },
  rooms: { r: { creator: 'a', messages: [fields] } },
});

const user = (fields: object) => ({ users: { a: fields } });
const file = (fields: object) => ({ users: { a: {} }, media: { f: { by: 'a', ...fields } } });

test.each<[unknown, string]>([
  [[], 'seed: must be a map'],
  [{ users: { a: { nam: 'A' } } }, 'users.a.nam: unknown setting; did you mean name?'],
  [{ users: { a: { admin: 'yes' } } }, 'users.a.admin: must be true or false'],
  [{ usrs: {} }, 'usrs: unknown setting; did you mean users?'],
  [{ users: { a: {} }, rooms: { r: { creator: 'b' } } }, 'rooms.r.creator: no user named b; use one of a'],
  [{ users: { a: {} }, rooms: { r: {} } }, 'rooms.r.creator: missing'],
  [message({ by: 'a' }), 'rooms.r.messages.0: missing; set one of text, edit, media'],
  [message({ by: 'a', text: 'x', content: {} }), 'rooms.r.messages.0: text and content at once'],
  [message({ by: 'a', text: 'x', reply_to: 'y' }), 'rooms.r.messages.0.reply_to: no earlier message named y'],
  [message({ by: 'a', react: 'x' }), 'rooms.r.messages.0.to: missing'],
  [user({ token: 'a b' }), 'users.a.token: must be 1 to 1,000 ASCII characters without blanks'],
  [user({ token: 'é' }), 'users.a.token: must be 1 to 1,000 ASCII'],
  [user({ devices: [{ token: '' }] }), 'users.a.devices.0.token: must be 1 to 1,000 ASCII'],
  [user({ devices: [{ id: 'x' }, { id: 'x' }] }), 'users.a.devices.1.id: used twice'],
  [user({ token: 't', devices: [{}, { token: 't' }] }), 'users.a.devices.1.token: used twice'],
  [{ users: { a: { token: 't' }, b: { token: 't' } } }, 'users.b.token: used twice'],
  [file({ text: 'x', type: 'text/plain\n' }), 'media.f.type: must be a content type in ASCII'],
  [file({ base64: '!!' }), 'media.f.base64: must be base64; use a value such as aGVsbG8='],
  [{ time: 'yesterday' }, 'time: not a date'],
  [{ users: { a: {} }, reports: [{ by: 'a', event: 'r/x' }] }, 'reports.0.event: no such message'],
])('refuses %j', (seed, sentence) => {
  expect(() => checkSeed(seed)).toThrow(sentence);
});

test('refuses a device ID of 513 characters', () => {
  expect(() => checkSeed(user({ devices: [{ id: 'x'.repeat(513) }] }))).toThrow(
    'users.a.devices.0.id: must be 1 to 512 characters',
  );
});

test('reads files relative to the seed, and users without settings', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-seed-'));
  const file = join(folder, 'seed.yaml');
  await writeFile(join(folder, 'note.txt'), 'a note');
  await writeFile(file, 'users:\n  alice:\nmedia:\n  note: {by: alice, file: note.txt}\n');
  const seed = await readSeedFile(file);
  const server = await startTemporary(async (services) => void (await addSeed(services, seed, folder)));
  await server.remove();
  await writeFile(file, 'users: {alice');
  await expect(readSeedFile(file)).rejects.toThrow(`${file}: `);
  await expect(readSeedFile(join(folder, 'none.yaml'))).rejects.toThrow('ENOENT');
  await rm(folder, { recursive: true });
});
