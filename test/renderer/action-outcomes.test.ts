/** Single actions: their preview, what they change on the server, and what their undo restores. */
import { describe, expect, test } from 'vitest';
import { actionById } from '../../renderer/actions/catalogue/catalogue.ts';
import type { Item } from '../../renderer/actions/items.ts';
import { describe as describeEntry } from '../../renderer/team/Timeline.tsx';
import { createUser } from '../../server/identity/accounts/create-user.ts';
import type { Fields } from '../../shared/team/action-inputs.ts';
import { crossSigning } from '../server/encryption/keys.ts';
import { call } from '../server/homeserver.ts';
import { actingConsoles, unreachable } from './acting-consoles.tsx';
import { actingScene } from './acting-scene.ts';
import type { Interfere, TeamConsole } from './team-consoles.ts';
import { testedDialect } from './tested-dialect.ts';

const on = actingConsoles();
const administration = '/_service/admin';
const client = '/_chat/client/v3';
const enc = encodeURIComponent;

const asAdmin = () => on.homeserver.as('admin');
const open = (interfere?: Interfere) =>
  on.open('admin', { dialect: testedDialect, ...(interfere && { interfere }) });
const user = (userId: string): Item => ({ kind: 'user', userId });
const userNow = async (userId: string) =>
  (await asAdmin().get(`${administration}/v2/users/${enc(userId)}`)).body;
const change = (userId: string, changed: object) =>
  asAdmin().put(`${administration}/v2/users/${enc(userId)}`, changed);
const logIn = (userId: string, password: string) =>
  call(on.homeserver.url, 'POST', `${client}/login`, undefined, {
    type: 'm.login.password',
    identifier: { type: 'm.id.user', user: userId },
    password,
  });

/** Returns the sentences of an action's preview. */
async function preview(opened: TeamConsole, id: string, item: Item, fields: Fields = {}) {
  const forecast = actionById(id)?.forecast;
  if (!forecast) throw new Error(`${id} has no preview`);
  return forecast(opened.server, item, { reason: '', fields }, new AbortController().signal);
}

/** Stores rate limits, which the built-in homeserver doesn't support. */
function rateLimits(limit: unknown = {}) {
  const stored = { limit };
  const interfere: Interfere = async ({ method, path, body }, forward) => {
    if (!path.endsWith('/override_ratelimit')) return forward();
    if (method !== 'GET') stored.limit = body ?? {};
    return { status: 200, body: stored.limit };
  };
  return { stored, interfere };
}

/** Loses the replies to changes. */
const losing =
  (interfere: Interfere): Interfere =>
  async (request, forward) => {
    const reply = await interfere(request, forward);
    if (request.method !== 'GET') throw unreachable();
    return reply;
  };

describe('if a colleague has changed it', () => {
  test('undo keeps their later rate limit', async () => {
    const [userId = ''] = await on.users(1);
    const { stored, interfere } = rateLimits();
    const admin = open(interfere);
    const limit = () =>
      on.act(admin, 'override-rate-limit', [user(userId)], { fields: { perSecond: 3, burst: 5 } });
    const first = limit();
    await on.eventually(first.text).toContain(`Rate limit of ${userId} changed`);
    first.undo();
    await on.eventually(first.text).toContain(`Rate limit of ${userId} restored`);
    const second = limit();
    await on.eventually(second.text).toContain(`Rate limit of ${userId} changed`);
    const colleague = { messages_per_second: 7, burst_count: 9 };
    stored.limit = colleague;
    second.undo();
    await on.eventually(second.text).toContain('One failure');
    expect(second.failures()).toContain('Changed by another admin since then. Not undone.');
    expect(stored.limit).toEqual(colleague);
  });

  test('a lock that they made first has no undo', async () => {
    const [userId = ''] = await on.users(1);
    await change(userId, { locked: true });
    const job = on.act(open(), 'lock-user', [user(userId)]);
    await on.eventually(job.text).toContain(`${userId} locked`);
    expect(job.text()).not.toContain('Undo');
    expect((await userNow(userId)).locked).toBe(true);
  });

  test.each<{ id: string; fields: Fields; after: object }>([
    {
      id: 'override-rate-limit',
      fields: { perSecond: 5, burst: 5 },
      after: { limit: { messages_per_second: 5, burst_count: 5 }, displayname: 'Before' },
    },
    {
      id: 'edit-profile',
      fields: { displayname: 'Another' },
      after: { limit: { messages_per_second: 2, burst_count: 3 }, displayname: 'Another' },
    },
  ])('or a reply was lost, undo of $id needs a confirmation', async ({ id, fields, after }) => {
    const userId = await createUser(on.homeserver.services, { localpart: 'mallory', displayName: 'Before' });
    const before = { limit: { messages_per_second: 2, burst_count: 3 }, displayname: 'Before' };
    const { stored, interfere } = rateLimits(before.limit);
    const now = async () => ({ ...stored, displayname: (await userNow(userId)).displayname });
    const admin = open(losing(interfere));
    const job = on.act(admin, id, [user(userId)], { fields });
    await on.eventually(job.text).toContain("Can't reach");
    admin.interfere = interfere;
    job.resume();
    await on.eventually(job.text).toContain('Undo');
    job.undo();
    await on.eventually(job.text).toContain('One failure');
    expect(job.failures()).toContain('Another admin may have done this.');
    expect(await now()).toEqual(after);
    job.retry(userId);
    await on.eventually(now).toEqual(before);
    expect(job.text()).not.toContain('failure');
  });
});

