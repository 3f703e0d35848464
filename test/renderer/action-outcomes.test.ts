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
