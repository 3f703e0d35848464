/** Undoing actions restores the state from before, not more. */
import { expect, test } from 'vitest';
import { actingConsoles } from './acting-consoles.tsx';
import { actingScene } from './acting-scene.ts';

const on = actingConsoles();
const asAdmin = () => on.homeserver.as('admin');
const admin = '/_service/admin';
const enc = encodeURIComponent;

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

const limit = (messages_per_second: number, burst_count: number) => ({ messages_per_second, burst_count });

test.each([
  ['none', {}],
  ['another one', limit(2, 7)],
  // 0 means unlimited.
  ['an unlimited rate', limit(0, 7)],
  ['an unlimited burst', limit(3, 0)],
])('undoing a rate limit and its removal restores %s', async (_, before) => {
  const [userId = ''] = await on.users(1);
  // The built-in homeserver doesn't support rate limits.
  let stored: unknown = before;
  const opened = on.open('admin', {
    interfere: async ({ method, path, body }, forward) => {
      if (!path.endsWith('/override_ratelimit')) return forward();
      if (method !== 'GET') stored = method === 'POST' ? body : {};
      return { status: 200, body: stored };
    },
  });
  const item = { kind: 'user', userId } as const;
  const job = on.act(opened, 'override-rate-limit', [item], { fields: { perSecond: 5, burst: 9 } });
  await on.eventually(job.text).toContain('changed');
  expect(stored).toEqual(limit(5, 9));
  job.undo();
  await on.eventually(job.text).toContain('restored');
  expect(stored).toEqual(before);

  const removal = on.act(opened, 'remove-rate-limit', [item]);
  await on.eventually(removal.text).toContain('removed');
  expect(stored).toEqual({});
  removal.undo();
  await on.eventually(() => stored).toEqual(before);
});

test('undoing a name keeps an avatar that was changed since, and not a later name', async () => {
  const [userId = ''] = await on.users(1);
  const path = `${admin}/v2/users/${enc(userId)}`;
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