/** Uploads media as Carol. Returns its address and the reply to a download by Alice. */
async function upload(content: string) {
  const { body } = await on.homeserver
    .as('carol')
    .post('/_chat/media/v3/upload?filename=a.json', { content });
  const uri: string = body.content_uri;
  const path = `/_chat/client/v1/media/download/${uri.slice('mxc://'.length)}`;
  return { uri, download: async () => (await on.homeserver.as('alice').get(path)).status };
}

test('an image and its thumbnail are quarantined, and released by undo', async () => {
  const { roomId, eventIds } = await actingScene(on.homeserver);
  const of = { roomId, eventId: eventIds[0] ?? '' };
  const files = [await upload('picture'), await upload('thumbnail')];
  const items = files.map(({ uri }): Item => ({ kind: 'media', uri, of }));
  const downloads = () => Promise.all(files.map(({ download }) => download()));
  const job = on.act(open(), 'quarantine-media', items);
  await on.eventually(job.text).toContain('2 media quarantined');
  expect(await downloads()).toEqual([404, 404]);
  job.undo();
  await on.eventually(job.text).toContain('2 media removed from quarantine');
  expect(await downloads()).toEqual([200, 200]);
});

test("undoing the quarantine of a room's media keeps earlier ones", async () => {
  const scene = await actingScene(on.homeserver, { messages: 0 });
  const [before, now] = [await upload('before'), await upload('now')];
  for (const { uri } of [before, now]) {
    const content = { msgtype: 'm.image', body: 'a.png', url: uri };
    await scene.asUser('PUT', `${scene.room}/send/m.room.message/${enc(uri)}`, content);
  }
  await asAdmin().post(`${administration}/v1/media/quarantine/${before.uri.slice('mxc://'.length)}`, {});
  const room: Item = { kind: 'room', roomId: scene.roomId, name: scene.name };
  const job = on.act(open(), 'quarantine-room-media', [room]);
  await on.eventually(job.text).toContain(`Media in ${scene.name} quarantined`);
  expect([await before.download(), await now.download()]).toEqual([404, 404]);
  job.undo();
  await on.eventually(job.text).toContain(`Media in ${scene.name} removed from quarantine`);
  expect([await before.download(), await now.download()]).toEqual([404, 200]);
});

describe('in a room where the admin lacks the power level', () => {
  const agreed = { takePower: true, leaveAfterwards: true };
  const members = async (roomId: string) =>
    (await asAdmin().get(`${administration}/v1/rooms/${enc(roomId)}/members`)).body.members;

  test('a kicked user can rejoin, a banned one only after the undo, and the admin leaves', async () => {
    const { userId, roomId, room, asUser } = await actingScene(on.homeserver);
    const member: Item = { kind: 'member', userId, roomId };
    const join = async () => (await asUser('POST', `${room}/join`, {})).status;
    const admin = open();
    await on
      .eventually(on.act(admin, 'kick-member', [member], { fields: agreed }).text)
      .toContain(`Kicked ${userId}`);
    expect(await members(roomId)).not.toContain(userId);
    expect(await join()).toBe(200);
    const ban = on.act(admin, 'ban-member', [member], { fields: agreed });
    await on.eventually(ban.text).toContain(`Banned ${userId}`);
    expect(await join()).toBe(403);
    expect(await members(roomId)).not.toContain(asAdmin().userId);
    ban.undo();
    await on.eventually(ban.text).toContain(`Unbanned ${userId}`);
    expect(await join()).toBe(200);
    expect(await members(roomId)).not.toContain(asAdmin().userId);
  });

  test('nothing happens without consent to becoming room admin', async () => {
    const { roomId, eventIds, content } = await actingScene(on.homeserver);
    const event: Item = { kind: 'event', roomId, eventId: eventIds[0] ?? '' };
    const admin = open();
    const refused = on.act(admin, 'redact-event', [event]);
    await on.eventually(refused.text).toContain('One failure');
    expect(refused.failures()).toContain('Not allowed:');
    expect(await members(roomId)).not.toContain(asAdmin().userId);
    expect(await content(eventIds[0])).toEqual({ msgtype: 'm.text', body: 'Message 1' });
    const fields = { takePower: true, leaveAfterwards: false };
    await on.eventually(on.act(admin, 'redact-event', [event], { fields }).text).toContain('Event redacted');
    expect(await content(eventIds[0])).toEqual({});
    expect(await members(roomId)).toContain(asAdmin().userId);
    expect(on.log(admin).map(({ outcome }) => outcome)).toEqual(['failed', 'done']);
  });

  test('its creator is out of reach, and other members are not', async () => {
    const { userId, roomId } = await actingScene(on.homeserver);
    const admin = open();
    const told = (userId: string) => preview(admin, 'ban-member', { kind: 'member', userId, roomId });
    expect(await told('@alice:localhost')).toMatchObject({
      sentences: [expect.stringContaining("You can't outrank @alice:localhost in this room.")],
      idle: true,
    });
    expect(await told(userId)).toEqual({ sentences: [] });
  });
});

