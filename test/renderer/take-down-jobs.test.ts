/** The steps of a takedown, and what happens when one fails, is lost, is stopped or waits for the server. */
import { expect, test } from 'vitest';
import type { Item } from '../../renderer/actions/items.ts';
import type { User } from '../../renderer/api/user.ts';
import { teamOf } from '../../renderer/team/team-store.ts';
import type { Fields } from '../../shared/team/action-inputs.ts';
import { actingConsoles, unreachable } from './acting-consoles.tsx';
import { actingScene, openable, type Scene, uploads } from './acting-scene.ts';
import type { Interfere, TeamConsole } from './team-consoles.ts';

const on = actingConsoles();

const usual = { 'suspend-user': true, 'quarantine-user-media': true, 'redact-user': true, limit: 1000 };

/** Creates a reported user with two uploads. */
async function spammer(messages = 3) {
  const scene = await actingScene(on.homeserver, { messages });
  return { ...scene, files: await uploads(scene, 2) };
}

/** Takes down users as if from the first report on them, together with the others. */
const takeDown = (opened: TeamConsole, ...spammers: Pick<Scene, 'userId' | 'reportIds'>[]) =>
  on.act(
    opened,
    'take-down-user',
    spammers.map(({ userId, reportIds: [first = 0, ...others] }) => ({
      kind: 'user',
      userId,
      reports: [first],
      further: [{ of: 'report', reports: others }],
    })),
    { fields: { ...usual, markReviewed: true } },
  );

const reviewed = (opened: TeamConsole) =>
  [...teamOf(opened.server).snapshot().marksOf.report.values()].filter(({ state }) => state === 'reviewed')
    .length;

const logged = (opened: TeamConsole) => on.log(opened).map(({ action, outcome }) => `${action} ${outcome}`);

const quarantining =
  (answer: Interfere): Interfere =>
  (request, forward) =>
    request.method === 'POST' && request.path.endsWith('/media/quarantine')
      ? answer(request, forward)
      : forward();

/** A server whose redactions have the given progress. */
function redacting() {
  const progress = { status: 'active' };
  const interfere: Interfere = async (request, forward) =>
    request.path.includes('/redact_status/')
      ? { status: 200, body: { status: progress.status, failed_redactions: {} } }
      : forward();
  return { progress, interfere };
}

