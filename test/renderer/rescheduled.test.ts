/** Scheduled actions that are canceled and scheduled again, or that meet a lost connection. */
import { i18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { actionById } from '../../renderer/actions/catalogue/catalogue.ts';
import { runScheduled } from '../../renderer/actions/scheduled/run-scheduled.ts';
import { cancelScheduled, scheduleAction } from '../../renderer/actions/scheduled/schedule.ts';
import { undosOf } from '../../renderer/actions/undo-stack.ts';
import { noticesOf } from '../../renderer/components/notices.ts';
import { type Scheduled, scheduledIn } from '../../shared/team/scheduled.ts';
import { unreachable } from './acting-consoles.tsx';
import { type TeamConsole, teamConsoles } from './team-consoles.ts';

i18n.loadAndActivate({ locale: 'en', messages: {} });

const team = teamConsoles();
const as = (person: string) => team.homeserver.as(person);
const isSuspended = async (person: string) =>
  (await as('admin').get(`/_service/admin/v2/users/${as(person).userId}`)).body.suspended;
const minute = 60_000;
const suspension = (at: number): Scheduled => ({
  action: 'suspend-user',
  subject: { kind: 'user', user_id: as('alice').userId },
  at,
  by: '@admin:localhost',
});
const scheduled = ({ team: { documents, documentVersions } }: TeamConsole) =>
  scheduledIn({ documents, documentVersions });

test("an action that is scheduled again doesn't wait for the console that had claimed it", async () => {
  const ada = await team.create('admin');
  const claimed = { by: '@bob:localhost', at: Date.now(), page: 'closed' };
  ada.team.putDocument('scheduled', 'k', { ...suspension(Date.now()), claimed });
  await team.eventually(() => scheduled(ada).length).toBe(1);
  const [before] = scheduled(ada);
  if (!before) throw new Error('Nothing is scheduled');
  cancelScheduled(ada.server, before);
  expect(scheduled(ada)).toEqual([]);
  expect(undosOf(ada.server).undoLatest()).toBe(true);
  const [again] = scheduled(ada);
  expect(again).toMatchObject({ ...suspension(before.at) });
  expect(again?.key).not.toBe('k');
  expect(again?.claimed).toBeUndefined();
  const stop = runScheduled(ada.context);
  await team.pass(3 * minute);
  expect(await isSuspended('alice')).toBe(true);
  stop();
});

test('the undo of scheduling cancels every action', async () => {
  const ada = await team.create('admin');
  const action = actionById('suspend-user');
  if (!action) throw new Error('No such action');
  const items = ['alice', 'carol'].map((person) => ({ kind: 'user', userId: as(person).userId }) as const);
  const at = Date.now() + 60 * minute;
  scheduleAction(ada.server, { action, items, answers: { reason: 'Spam', fields: {} }, at });
  expect(scheduled(ada).map(({ action, at: time, reason, by }) => [action, time, reason, by])).toEqual([
    ['suspend-user', at, 'Spam', '@admin:localhost'],
    ['suspend-user', at, 'Spam', '@admin:localhost'],
  ]);
  undosOf(ada.server).undoLatest();
  expect(scheduled(ada)).toEqual([]);
});

test('an action that meets a lost connection is carried out later', async () => {
  let isLost = true;
  const ada = await team.create('admin', {
    interfere: async ({ method, path }, forward) => {
      if (isLost && method === 'PUT' && path.includes('/v1/suspend/')) throw unreachable();
      return forward();
    },
  });
  ada.team.putDocument('scheduled', 'k', suspension(Date.now()));
  const stop = runScheduled(ada.context);
  await team.pass(3 * minute);
  expect(await isSuspended('alice')).toBe(false);
  expect(scheduled(ada)).toHaveLength(1);
  isLost = false;
  await team.pass(11 * minute);
  expect(await isSuspended('alice')).toBe(true);
  expect(scheduled(ada)).toEqual([]);
  stop();
});

test('an action that the server refuses is over, and shown as failed', async () => {
  const ada = await team.create('admin', {
    interfere: async ({ method, path }, forward) =>
      method === 'PUT' && path.includes('/v1/suspend/')
        ? { status: 400, body: { errcode: 'M_UNKNOWN', error: 'Not today' } }
        : forward(),
  });
  ada.team.putDocument('scheduled', 'k', suspension(Date.now()));
  const stop = runScheduled(ada.context);
  await team.eventually(() => scheduled(ada)).toEqual([]);
  expect(await isSuspended('alice')).toBe(false);
  const failures = noticesOf(ada.server)
    .snapshot()
    .failures.map(({ text }) => text);
  expect(failures).toEqual([expect.stringMatching(/^Scheduled action failed: .*Not today/)]);
  stop();
});