test('undoing an action on an escalated report escalates it again', async () => {
  const { userId, reportIds } = await actingScene(on.homeserver);
  const [report = 0] = reportIds;
  const admin = open();
  admin.team.mark([report], 'escalated');
  const job = on.act(admin, 'suspend-user', [{ kind: 'user', userId, reports: [report] }], {
    fields: { markReviewed: true },
  });
  await on.eventually(job.text).toContain(`${userId} suspended`);
  expect(admin.marks()).toEqual({ [report]: 'reviewed' });
  job.undo();
  await on.eventually(job.text).toContain(`${userId} unsuspended`);
  expect(admin.marks()).toEqual({ [report]: 'escalated' });
  const marks = admin.team.timeline({ kind: 'report', id: report }).filter(({ type }) => type === 'mark');
  expect(marks.map((mark) => describeEntry(mark, undefined, undefined).what)).toEqual([
    'reopened this as escalated',
    expect.anything(),
    'escalated this',
  ]);
});

test('cross-signing is reset without the password until the shown time', async () => {
  const alice = on.homeserver.as('alice');
  const upload = async () =>
    (await alice.post(`${client}/keys/device_signing/upload`, crossSigning(alice.userId).upload)).status;
  const admin = open();
  const allow = (userId: string) => on.act(admin, 'allow-cross-signing-reset', [user(userId)]);
  const refused = allow('@bob:localhost');
  await on.eventually(refused.text).toContain('One failure');
  expect(refused.failures()).toMatch(/No cross-signing keys to replace\. .* without a password\./);

  expect([await upload(), await upload()]).toEqual([200, 401]);
  const job = allow(alice.userId);
  await on.eventually(job.text).toMatch(/Cross-signing reset allowed for @alice:localhost until .*\d\d:\d\d/);
  expect(on.log(admin).at(-1).detail).toMatch(/^until .*\d\d:\d\d/);
  expect(await upload()).toBe(200);
});

test('a deactivated account gets no password alone, but is reactivated with one', async () => {
  const [userId = ''] = await on.users(1);
  await asAdmin().post(`${administration}/v1/deactivate/${enc(userId)}`, { erase: false });
  const admin = open();
  const reset = on.act(admin, 'reset-password', [user(userId)], { fields: { password: 'generated' } });
  await on.eventually(reset.text).toContain('One failure');
  expect(reset.failures()).toContain('This account is deactivated. Reactivate the user to set a password.');
  const { answered } = on.panel(admin, 'reactivate-user', [user(userId)]);
  const job = on.act(admin, 'reactivate-user', [user(userId)], { fields: answered });
  await on.eventually(job.text).toContain(`${userId} reactivated`);
  expect((await logIn(userId, job.secrets.get(userId) ?? '')).status).toBe(200);
});

test('warnings by direct message share a room, and keep other direct rooms of the user', async () => {
  const opened = await open();
  const userId = await createUser(on.homeserver.services, { localpart: 'warned' });
  const direct = `${client}/user/${asAdmin().userId}/account_data/m.direct`;
  await asAdmin().put(direct, { [userId]: ['!earlier:localhost'], '@bob:localhost': ['!bob:localhost'] });
  for (const text of ['Please stop.', 'Stop now.']) {
    const warned = on.act(opened, 'warn-user', [user(userId)], { fields: { via: 'direct', text } });
    await expect.poll(() => warned.now().state).toBe('ended');
  }
  const rooms = (await asAdmin().get(direct)).body;
  expect(rooms).toEqual({
    [userId]: ['!earlier:localhost', expect.stringMatching(/^!/)],
    '@bob:localhost': ['!bob:localhost'],
  });
  const { chunk } = (await asAdmin().get(`${client}/rooms/${enc(rooms[userId][1])}/messages?dir=b`)).body;
  const sent = chunk.filter(({ type }: { type: string }) => type === 'm.room.message');
  expect(sent.map(({ content }: { content: { body: string } }) => content.body)).toEqual([
    'Stop now.',
    'Please stop.',
  ]);
});

