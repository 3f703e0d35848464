/** Roles of moderators: the actions that each offers, and the users who can change them. */
import { expect, test } from 'vitest';
import { appealAction } from '../../shared/team/appeals.ts';
import { eventOf } from '../../shared/team/room-events.ts';
import { inRoom } from './team-consoles.ts';
import { teamUnderTest } from './team-under-test.ts';

const team = teamUnderTest();

/** Records Carol's appeal against an action by the admin, as a console would. */
async function appeal() {
  const admin = team.homeserver.as('admin');
  const at = Date.now();
  const { type, content } = eventOf(
    {
      id: 'appeal',
      at,
      body: {
        type: 'action',
        action: appealAction,
        subject: { kind: 'user', userId: '@carol:localhost' },
        reports: [],
        outcome: 'done',
        detail: 'I did nothing',
        appeal: { id: 'appeal', of: { action: 'suspend-user', by: '@admin:localhost', at } },
      },
    },
    at,
  );
  expect((await admin.put(await inRoom(admin, `send/${type}/appeal`), content)).status).toBe(200);
}

test('a lead makes a colleague triage, whose console then offers no restrictions and edits nothing of the team', async () => {
  await team.report(1);
  await team.share('admin', 'bob');
  const ada = await team.openMember('admin', '/settings');
  const roles = ada.getByRole('region', { name: 'Roles' });
  await roles.getByLabel('Members without a role').selectOption('triage');
  // Ada is one of them.
  await roles.getByText('The team needs a lead.').waitFor();
  await roles.getByLabel('@admin:localhost (you)').selectOption('lead');
  await roles.getByLabel('Members without a role').selectOption('triage');

  await appeal();
  const bob = await team.openMember('bob', '/reports?report=1');
  const actions = bob.getByRole('toolbar', { name: 'Actions' }).first();
  await actions.getByRole('button', { name: /^Warn user/ }).waitFor();
  await actions.getByRole('button', { name: /^Suspend user/ }).waitFor({ state: 'detached' });
  await bob.keyboard.press('Control+k');
  const palette = bob.getByRole('dialog', { name: 'Command palette' });
  await palette.getByRole('textbox').fill('suspend user');
  await expect.poll(() => palette.getByRole('option', { name: /^Suspend user/ }).count()).toBe(0);

  await bob.goto(`${team.homeserver.url}/console/reports/evidence`);
  await bob.getByText('Only leads can change this.').waitFor();
  expect(await bob.getByLabel('Keep evidence').isDisabled()).toBe(true);
  await bob.goto(`${team.homeserver.url}/console/reports/cases?queue=appeals`);
  await bob.getByRole('list', { name: 'Appeals' }).getByRole('button').click();
  await bob.getByText('Only moderators and leads can change this.').waitFor();
  await bob.goto(`${team.homeserver.url}/console/settings`);
  expect(await bob.getByLabel('@bob:localhost (you)').isDisabled()).toBe(true);
  expect(await bob.getByRole('switch', { name: 'Server admins' }).isDisabled()).toBe(true);

  await roles.getByLabel('@bob:localhost', { exact: true }).selectOption('moderator');
  await bob.goto(`${team.homeserver.url}/console/reports?report=1`);
  await actions.getByRole('button', { name: /^Suspend user/ }).waitFor();
  expect(team.problems).toEqual([]);
});
