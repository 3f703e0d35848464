/** Actions and undo. Bulk actions: failed, lost and stopped items, with retry and undo. */
import { expect, test } from 'vitest';
import type { IncomingReply } from '../../shared/connection.ts';
import { actingConsoles, holding, inSuspensions, isAbout, unreachable } from './acting-consoles.tsx';
import { actingScene } from './acting-scene.ts';
import { testedDialect } from './tested-dialect.ts';

const on = actingConsoles();
const reply = (status: number, errcode: string, error: string): IncomingReply => ({
  status,
  body: { errcode, error },
});

/**
 * Returns a barrier that opens when `count` requests have arrived. Lost requests fail after all replies, however slow
 * those are.
 */
function gathering(count: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  let arrived = 0;
  return () => {
    if (++arrived === count) resolve();
    return promise;
  };
}

test('a job shows how many items others had already done', async () => {
  const users = await on.users(3);
  await on.homeserver.as('admin').put(`/_service/admin/v1/suspend/${users[0]}`, { suspend: true });
  const admin = on.open('admin');
  const job = on.suspend(admin, users);
  await on.eventually(job.text).toContain('3 of 3 done (1 unchanged)');
  const unchanged = on.log(admin).filter((entry) => entry.unchanged);
  expect(unchanged.map(({ subject, outcome }) => [subject.userId, outcome])).toEqual([[users[0], 'done']]);
});

test('a rate-limited job waits and loses nothing', async () => {
  const users = await on.users(4);
  let asked = 0;
  const limit = inSuspensions(async (_, forward) =>
    ++asked <= 2
      ? { status: 429, body: { errcode: 'M_LIMIT_EXCEEDED', error: 'Too fast', retry_after_ms: 60_000 } }
      : forward(),
  );
  const job = on.suspend(on.open('admin', { interfere: limit }), users);
  await on.eventually(() => asked).toBe(4);
  await on.pass(50_000);
  expect(asked).toBe(4);
  await on.eventually(job.text).toContain('4 users suspended');
  expect(await on.suspended(...users)).toBe(4);
});

test('a job that loses its connection stops, shows the remaining items, and resumes, also after a reload', async () => {
  const users = await on.users(6);
  let sent = 0;
  const othersSent = gathering(4);
  const breakAfterTwo = inSuspensions(async (_, forward) => {
    if (++sent <= 2) return forward();
    await othersSent();
    throw unreachable();
  });
  const first = on.open('admin', { interfere: breakAfterTwo });
  const job = on.suspend(first, users);
  await on.eventually(job.text).toContain('2 of 6 done, 4 unanswered');
  expect(job.text()).toContain("Can't reach");
  expect(await on.suspended(...users)).toBe(2);

  const after = on.find(on.reload(first), job);
  expect(after.text()).toContain('2 of 6 done, 4 unanswered');
  after.resume();
  await on.eventually(after.text).toContain('6 users suspended');
  expect(await on.suspended(...users)).toBe(6);
});

test("a resumed job that the user stops doesn't show why it stopped before", async () => {
  const users = await on.users(6);
  const { held, hold } = holding();
  let isLost = true;
  const lostAtFirst = inSuspensions(async (request, forward) => {
    if (isLost) throw unreachable();
    return hold(request, forward);
  });
  const job = on.suspend(on.open('admin', { interfere: lostAtFirst }), users);
  await on.eventually(job.text).toContain("Can't reach");
  isLost = false;
  job.resume();
  await on.eventually(() => held.length).toBe(4);
  job.stop();
  for (const { goOn } of held) goOn();
  await on.eventually(job.text).toContain('4 of 6 done');
  expect(job.now().state).toBe('stopped');
  expect(job.text()).not.toContain("Can't reach");
});

test('actions with lost replies, which a colleague may have done, are undone only one by one', async () => {
  const users = await on.users(6);
  /** By order of first request: two succeed, two never arrive, and two lose their replies. */
  const sent: string[] = [];
  const othersSent = gathering(4);
  const admin = on.open('admin', {
    interfere: inSuspensions(async (request, forward) => {
      const userId = users.find((each) => isAbout(request, each)) ?? '';
      if (!sent.includes(userId)) sent.push(userId);
      const at = sent.indexOf(userId);
      if (at < 2) return forward();
      await othersSent();
      if (at > 3) await forward();
      throw unreachable();
    }),
  });
  const job = on.suspend(admin, users);
  await on.eventually(job.text).toContain('2 of 6 done, 4 unanswered');
  expect(await on.suspended(...users)).toBe(4);
  const [, , colleagues = '', unsent = '', own = ''] = sent;
  await on.homeserver.as('admin').put(`/_service/admin/v1/suspend/${colleagues}`, { suspend: true });

  admin.interfere = undefined;
  job.resume();
  await on.eventually(job.text).toContain('6 users suspended');
  job.undo();
  await on.eventually(job.text).toContain('3 of 6 done, 3 failed');
  expect(await on.suspended(colleagues)).toBe(1);
  expect(await on.suspended(unsent)).toBe(0);
  expect(await on.suspended(...users)).toBe(3);

  expect(job.failures().match(/Another admin may have done this/g)).toHaveLength(3);
  job.retry();
  await on.eventually(job.text).toContain('3 of 6 done, 3 failed');
  expect(await on.suspended(...users)).toBe(3);
  job.retry(own);
  await on.eventually(job.text).toContain('4 of 6 done, 2 failed');
  expect(await on.suspended(own)).toBe(0);
  expect(await on.suspended(...users)).toBe(2);
});