test("admins can't remove their own rights", async () => {
  const own = asAdmin().userId;
  const job = on.act(open(), 'revoke-administrator', [user(own)]);
  await on.eventually(job.text).toContain('One failure');
  expect(job.failures()).toContain('You may not demote yourself');
  expect((await userNow(own)).admin).toBe(true);
});

test('a deleted room moves its members to a room of the given name', async () => {
  const { roomId } = await actingScene(on.homeserver);
  const room: Item = { kind: 'room', roomId, name: 'Old place' };
  const admin = open();
  const fields = { message: 'We moved.', roomName: 'New place' };
  expect(on.panel(admin, 'purge-room', [room]).names).not.toContain('roomName');
  const { answered } = on.panel(admin, 'purge-room', [room], { fields });
  const job = on.act(admin, 'purge-room', [room], { fields: answered });
  await on.eventually(job.text).toContain('Old place deleted');
  expect((await asAdmin().get(`${administration}/v1/rooms/${enc(roomId)}`)).status).toBe(404);
  const found = await asAdmin().get(`${administration}/v1/rooms?search_term=New%20place`);
  expect(found.body.total_rooms).toBe(1);
});

test('a room is published, and gets another address, a member and an admin', async () => {
  const { roomId, name, room } = await actingScene(on.homeserver);
  const item: Item = { kind: 'room', roomId, name };
  const admin = open();
  const act = async (id: string, done: string, fields: Fields = {}, of: Item = item) =>
    on.eventually(on.act(admin, id, [of], { fields }).text).toContain(done);
  await act('publish-room', `${name} published in the room directory`);
  expect((await asAdmin().get(`${administration}/v1/rooms/${enc(roomId)}`)).body).toMatchObject({
    public: true,
  });
  const alias = '#another:localhost';
  const aliased = async () => (await asAdmin().get(`${client}/directory/room/${enc(alias)}`)).status;
  await act('add-alias', `Address added to ${name}`, { alias: 'another' });
  expect(await aliased()).toBe(200);
  await act('remove-alias', `${alias} removed`, {}, { kind: 'alias', roomId, alias });
  expect(await aliased()).toBe(404);
  await act('join-user', `User added to ${name}`, { user: '@carol:localhost' });
  await act('make-room-administrator', `New room admin in ${name}`, { user: '@carol:localhost' });
  const levels = await on.homeserver.as('alice').get(`${room}/state/m.room.power_levels`);
  expect(levels.body.users).toMatchObject({ '@carol:localhost': 100 });
});

test('a history purge previews what it deletes up to a date', async () => {
  const { roomId, name } = await actingScene(on.homeserver, { messages: 4 });
  const room: Item = { kind: 'room', roomId, name };
  const admin = open();
  const told = (fields: Fields) => preview(admin, 'purge-history', room, fields);
  const none = { sentences: ['No messages before this date. Choose a later one.'], idle: true };
  expect(await told({ before: '' })).toEqual({ sentences: ['Choose a date to preview the deletion.'] });
  expect(await told({ before: '2001-01-01T00:00' })).toEqual(none);
  const before = '2100-01-01T00:00';
  // Hiding local users' messages from everyone is also an effect.
  expect((await told({ before })).sentences[0]).toBe(
    'Permanently hides at most 4 local messages or reactions but keeps them in the database.',
  );
  const fields = { before, ownToo: true };
  const [deletes, total] = (await told(fields)).sentences;
  expect(deletes).toBe('Deletes at most 4 messages or reactions.');

  const job = on.act(admin, 'purge-history', [room], { fields });
  await on.eventually(job.text).toContain(`History of ${name} purged`);
  const left = await asAdmin().get(`${administration}/v1/rooms/${enc(roomId)}/messages?dir=b&limit=50`);
  const bodies = left.body.chunk.map(({ content }: { content: { body?: string } }) => content.body);
  expect(bodies).not.toContain('Message 1');
  // As many as the task reports; the last message before the date stays.
  const tasks = await asAdmin().get(`${administration}/v1/scheduled_tasks?resource_id=${enc(roomId)}`);
  const purged = tasks.body.scheduled_tasks[0].result.purged_events;
  expect(total).toContain(`At most ${purged + 1} events in all`);
});

