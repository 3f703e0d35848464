import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, makeRoom, path, setState } from '../rooms/client.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const as = (name: string) => homeserver.as(name);
const profile = (userId: string, field?: string) => path('profile', userId, ...(field ? [field] : []));
const alices = '@alice:localhost';

describe('a custom field', () => {
  const timezone = { 'm.tz': 'Europe/Berlin' };

  test('stays in the profile until it is deleted', async () => {
    const carol = as('carol');
    const field = profile(carol.userId, 'm.tz');
    expect((await carol.put(field, timezone)).status).toBe(200);
    expect((await as('guest').get(field)).body).toEqual(timezone);
    const lists = { 'org.example.lists': [1, { a: null }] };
    expect((await carol.put(profile(carol.userId, 'org.example.lists'), lists)).status).toBe(200);
    expect((await as('guest').get(profile(carol.userId))).body).toEqual({
      displayname: 'carol',
      ...timezone,
      ...lists,
    });
    expect((await carol.delete(field)).status).toBe(200);
    expect((await carol.delete(field)).status).toBe(200);
    expect((await as('guest').get(field)).status).toBe(404);
    await carol.put(profile(carol.userId, 'displayname'), { displayname: 'Carol' });
    expect((await carol.delete(profile(carol.userId, 'displayname'))).status).toBe(200);
    expect((await as('guest').get(profile(carol.userId))).body).toEqual(lists);
    await carol.delete(profile(carol.userId, 'org.example.lists'));
  });

  test.each<[string, string, string, object, number, string]>([
    ['another user’s', 'bob', 'm.tz', timezone, 403, 'M_FORBIDDEN'],
    ['nobody’s', 'guest', 'm.tz', timezone, 401, 'M_MISSING_TOKEN'],
    ['without its value', 'carol', 'm.tz', { other: 1 }, 400, 'M_MISSING_PARAM'],
    ['with a bad name', 'carol', 'Bad Name', { 'Bad Name': 1 }, 400, 'M_INVALID_PARAM'],
    ['with a long name', 'carol', 'x'.repeat(256), { ['x'.repeat(256)]: 1 }, 400, 'M_KEY_TOO_LARGE'],
    ['that is too large', 'carol', 'm.tz', { 'm.tz': 'x'.repeat(65_536) }, 400, 'M_PROFILE_TOO_LARGE'],
    ['without a canonical form', 'carol', 'm.tz', { 'm.tz': 1.5 }, 400, 'M_BAD_JSON'],
  ])('is refused, %s', async (_, who, name, body, status, errcode) => {
    const reply = await as(who).put(profile('@carol:localhost', name), body);
    expect(reply).toMatchObject({ status, body: { errcode } });
  });
});