test('a lost request is retried once, and then fails alone', async () => {
  const users = await on.users(4);
  const [lost = '', late = ''] = users;
  let tries = 0;
  const admin = on.open('admin', {
    interfere: inSuspensions(async (request, forward) => {
      if (isAbout(request, lost)) return { status: 502, body: undefined };
      if (!isAbout(request, late) || ++tries > 1) return forward();
      await forward();
      throw unreachable();
    }),
  });
  const job = on.suspend(admin, users);
  await on.eventually(job.text).toContain('3 of 4 done, 1 failed');
  expect(await on.suspended(...users)).toBe(3);
  expect(job.text()).toContain('One failure');
  expect(job.failures()).toMatch(new RegExp(`${lost} .*The proxy can't reach the server`));

  admin.interfere = undefined;
  job.retry();
  await on.eventually(job.text).toContain('4 users suspended');
  expect(await on.suspended(...users)).toBe(4);
  // The lost requests that did arrive were changes of this job, so undo reverts them too.
  job.undo();
  await on.eventually(job.text).toContain('4 users unsuspended');
  expect(await on.suspended(...users)).toBe(0);
});

test("lost requests aren't retried after a stop", async () => {
  const users = await on.users(6);
  const { held, hold } = holding();
  const job = on.suspend(on.open('admin', { interfere: inSuspensions(hold) }), users);
  await on.eventually(() => held.length).toBe(4);
  held[0]?.lose();
  await on.pass(100);
  job.stop();
  // Longer than the delay before lost requests are retried.
  await on.pass(3_000);
  for (const { goOn } of held.slice(1)) goOn();
  await on.eventually(job.text).toContain('3 of 6 done');
  expect(held).toHaveLength(4);
  expect(await on.suspended(...users)).toBe(3);
});

test("a late loss of a stopped job's request doesn't affect the resumed job", async () => {
  const users = await on.users(6);
  const [early, late] = [holding(), holding()];
  const admin = on.open('admin', { interfere: inSuspensions(early.hold) });
  const job = on.suspend(admin, users);
  await on.eventually(() => early.held.length).toBe(4);
  job.stop();
  admin.interfere = inSuspensions(late.hold);
  job.resume();
  await on.eventually(() => late.held.length).toBe(4);
  for (const { lose } of early.held) lose();
  // Longer than the delay before lost requests are retried.
  await on.pass(5_000);
  expect(late.held).toHaveLength(4);
  for (const { goOn } of late.held) goOn();
  await on.eventually(() => late.held.length).toBe(6);
  for (const { goOn } of late.held.slice(4)) goOn();
  await on.eventually(job.text).toContain('6 users suspended');
  expect(await on.suspended(...users)).toBe(6);
});

test('a job undoes nothing for users who were deactivated since', async () => {
  const [first = '', ...others] = await on.users(3);
  const admin = on.open('admin');
  const deactivate = async (userIds: string[], done: string) => {
    const items = userIds.map((userId) => ({ kind: 'user' as const, userId }));
    await on.eventually(on.act(admin, 'deactivate-user', items).text).toContain(done);
  };
  const job = on.suspend(admin, [first, ...others]);
  await on.eventually(job.text).toContain('3 users suspended');
  await deactivate(others, '2 users deactivated');
  job.undo();
  await on.eventually(job.text).toContain(`${first} unsuspended`);
  const again = on.suspend(admin, [first]);
  await on.eventually(again.text).toContain('suspended');
  expect(again.text()).toContain('Undo');
  await deactivate([first], 'deactivated');
  expect(again.text()).not.toContain('Undo');
});

test('losing admin rights stops a job with an error, and leaves the rest', async () => {
  const users = await on.users(6);
  let [answered, refused] = [0, 0];
  const noAdministrator = reply(403, 'M_FORBIDDEN', 'You are not a server admin');
  const refuse = inSuspensions(async (_, forward) => {
    if (++answered <= 2) return forward();
    refused += 1;
    return noAdministrator;
  });
  const admin = on.open('admin', {
    interfere: async (request, forward) =>
      request.path.endsWith(`/users/${encodeURIComponent('@admin:localhost')}/admin`)
        ? noAdministrator
        : refuse(request, forward),
  });
  const job = on.suspend(admin, users);
  await on.eventually(job.text).toContain('2 of 6 done, 4 left');
  expect(job.text()).toContain("isn't a server admin");
  expect(refused).toBeLessThanOrEqual(4);
  expect(job.text()).not.toContain('failed');
  expect(on.log(admin).map(({ outcome }) => outcome)).toEqual(['done', 'done']);

  admin.interfere = undefined;
  job.resume();
  await on.eventually(job.text).toContain('6 users suspended');
  expect(await on.suspended(...users)).toBe(6);
});