/** Returns the users' own power levels in a room. */
const levelsIn = async (room: string) =>
  (await on.homeserver.as('alice').get(`${room}/state/m.room.power_levels`)).body;

test.each([
  ['a moderator the own level', 50],
  ["a member the room's default", undefined],
])('undoing a mute gives %s again', async (_, level) => {
  const { userId, roomId, room } = await actingScene(on.homeserver);
  const before = await levelsIn(room);
  const users = { ...before.users, ...(level !== undefined && { [userId]: level }) };
  await on.homeserver.as('alice').put(`${room}/state/m.room.power_levels`, { ...before, users });
  const fields = { takePower: true, leaveAfterwards: true };
  const opened = on.open('admin');
  const job = on.act(opened, 'mute-member', [{ kind: 'member', userId, roomId }], { fields });
  await on.eventually(job.text).toContain(`Muted ${userId}`);
  expect((await levelsIn(room)).users[userId]).toBe(-1);
  job.undo();
  await on.eventually(job.text).toContain(`Unmuted ${userId}`);
  expect((await levelsIn(room)).users[userId]).toBe(level);
});

test("undoing a mute keeps a colleague's later level", async () => {
  const { userId, roomId, room } = await actingScene(on.homeserver);
  const fields = { takePower: true, leaveAfterwards: true };
  const job = on.act(on.open('admin'), 'mute-member', [{ kind: 'member', userId, roomId }], { fields });
  await on.eventually(job.text).toContain(`Muted ${userId}`);
  const levels = await levelsIn(room);
  const users = { ...levels.users, [userId]: 25 };
  await on.homeserver.as('alice').put(`${room}/state/m.room.power_levels`, { ...levels, users });
  job.undo();
  await on.eventually(job.text).toContain(`Unmuted ${userId}`);
  expect((await levelsIn(room)).users[userId]).toBe(25);
});

const rate = (messages_per_second: number, burst_count: number) => ({ messages_per_second, burst_count });

test.each([
  ['none', {}],
  ['another one', rate(2, 7)],
  // 0 means unlimited.
  ['an unlimited rate', rate(0, 7)],
  ['an unlimited burst', rate(3, 0)],
])('undoing a rate limit and its removal restores %s', async (_, before) => {
  const [userId = ''] = await on.users(1);
  const { stored, interfere } = rateLimits(before);
  const admin = open(interfere);
  const fields = { perSecond: 5, burst: 9 };
  const job = on.act(admin, 'override-rate-limit', [user(userId)], { fields });
  await on.eventually(job.text).toContain('changed');
  expect(stored.limit).toEqual(rate(5, 9));
  job.undo();
  await on.eventually(job.text).toContain('restored');
  expect(stored.limit).toEqual(before);

  const removal = on.act(admin, 'remove-rate-limit', [user(userId)]);
  await on.eventually(removal.text).toContain('removed');
  expect(stored.limit).toEqual({});
  removal.undo();
  await on.eventually(() => stored.limit).toEqual(before);
});

test('undoing a name keeps an avatar that was changed since, and not a later name', async () => {
  const [userId = ''] = await on.users(1);
  const path = `${administration}/v2/users/${enc(userId)}`;
  const profile = async () => {
    const { displayname, avatar_url } = (await asAdmin().get(path)).body;
    return [displayname, avatar_url];
  };
  await asAdmin().put(path, { displayname: 'Old', avatar_url: 'mxc://localhost/old' });
  const opened = on.open('admin');
  const rename = () =>
    on.act(opened, 'edit-profile', [{ kind: 'user', userId }], { fields: { displayname: ' New ' } });
  const job = rename();
  await on.eventually(job.text).toContain(`Profile of ${userId} edited`);
  expect(await profile()).toEqual(['New', 'mxc://localhost/old']);
  await asAdmin().put(path, { avatar_url: 'mxc://localhost/new' });
  job.undo();
  await on.eventually(job.text).toContain(`Profile of ${userId} restored`);
  expect(await profile()).toEqual(['Old', 'mxc://localhost/new']);

  const again = rename();
  await on.eventually(again.text).toContain('edited');
  await asAdmin().put(path, { displayname: 'Later' });
  again.undo();
  await on.eventually(again.text).toContain('One failure');
  expect(again.failures()).toContain('Changed by another admin since then');
  expect(await profile()).toEqual(['Later', 'mxc://localhost/new']);
});