describe.each([
  ['vendor', '/_chat'],
  ['matrix', '/_matrix'],
])('in the %s dialect', (_, chat) => {
  const url = `${chat}/client/v3`;
  test.each<[string, string, 'get' | 'put', string, unknown, number, string]>([
    ['nobody', 'guest', 'put', '@alice:localhost/displayname', { displayname: 'x' }, 401, 'M_MISSING_TOKEN'],
    ['another', 'bob', 'put', '@alice:localhost/displayname', { displayname: 'x' }, 400, 'M_FORBIDDEN'],
    ['another', 'bob', 'put', '@alice:localhost/avatar_url', { avatar_url: 'x' }, 400, 'M_FORBIDDEN'],
    ['a number', 'alice', 'put', '@alice:localhost/displayname', { displayname: 5 }, 400, 'M_BAD_JSON'],
    ['null', 'alice', 'put', '@alice:localhost/displayname', { displayname: null }, 400, 'M_BAD_JSON'],
    ['nothing', 'alice', 'put', '@alice:localhost/displayname', {}, 400, 'M_MISSING_PARAM'],
    ['no body', 'alice', 'put', '@alice:localhost/avatar_url', undefined, 400, 'M_NOT_JSON'],
    [
      'too long a name',
      'alice',
      'put',
      '@alice:localhost/displayname',
      { displayname: 'x'.repeat(257) },
      400,
      'M_UNKNOWN',
    ],
    [
      'too long a picture',
      'alice',
      'put',
      '@alice:localhost/avatar_url',
      { avatar_url: `mxc://${'x'.repeat(1000)}` },
      400,
      'M_UNKNOWN',
    ],
    ['no identifier', 'alice', 'put', 'alice/displayname', { displayname: 'x' }, 400, 'M_INVALID_PARAM'],
    ['elsewhere', 'admin', 'put', '@a:example.org/displayname', { displayname: 'x' }, 400, 'M_UNKNOWN'],
    ['no user', 'admin', 'put', '@nobody:localhost/displayname', { displayname: 'x' }, 404, 'M_NOT_FOUND'],
    ['reading no user', 'guest', 'get', '@nobody:localhost', undefined, 404, 'M_NOT_FOUND'],
    ['reading no user', 'guest', 'get', '@nobody:localhost/displayname', undefined, 404, 'M_NOT_FOUND'],
    ['reading elsewhere', 'guest', 'get', '@a:example.org/avatar_url', undefined, 404, 'M_NOT_FOUND'],
    ['reading a word', 'guest', 'get', 'alice', undefined, 400, 'M_INVALID_PARAM'],
  ])('refuses %s: %s %s %s', async (__, caller, method, target, body, status, errcode) => {
    const reply = await as(caller)[method](`${url}/profile/${target}`, body);
    expect(reply).toMatchObject({ status, body: { errcode } });
  });

  test('is public', async () => {
    const of = async (target: string) => (await as('guest').get(`${url}/profile/${target}`)).body;
    expect(await of('@bob:localhost')).toEqual({ displayname: 'bob' });
    expect(await of('@bob:localhost/displayname')).toEqual({ displayname: 'bob' });
    expect(await of('@bob:localhost/avatar_url')).toEqual({ avatar_url: null });
  });

  test('lists the changes that users may make in the capabilities', async () => {
    expect((await as('guest').get(`${url}/capabilities`)).status).toBe(401);
    expect((await as('alice').get(`${url}/capabilities`)).body.capabilities).toMatchObject({
      'm.room_versions': { default: '11', available: { 11: 'stable' } },
      'm.change_password': { enabled: expect.any(Boolean) },
      'm.set_displayname': { enabled: true },
      'm.set_avatar_url': { enabled: true },
      'm.3pid_changes': { enabled: true },
      'm.get_login_token': { enabled: expect.any(Boolean) },
    });
  });
});

test.each<[string, string, string, number]>([
  ['a name of 256 characters', 'displayname', 'ä'.repeat(256), 200],
  ['a name of 257 characters', 'displayname', 'ä'.repeat(257), 400],
  ['an avatar of 1000 bytes', 'avatar_url', `mxc://${'ä'.repeat(497)}`, 200],
  ['an avatar of 1001 bytes', 'avatar_url', `mxc://${'ä'.repeat(497)}x`, 400],
  ['a field whose name has 255 bytes', 'x'.repeat(255), 'value', 200],
])('%s', async (_, field, value, status) => {
  const fiona = await homeserver.add(`fiona-${field.slice(0, 3)}-${value.length}`);
  expect(await fiona.put(profile(fiona.userId, field), { [field]: value })).toMatchObject({ status });
  const stored = (await as('guest').get(profile(fiona.userId))).body[field];
  if (status === 200) expect(stored).toBe(value);
  else expect(stored).not.toBe(value);
});

