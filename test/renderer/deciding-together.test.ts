/** Consoles that decide about the same reports at the same time. */
import { i18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { decideUnlessConflicting } from '../../renderer/actions/decision-conflicts.ts';
import { roomEvents, type TeamConsole, teamConsoles } from './team-consoles.ts';

i18n.loadAndActivate({ locale: 'en', messages: {} });

const team = teamConsoles();

/** Resolves reports as the list of reports does. */
const resolve = ({ server, team }: TeamConsole, ...reports: number[]) =>
  decideUnlessConflicting(
    server,
    'reviewed',
    reports,
    (id) => [{ of: 'report', id }],
    (left) => team.mark(left, 'reviewed'),
  );

/** Two moderators who have seen each other. */
async function both() {
  const ada = await team.create();
  const bob = await team.join();
  ada.team.setViewing('report 1');
  bob.team.setViewing('report 1');
  await team
    .eventually(() => [ada.team.viewers('report 1'), bob.team.viewers('report 1')])
    .toEqual([['@bob:localhost'], ['@admin:localhost']]);
  return { ada, bob };
}

/** The reports of all marks in the room, with repetitions. */
const resolved = async () =>
  (await roomEvents(team.homeserver.as('admin')))
    .flatMap(({ type, content }) => (type.endsWith('.mark') ? (content.reports as number[]) : []))
    .sort();

test('of two consoles that resolve reports at once, one resolves the common ones, and the other the rest', async () => {
  const { ada, bob } = await both();
  resolve(ada, 1, 2);
  resolve(bob, 2, 3);
  await team.eventually(resolved).toEqual([1, 2, 3]);
  await team.pass(10_000);
  expect(await resolved()).toEqual([1, 2, 3]);
});

test('an unresponsive room delays a decision for five seconds at most', async () => {
  const { ada } = await both();
  ada.interfere = ({ path }, forward) =>
    path.includes('/send/io.gatehouse.team.looking') ? new Promise(() => {}) : forward();
  resolve(ada, 1);
  expect(ada.marks()).toEqual({});
  await team.pass(5_000);
  await team.eventually(() => ada.marks()).toEqual({ 1: 'reviewed' });
});

test("a decision that can't be undone is announced even if no colleague was seen", async () => {
  const ada = await team.create();
  const bob = await team.join();
  await team
    .eventually(() => ada.room.is === 'open' && ada.room.room.memberships.get('@bob:localhost'))
    .toBe('join');
  const warn = { action: 'warn-user', subjects: [{ kind: 'report', id: 1 } as const] };
  const found = await Promise.all([ada.team.announce(warn, true), bob.team.announce(warn, true)]);
  expect(found.map((conflicts) => conflicts?.length).sort()).toEqual([0, 1]);
});

test("a decision isn't announced, and is made immediately, while no colleague is active", async () => {
  const ada = await team.create();
  await team.join();
  const sent: string[] = [];
  ada.interfere = ({ path }, forward) => {
    sent.push(path);
    return forward();
  };
  resolve(ada, 1);
  expect(ada.marks()).toEqual({ 1: 'reviewed' });
  await team.pass(2_000);
  expect(sent.filter((path) => path.includes('/send/io.gatehouse.team.looking'))).toEqual([]);
});