test('a failed step blocks later ones and is named, and the retry continues from there', async () => {
  const scene = await spammer();
  const { userId, eventIds, files } = scene;
  const admin = on.open('admin', {
    interfere: quarantining(async () => ({
      status: 400,
      body: { errcode: 'M_UNKNOWN', error: 'The disk is full' },
    })),
  });
  const job = takeDown(admin, scene);
  await on
    .eventually(job.text)
    .toMatch(/“Quarantine all media” failed, later steps weren't started: .*The disk is full/);
  expect(await on.suspended(userId)).toBe(1);
  expect(await scene.content(eventIds[0])).toMatchObject({ body: 'Message 1' });
  expect(reviewed(admin)).toBe(0);
  expect(job.text()).not.toContain('Resume');

  admin.interfere = undefined;
  job.retry();
  await on.eventually(job.text).toContain(`${userId} taken down`);
  expect(await openable(on.homeserver, files)).toBe(0);
  expect(await scene.content(eventIds[0])).toEqual({});
  expect(reviewed(admin)).toBe(3);
  expect(logged(admin)).toEqual([
    'suspend-user done',
    'quarantine-user-media failed',
    'quarantine-user-media done',
    'redact-user done',
  ]);
});

test("it stops if the server doesn't respond, and resumes from there", async () => {
  const scene = await spammer();
  const admin = on.open('admin', { interfere: quarantining(() => Promise.reject(unreachable())) });
  const job = takeDown(admin, scene);
  await on.eventually(job.text).toContain('1 of 4 done, 1 unanswered, 2 left');
  admin.interfere = undefined;
  job.resume();
  await on.eventually(job.text).toContain(`${scene.userId} taken down`);
  expect(await openable(on.homeserver, scene.files)).toBe(0);
  expect(logged(admin)).toEqual(['suspend-user done', 'quarantine-user-media done', 'redact-user done']);
});

test('after a stop no task is awaited, and the job can be resumed or undone', async () => {
  const scene = await spammer();
  const { progress, interfere } = redacting();
  const job = takeDown(on.open('admin', { interfere }), scene);
  await on.eventually(job.text).toContain(`Redacting messages of ${scene.userId}`);
  job.stop();
  await on.eventually(job.text).toContain('2 of 4 done, 2 left');
  progress.status = 'complete';
  await on.eventually(job.text).toContain('3 of 4 done, 1 left');
  expect(job.text()).toContain('Resume');
  job.undo();
  await on.eventually(job.text).toContain(`Takedown of ${scene.userId} undone`);
  expect(await on.suspended(scene.userId)).toBe(0);
  expect(await openable(on.homeserver, scene.files)).toBe(2);
});

test("of several users, one with a failed step doesn't delay the others", async () => {
  const spammers = [await spammer(1), await spammer(1)] as const;
  const [held, other] = spammers;
  const admin = on.open('admin', {
    interfere: quarantining(async ({ path }, forward) =>
      path.includes(encodeURIComponent(held.userId))
        ? { status: 400, body: { errcode: 'M_UNKNOWN', error: 'Full' } }
        : forward(),
    ),
  });
  const job = takeDown(admin, ...spammers);
  await on.eventually(job.text).toContain('5 of 8 done, 2 left');
  expect(await on.suspended(other.userId)).toBe(1);
  expect(job.text()).toContain('One failure');
  expect(job.failures()).toContain(`${held.userId} Quarantine all media: `);
  admin.interfere = undefined;
  job.retry();
  await on.eventually(job.text).toContain('8 of 8 done');
  for (const scene of spammers) {
    expect(await scene.content(scene.eventIds[0])).toEqual({});
    expect(await openable(on.homeserver, scene.files)).toBe(0);
  }
  job.undo();
  await on.eventually(job.text).toContain('Takedown of 2 users undone');
  expect(await on.suspended(held.userId, other.userId)).toBe(0);
});

test('an account is deactivated and erased after its messages are redacted', async () => {
  const scene = await spammer();
  const { userId, eventIds } = scene;
  const items: Item[] = [{ kind: 'user', userId }];
  const admin = on.open('admin');
  const panel = (fields: Fields) => on.panel(admin, 'take-down-user', items, { fields });
  expect(panel({}).names).not.toContain('erase');
  expect(panel({ limit: 'none' }).faults).toEqual(['Enter a whole number from 1 to 1,000,000.']);
  const { answered } = panel({ 'deactivate-user': true, erase: true, limit: 50 });
  const job = on.act(admin, 'take-down-user', items, { fields: answered });
  await on.eventually(job.text).toContain(`${userId} taken down`);
  const { body } = await on.homeserver.as('admin').get(`/_service/admin/v2/users/${userId}`);
  expect(body).toMatchObject({ deactivated: true, erased: true });
  expect(await scene.content(eventIds[0])).toEqual({});
});

test('unsupported steps are hidden, and ones already done are named', async () => {
  const { userId } = await spammer();
  const items: Item[] = [{ kind: 'user', userId }];
  const admin = on.open('admin');
  const known = { user: { name: userId, suspended: true } as User };
  const { steps, answered } = on.panel(admin, 'take-down-user', items, { known, lacks: ['redactUser'] });
  expect(steps()).toContain(`Already done: ${userId} suspended`);
  expect(steps()).toContain('Quarantine all media');
  expect(steps()).not.toMatch(/Suspend user|Redact all messages/);
  const job = on.act(admin, 'take-down-user', items, { fields: answered });
  await on.eventually(job.text).toContain(`${userId} taken down`);
  expect(logged(admin)).toEqual(['quarantine-user-media done']);
});

test('a remote user has only the steps that work for them', async () => {
  const remote: Item = { kind: 'user', userId: '@eve:other.example' };
  const { steps, names } = on.panel(on.open('admin'), 'take-down-user', [remote]);
  expect(steps()).toContain("Remote user: account and media can't be changed here.");
  expect(names).toEqual(['redact-user', 'limit']);
});

test('two takedowns run side by side', async () => {
  const [first, second] = [await spammer(1), await spammer(1)];
  const { progress, interfere } = redacting();
  const admin = on.open('admin', { interfere });
  const jobs = [];
  for (const scene of [first, second]) {
    const job = takeDown(admin, scene);
    jobs.push({ job, scene });
    await on.eventually(job.text).toContain(`Redacting messages of ${scene.userId}`);
  }
  progress.status = 'complete';
  for (const { job, scene } of jobs) await on.eventually(job.text).toContain(`${scene.userId} taken down`);
});