describe('media', () => {
  const media = (uri: string): Item => ({ kind: 'media', uri, of: { userId: '@carol:localhost' } });
  const pathOf = (uri: string) => uri.slice('mxc://'.length);
  const infoOf = async (uri: string) =>
    (await asAdmin().get(`${administration}/v1/media/${pathOf(uri)}`)).body.media_info;
  const quarantine = (person: string, uri: string) =>
    on.homeserver.as(person).post(`${administration}/v1/media/quarantine/${pathOf(uri)}`, {});
  const releaseAsBob = (uri: string) =>
    on.homeserver.as('bob').post(`${administration}/v1/media/unquarantine/${pathOf(uri)}`, {});

  test("in a colleague's later quarantine stays there when one's own is undone", async () => {
    await on.makeAdmin('bob');
    const { uri, download } = await upload('disputed');
    const admin = open();
    const job = on.act(admin, 'quarantine-media', [media(uri)]);
    await on.eventually(job.text).toContain('Media quarantined');
    await releaseAsBob(uri);
    await quarantine('bob', uri);
    job.undo();
    await on.eventually(job.text).toContain('One failure');
    expect(job.failures()).toContain('Changed by another admin since then');
    expect(await download()).toBe(404);

    const again = on.act(admin, 'quarantine-media', [media(uri)]);
    await on.eventually(again.text).toContain('Media quarantined');
    expect(again.text()).not.toContain('Undo');
  });

  test('that is released is quarantined again by undo, unless it was not in quarantine', async () => {
    const { uri, download } = await upload('released');
    await quarantine('admin', uri);
    const admin = open();
    const job = on.act(admin, 'release-media', [media(uri)]);
    await on.eventually(job.text).toContain('Media removed from quarantine');
    expect(await download()).toBe(200);
    const again = on.act(admin, 'release-media', [media(uri)]);
    await on.eventually(again.text).toContain('Media removed from quarantine');
    expect(again.text()).not.toContain('Undo');
    job.undo();
    await on.eventually(job.text).toContain('Media quarantined');
    expect(await download()).toBe(404);
  });

  test('that is protected is not quarantined, and its protection can be undone', async () => {
    const { uri, download } = await upload('protected');
    const isProtected = async () => (await infoOf(uri)).safe_from_quarantine;
    const admin = open();
    const protect = () => on.act(admin, 'protect-media', [media(uri)]);
    const job = protect();
    await on.eventually(job.text).toContain('Media protected');
    expect(await isProtected()).toBe(true);
    const again = protect();
    await on.eventually(again.text).toContain('Media protected');
    expect(again.text()).not.toContain('Undo');
    const refused = on.act(admin, 'quarantine-media', [media(uri)]);
    await on.eventually(refused.text).toContain('One failure');
    expect(refused.failures()).toContain('Protected from quarantine. Unprotect it first.');
    expect(await download()).toBe(200);

    const lifted = on.act(admin, 'unprotect-media', [media(uri)]);
    await on.eventually(lifted.text).toContain('Media unprotected');
    expect(await isProtected()).toBe(false);
    lifted.undo();
    await on.eventually(lifted.text).toContain('Media protected');
    expect(await isProtected()).toBe(true);
    job.undo();
    await on.eventually(job.text).toContain('Media unprotected');
    expect(await isProtected()).toBe(false);
  });

  test.each([
    ['fails', { status: 502, body: { errcode: 'M_UNKNOWN', error: 'Broken' } }, 'One failure', 200],
    ["isn't supported", { status: 404, body: { errcode: 'M_UNRECOGNIZED' } }, 'Media quarantined', 404],
    ["doesn't say", { status: 200, body: { media_info: {} } }, 'Media quarantined', 404],
  ])('whose protection is unknown, as reading it %s', async (_, reply, said, status) => {
    const { uri, download } = await upload('unknown');
    let reads = 0;
    // The first read is about an earlier quarantine.
    const admin = open(async ({ method, path }, forward) =>
      method === 'GET' && path.includes('/media/') && ++reads > 1 ? reply : forward(),
    );
    await on.eventually(on.act(admin, 'quarantine-media', [media(uri)]).text).toContain(said);
    expect(await download()).toBe(status);
  });

  test('of a user is quarantined, and undo keeps earlier quarantines', async () => {
    const [before, now] = [await upload('before'), await upload('now')];
    await quarantine('admin', before.uri);
    const downloads = async () => [await before.download(), await now.download()];
    const admin = open();
    const carol = user('@carol:localhost');
    const job = on.act(admin, 'quarantine-user-media', [carol]);
    await on.eventually(job.text).toContain('quarantined');
    expect(await downloads()).toEqual([404, 404]);
    job.undo();
    await on.eventually(job.text).toContain('removed from quarantine');
    expect(await downloads()).toEqual([404, 200]);
    await on
      .eventually(on.act(admin, 'release-user-media', [carol]).text)
      .toContain('Media of @carol:localhost removed from quarantine');
    expect(await downloads()).toEqual([200, 200]);
    expect(on.log(admin).at(-1)).toMatchObject({ detail: '1 media' });
  });

  test('of a room is released from quarantine', async () => {
    const scene = await actingScene(on.homeserver, { messages: 0 });
    const { uri, download } = await upload('in a room');
    const content = { msgtype: 'm.image', body: 'a.png', url: uri };
    await scene.asUser('PUT', `${scene.room}/send/m.room.message/1`, content);
    await quarantine('admin', uri);
    const room: Item = { kind: 'room', roomId: scene.roomId, name: scene.name };
    await on
      .eventually(on.act(open(), 'release-room-media', [room]).text)
      .toContain('removed from quarantine');
    expect(await download()).toBe(200);
  });
});