test("a change shows in the user's rooms and nowhere else", async () => {
  const alice = as('alice');
  const [joined, left, blocked] = [await makeRoom(alice), await makeRoom(alice), await makeRoom(alice)];
  await change(alice, left, 'leave');
  await as('admin').put(`/_service/admin/v1/rooms/${encodeURIComponent(blocked)}/block`, { block: true });
  const member = async (roomId: string) =>
    (await alice.get(path('rooms', roomId, 'state', 'm.room.member', alices))).body;

  expect(await alice.put(profile(alices, 'displayname'), { displayname: 'Ali 🐱' })).toMatchObject({
    status: 200,
    body: {},
  });
  await alice.put(profile(alices, 'avatar_url'), { avatar_url: 'mxc://localhost/cat' });
  const shown = { membership: 'join', displayname: 'Ali 🐱', avatar_url: 'mxc://localhost/cat' };
  expect(await member(joined)).toEqual(shown);
  expect(await member(left)).toEqual({ membership: 'leave' });
  expect(await member(blocked)).toEqual({ membership: 'join', displayname: 'alice' });
  expect((await alice.get(profile(alices))).body).toEqual({
    displayname: 'Ali 🐱',
    avatar_url: 'mxc://localhost/cat',
  });

  const events = async () => (await alice.get(`${path('rooms', joined, 'messages')}?limit=1000`)).body.chunk;
  const before = (await events()).length;
  await alice.put(profile(alices, 'displayname'), { displayname: 'Ali 🐱' });
  expect(await events()).toHaveLength(before);

  await as('admin').put(profile(alices, 'displayname'), { displayname: 'Renamed' });
  expect((await member(joined)).displayname).toBe('Renamed');

  await alice.put(profile(alices, 'displayname'), { displayname: '' });
  await alice.put(profile(alices, 'avatar_url'), { avatar_url: '' });
  expect(await member(joined)).toEqual({ membership: 'join' });
  expect((await alice.get(profile(alices, 'displayname'))).body).toEqual({ displayname: null });
  expect(await alice.get(profile(alices))).toMatchObject({ status: 404 });
});

test('a change also shows in restricted rooms', async () => {
  const dora = await homeserver.add('dora');
  const club = await makeRoom(as('bob'));
  const inner = await makeRoom(as('bob'), {
    preset: 'private_chat',
    initial_state: [
      {
        type: 'm.room.join_rules',
        content: { join_rule: 'restricted', allow: [{ type: 'm.room_membership', room_id: club }] },
      },
    ],
  });
  await change(dora, club, 'join');
  await change(dora, inner, 'join');
  await change(dora, club, 'leave');
  await setState(as('bob'), inner, 'm.room.topic', { topic: 't' });
  await dora.put(profile(dora.userId, 'displayname'), { displayname: 'Dorothea' });
  const { body } = await dora.get(path('rooms', inner, 'state', 'm.room.member', dora.userId));
  expect(body).toMatchObject({ membership: 'join', displayname: 'Dorothea' });
});

test('a user in many rooms is renamed by a background task', async () => {
  const erin = await homeserver.add('erin');
  const rooms: string[] = [];
  for (let index = 0; index < 25; index++) rooms.push(await makeRoom(erin));
  expect((await erin.put(profile(erin.userId, 'displayname'), { displayname: 'Erina' })).status).toBe(200);
  const tasks = async () =>
    (await as('admin').get('/_service/admin/v1/scheduled_tasks?action_name=update_join_states')).body
      .scheduled_tasks;
  await expect.poll(tasks).toMatchObject([{ status: 'complete', resource_id: erin.userId }]);
  for (const roomId of rooms) {
    const { body } = await erin.get(path('rooms', roomId, 'state', 'm.room.member', erin.userId));
    expect(body.displayname).toBe('Erina');
  }
});

test('if users may not change their profile, they may set empty fields, and admins all', async () => {
  const strict = await startHomeserver({
    config: { profiles: { mayChangeDisplayName: false, mayChangeAvatarUrl: false } },
  });
  const alice = strict.as('alice');
  expect(await alice.put(profile(alices, 'displayname'), { displayname: 'x' })).toMatchObject({
    status: 400,
    body: { errcode: 'M_FORBIDDEN' },
  });
  expect((await alice.put(profile(alices, 'avatar_url'), { avatar_url: 'mxc://a/b' })).status).toBe(200);
  expect((await alice.put(profile(alices, 'avatar_url'), { avatar_url: 'mxc://a/c' })).status).toBe(400);
  expect((await strict.as('admin').put(profile(alices, 'displayname'), { displayname: 'x' })).status).toBe(
    200,
  );
  expect((await alice.get(path('capabilities'))).body.capabilities).toMatchObject({
    'm.set_displayname': { enabled: false },
    'm.set_avatar_url': { enabled: false },
  });
  await strict.remove();
});