test('a missing permission for one item fails only that item', async () => {
  const users = await on.users(4);
  const admin = on.open('admin', {
    interfere: inSuspensions(async (request, forward) =>
      isAbout(request, users[0] ?? '') ? reply(403, 'M_FORBIDDEN', 'Not an admin of theirs') : forward(),
    ),
  });
  const job = on.suspend(admin, users);
  await on.eventually(job.text).toContain('3 of 4 done, 1 failed');
  expect(await on.suspended(...users)).toBe(3);
});

test('retrying failed items leaves those remaining after a stop', async () => {
  const users = await on.users(6);
  const { held, hold } = holding();
  let refuses = true;
  const admin = on.open('admin', {
    interfere: inSuspensions(async (request, forward) =>
      refuses && isAbout(request, users[0] ?? '')
        ? reply(500, 'M_UNKNOWN', 'The disk is on fire')
        : hold(request, forward),
    ),
  });
  const job = on.suspend(admin, users);
  await on.eventually(() => held.length).toBe(4);
  await on.eventually(job.text).toContain('0 of 6 done, 1 failed');
  job.stop();
  refuses = false;
  // Retry also works while the last replies are pending.
  job.retry();
  await on.eventually(() => held.length).toBe(5);
  for (const { goOn } of held) goOn();
  await on.eventually(job.text).toContain('5 of 6 done, 1 left');
  expect(await on.suspended(...users)).toBe(5);
  expect(held).toHaveLength(5);

  admin.interfere = undefined;
  job.resume();
  await on.eventually(job.text).toContain('6 users suspended');
});

test('a job too large to save asks before the page closes, also when nothing responds', async () => {
  const admin = on.open('admin');
  admin.isOffline = true;
  const job = on.suspend(
    admin,
    Array.from({ length: 2_001 }, (_, index) => `@person${index}:localhost`),
  );
  await on.eventually(job.text).toContain('Resume');
  expect(job.text()).toContain("Keep this page open. A job this large isn't saved.");
  const wouldAsk = () => !on.page.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  expect(wouldAsk()).toBe(true);
  job.dismiss();
  expect(wouldAsk()).toBe(false);
});

test.each([
  ['suspend-user', 'unsuspend-user', 'suspended', 'USER suspended', 'USER unsuspended'],
  ['lock-user', 'unlock-user', 'locked', 'USER locked', 'USER unlocked'],
  [
    'make-administrator',
    'revoke-administrator',
    'admin',
    'USER is now a server admin',
    'Server admin rights removed from USER',
  ],
  [
    'shadow-ban-user',
    'unshadow-ban-user',
    'shadow_banned',
    'USER shadow-banned',
    'Shadow-ban of USER removed',
  ],
])('%s is undone by its undo and by %s', async (id, lift, flag, done, undone) => {
  const [userId = ''] = await on.users(1);
  const item = { kind: 'user', userId } as const;
  const isSo = async () =>
    (await on.homeserver.as('admin').get(`/_service/admin/v2/users/${encodeURIComponent(userId)}`)).body[
      flag
    ];
  const admin = on.open('admin', { dialect: testedDialect });
  const job = on.act(admin, id, [item], { reason: 'For a reason' });
  await on.eventually(job.text).toContain(done.replace('USER', userId));
  expect(await isSo()).toBe(true);
  job.undo();
  await on.eventually(job.text).toContain(undone.replace('USER', userId));
  expect(await isSo()).toBe(false);
  expect(on.log(admin)).toMatchObject([
    { action: id, outcome: 'done', reason: 'For a reason' },
    { action: id, outcome: 'undone' },
  ]);

  on.act(admin, id, [item]);
  await on.eventually(isSo).toBe(true);
  on.act(admin, lift, [item]);
  await on.eventually(isSo).toBe(false);
});

test("undoing a ban keeps a colleague's later ban", async () => {
  const { userId, roomId, room, asUser } = await actingScene(on.homeserver);
  const fields = { takePower: true, leaveAfterwards: true };
  const admin = on.open('admin', { dialect: testedDialect });
  const job = on.act(admin, 'ban-member', [{ kind: 'member', userId, roomId }], { fields });
  await on.eventually(job.text).toMatch(new RegExp(`Banned ${userId}`));
  const alice = on.homeserver.as('alice');
  for (const change of ['unban', 'ban']) {
    expect((await alice.post(`${room}/${change}`, { user_id: userId })).status).toBe(200);
  }
  job.undo();
  await on.eventually(job.text).toContain('One failure');
  expect(job.failures()).toContain('Changed by another admin since then');
  expect((await asUser('POST', `${room}/join`, {})).status).toBe(403);
});