test.each([
  ['the own room stays joined, without an undo', true],
  ['a room that the admin joined is left again by undo', false],
])('%s', async (_, isMember) => {
  const { roomId, name, room } = await actingScene(on.homeserver);
  const isIn = async () =>
    (await asAdmin().get(`${administration}/v1/rooms/${enc(roomId)}/members`)).body.members.includes(
      asAdmin().userId,
    );
  if (isMember) await asAdmin().post(`${room}/join`, {});
  const job = on.act(open(), 'join-room-oneself', [{ kind: 'room', roomId, name }]);
  await on.eventually(job.text).toContain(`${name} joined`);
  expect(await isIn()).toBe(true);
  expect(job.text().includes('Undo')).toBe(!isMember);
  if (isMember) return;
  job.undo();
  await on.eventually(job.text).toContain(`${name} left again`);
  expect(await isIn()).toBe(false);
});

test('a user is added to a private room by its alias, and the admin leaves again', async () => {
  const alice = on.homeserver.as('alice');
  const alias = '#private:localhost';
  const { body } = await alice.post(`${client}/createRoom`, {
    preset: 'private_chat',
    room_alias_name: 'private',
  });
  const admin = open();
  const add = (fields: Fields) => on.act(admin, 'join-room', [user('@carol:localhost')], { fields });
  const missing = add({ room: '#missing:localhost', asAdmin: true });
  await on.eventually(missing.text).toContain('One failure');
  expect(missing.failures()).toContain('Room alias not found');
  await on.eventually(add({ room: ` ${alias} `, asAdmin: true }).text).toContain('@carol:localhost added');
  const members = await asAdmin().get(`${administration}/v1/rooms/${enc(body.room_id)}/members`);
  expect(members.body.members.toSorted()).toEqual(['@alice:localhost', '@carol:localhost']);
});

test.each([
  ['shut-down-room', { block: true }, { status: 200, block: true }],
  ['shut-down-room', { block: false }, { status: 200, block: false }],
  ['purge-room', { block: true }, { status: 404, block: true }],
  ['purge-room', { block: false }, { status: 404, block: false }],
])('%s with %o leaves %o', async (id, fields, after) => {
  const { roomId, name } = await actingScene(on.homeserver);
  const job = on.act(open(), id, [{ kind: 'room', roomId, name }], { fields });
  await on.eventually(job.text).toMatch(/shut down|deleted/);
  const path = `${administration}/v1/rooms/${enc(roomId)}`;
  const { status } = await asAdmin().get(path);
  expect({ status, block: (await asAdmin().get(`${path}/block`)).body.block }).toEqual(after);
});

test('an email and a phone number are normalized, and removed by undo', async () => {
  const [userId = ''] = await on.users(1);
  const threepids = async () =>
    (await userNow(userId)).threepids.map(({ address }: { address: string }) => address);
  const admin = open();
  const add = (fields: Fields) => on.act(admin, 'add-threepid', [user(userId)], { fields });
  const mail = add({ medium: 'email', address: ' Mallory@Example.ORG ' });
  await on.eventually(mail.text).toContain('Undo');
  const phone = add({ medium: 'msisdn', number: '+49 (170) 123-45.6/7' });
  await on.eventually(phone.text).toContain('Undo');
  expect((await threepids()).toSorted()).toEqual(['491701234567', 'mallory@example.org']);
  expect(on.log(admin)[0].detail).toBe('email mallory@example.org');
  phone.undo();
  await on.eventually(threepids).toEqual(['mallory@example.org']);

  const identity = { medium: 'email', address: 'mallory@example.org' } as const;
  const removal = on.act(admin, 'remove-identity', [{ kind: 'identity', userId, identity }]);
  await on.eventually(threepids).toEqual([]);
  await on.eventually(removal.text).toContain('Undo');
  removal.undo();
  await on.eventually(threepids).toEqual(['mallory@example.org']);
});

test('a custom user type is set, and undone unless a colleague has changed it', async () => {
  const [userId = ''] = await on.users(1);
  const type = async () => (await userNow(userId)).user_type;
  await change(userId, { user_type: 'bot' });
  const admin = open();
  const set = () =>
    on.act(admin, 'change-user-type', [user(userId)], { fields: { type: 'other', other: ' support ' } });
  const job = set();
  await on.eventually(job.text).toContain('Undo');
  expect(await type()).toBe('support');
  job.undo();
  await on.eventually(type).toBe('bot');
  const again = set();
  await on.eventually(again.text).toContain('Undo');
  await change(userId, { user_type: null });
  again.undo();
  await on.eventually(again.text).toContain('One failure');
  expect(await type()).toBeNull();
});

test('a device gets its earlier name again by undo, unless a colleague has changed it', async () => {
  const userId = '@carol:localhost';
  const devices = `${administration}/v2/users/${enc(userId)}/devices`;
  const [{ device_id: deviceId }] = (await asAdmin().get(devices)).body.devices;
  const device = `${devices}/${enc(deviceId)}`;
  const name = async () => (await asAdmin().get(device)).body.display_name;
  await asAdmin().put(device, { display_name: 'Old' });
  const admin = open();
  const rename = () =>
    on.act(admin, 'rename-device', [{ kind: 'device', userId, deviceId }], { fields: { name: ' New ' } });
  const job = rename();
  await on.eventually(job.text).toContain('Undo');
  expect(await name()).toBe('New');
  job.undo();
  await on.eventually(name).toBe('Old');
  const again = rename();
  await on.eventually(again.text).toContain('Undo');
  await asAdmin().put(device, { display_name: 'Later' });
  again.undo();
  await on.eventually(again.text).toContain('One failure');
  expect(await name()).toBe('Later');
});

test('clearing a profile removes name and avatar, and undo restores both', async () => {
  const [userId = ''] = await on.users(1);
  const profile = async () => {
    const { displayname, avatar_url } = await userNow(userId);
    return [displayname ?? '', avatar_url ?? ''];
  };
  const before = ['Impersonator', 'mxc://localhost/face'];
  await change(userId, { displayname: before[0], avatar_url: before[1] });
  const job = on.act(open(), 'clear-profile', [user(userId)]);
  await on.eventually(job.text).toContain('Undo');
  expect(await profile()).toEqual(['', '']);
  job.undo();
  await on.eventually(profile).toEqual(before);
});

test.each([
  [
    'delete-unused-media',
    { before: 1_000, largerThan: 5, keepProfiles: true },
    'before_ts=1000&size_gt=5&keep_profiles=true',
  ],
  [
    'delete-unused-media',
    { before: 1_000, largerThan: 0, keepProfiles: false },
    'before_ts=1000&size_gt=0&keep_profiles=false',
  ],
  ['purge-media-copies', { before: 1_000 }, 'before_ts=1000'],
])('%s passes on its limits %o', async (id, fields, query) => {
  const paths: string[] = [];
  const server: Item = { kind: 'server', name: 'localhost', actor: asAdmin().userId };
  const admin = open(async ({ method, path }, forward) => {
    if (method !== 'POST' || !path.includes('before_ts')) return forward();
    paths.push(path);
    return { status: 200, body: { total: 3, deleted: 3, deleted_media: [] } };
  });
  const job = on.act(admin, id, [server], { fields });
  await on.eventually(() => job.now().items.map(({ state }) => state)).toEqual(['done']);
  expect(paths.map((path) => path.split('?')[1])).toEqual([query]);
  expect(on.log(admin)[0].detail).toMatch(/^3 media, not opened since 1970-01-01/);
});

test('a muted member has no second mute to undo, and gets the default level by unmuting', async () => {
  const { userId, roomId, room } = await actingScene(on.homeserver);
  const member: Item = { kind: 'member', userId, roomId };
  const fields = { takePower: true, leaveAfterwards: true };
  const admin = on.open('admin');
  const act = async (id: string, done: string) => {
    const job = on.act(admin, id, [member], { fields });
    await on.eventually(job.text).toContain(done);
    return job;
  };
  const unmuted = await act('unmute-member', `Unmuted ${userId}`);
  expect(unmuted.now().items[0]?.unchanged).toBe(true);
  await act('mute-member', `Muted ${userId}`);
  expect((await act('mute-member', `Muted ${userId}`)).text()).not.toContain('Undo');
  const again = await act('unmute-member', `Unmuted ${userId}`);
  expect(again.now().items[0]?.unchanged).toBeFalsy();
  expect((await levelsIn(room)).users[userId]).toBeUndefined();
});
