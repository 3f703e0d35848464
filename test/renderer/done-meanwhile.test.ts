/** Two moderators are about to do the same: the panel of the slower one says so, and does nothing a second time unasked. */
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { teamUnderTest } from './team-under-test.ts';

const team = teamUnderTest();
const users = '/_service/admin/v2/users';
const carol = '@carol:localhost';
const path = `/users/${encodeURIComponent(carol)}`;

/** Opens the panel of an action that is in the menu. */
async function choose(page: Page, name: RegExp) {
  const bar = page.getByRole('toolbar', { name: 'Actions' }).first();
  await bar.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name }).click();
  const panel = page.getByRole('dialog');
  await panel.locator('form[aria-busy=false]').waitFor();
  return panel;
}

/** Two administrators who share their log, each at the report of Carol's message. */
async function bothAtOneReport() {
  await team.report(1);
  const { page: ada } = await team.open('admin', '/reports?report=1');
  await ada.getByRole('button', { name: 'Share with the team…' }).click();
  await ada.getByRole('button', { name: 'Create team room' }).click();
  await ada.getByRole('complementary', { name: "The team's room" }).waitFor({ state: 'detached' });
  const { page: bob } = await team.open('bob', '/reports?report=1');
  await bob.getByRole('button', { name: 'Join the team' }).click();
  await bob.getByRole('complementary', { name: "The team's room" }).waitFor({ state: 'detached' });
  return { ada, bob };
}

const deactivations = (page: Page) => {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/deactivate/')) sent.push(request.url());
  });
  return sent;
};

test('a team reads in the open panel who was faster, and what is done all the same is said to have been so before', async () => {
  const { ada, bob } = await bothAtOneReport();
  const sent = deactivations(bob);
  const panel = await choose(bob, /^Deactivate user/);
  await (await choose(ada, /^Deactivate user/)).getByLabel('Type carol to go on').fill('carol');
  await ada.keyboard.press('Enter');
  await ada
    .getByRole('status')
    .filter({ hasText: `${carol} is deactivated` })
    .waitFor();

  await panel.getByRole('alert').getByText('@admin:localhost has done this meanwhile').waitFor();
  const again = panel.getByRole('button', { name: 'Deactivate user' });
  expect(await again.isDisabled()).toBe(true);
  await panel.getByRole('textbox', { name: 'Reason' }).press('Enter');
  await panel.getByRole('checkbox', { name: 'Do it all the same' }).check();
  await panel.getByLabel('Type carol to go on').fill('carol');
  await again.press('Enter');
  await bob.getByRole('status').filter({ hasText: 'It was so before' }).waitFor();
  expect(sent).toEqual([]);
  expect(team.problems).toEqual([]);
});

test('the panel of several steps says which of them a colleague has done meanwhile, and by whom', async () => {
  const { ada, bob } = await bothAtOneReport();
  const panel = await choose(bob, /^Take down user/);
  await panel.getByRole('checkbox', { name: /^Quarantine all their media/ }).waitFor();
  expect(await panel.getByRole('alert').count()).toBe(0);
  await choose(ada, /^Quarantine all their media/);
  await ada.keyboard.press('Enter');
  const said = panel.getByRole('alert');
  await said.getByText('@admin:localhost has done “Quarantine all their media” meanwhile').waitFor();

  await choose(ada, /^Suspend user/);
  await ada.keyboard.press('Enter');
  await said.getByText('@admin:localhost has done “Suspend user” meanwhile').waitFor();
  // What is left is still bob's to do.
  expect(await panel.getByRole('button', { name: 'Take down user' }).isEnabled()).toBe(true);
  expect(team.problems).toEqual([]);
});

test("a colleague's action reaches the facts and buttons of an open report", async () => {
  const { ada, bob } = await bothAtOneReport();
  const sender = bob.getByRole('region', { name: 'Sender' });
  const actions = bob.getByRole('toolbar', { name: 'Actions' }).first();
  await actions.getByRole('button', { name: /^Suspend user/ }).waitFor();
  expect(await sender.getByText('Suspended').count()).toBe(0);
  await ada.getByRole('button', { name: /^Suspend user/ }).click();
  await ada.getByRole('dialog').locator('form[aria-busy=false]').waitFor();
  await ada.keyboard.press('Enter');
  await sender.getByText('Suspended').waitFor();
  await actions.getByRole('button', { name: /^Suspend user/ }).waitFor({ state: 'detached' });
  expect(team.problems).toEqual([]);
});

test('a mark is said not to hold when a colleague escalated the report at the same time', async () => {
  const { ada, bob } = await bothAtOneReport();
  const said = (text: string) => bob.getByRole('status').filter({ hasText: text }).waitFor();
  const { promise: marked, resolve: release } = Promise.withResolvers<void>();
  await bob.route('**/rooms/*/messages?*', async (route) => {
    await marked;
    await route.fallback();
  });
  await ada.keyboard.press('!');
  await ada.keyboard.press('Enter');
  await ada.getByRole('status').filter({ hasText: 'Report 1 is escalated' }).waitFor();
  await bob.keyboard.press('e');
  await said('Report 1 is marked reviewed');
  release();
  await said('Report 1 stays escalated: @admin escalated it at the same time');
  await bob.getByRole('button', { name: 'Not escalated any more' }).waitFor();
});

test('without a team the server shows it', async () => {
  const { page } = await team.open('admin', path);
  const panel = await choose(page, /^Lock user/);
  expect(await panel.getByRole('alert').count()).toBe(0);
  await team.homeserver.as('bob').put(`${users}/${encodeURIComponent(carol)}`, { locked: true });
  await panel.getByRole('alert').getByText('It is so by now: somebody else has done it.').waitFor();
  expect(await panel.getByRole('button', { name: 'Lock user' }).isDisabled()).toBe(true);
});

test('what changes in the moment before it is sent is found by the console, and not done twice', async () => {
  const { page } = await team.open('admin', path);
  const sent = deactivations(page);
  await (await choose(page, /^Deactivate user/)).getByLabel('Type carol to go on').fill('carol');
  await team.homeserver
    .as('bob')
    .post(`/_service/admin/v1/deactivate/${encodeURIComponent(carol)}`, { erase: false });
  await page.keyboard.press('Enter');
  await page.getByRole('status').filter({ hasText: 'It was so before' }).waitFor();
  expect(sent).toEqual([]);
});

test('the undo of a mark that a colleague has changed since leaves it, and says so', async () => {
  const { ada, bob } = await bothAtOneReport();
  const said = (text: string) => ada.getByRole('status').filter({ hasText: text }).waitFor();
  await ada.keyboard.press('e');
  await said('Report 1 is marked reviewed');
  await bob.getByRole('button', { name: 'Mark not reviewed' }).waitFor();
  await bob.keyboard.press('!');
  await bob.keyboard.press('Enter');
  await ada.getByRole('button', { name: 'Not escalated any more' }).waitFor();
  await ada.keyboard.press('z');
  await said('Somebody has changed the mark since then: it is left as it is now');
  expect(await ada.getByRole('button', { name: 'Not escalated any more' }).count()).toBe(1);
  expect(await ada.getByRole('status').filter({ hasText: 'is marked reviewed' }).count()).toBe(0);
});

test('what a colleague does to one upload, and takes back, is no news of another', async () => {
  const { ada, bob } = await bothAtOneReport();
  const upload = async (name: string) => {
    const path = `/_chat/media/v3/upload?filename=${name}`;
    const { body } = await team.homeserver.as('carol').post(path, { name });
    return `/console/media/uploads/${body.content_uri.slice('mxc://'.length)}`;
  };
  const [one, other] = [await upload('one'), await upload('other')];
  await bob.goto(`${team.homeserver.url}${other}`);
  await ada.goto(`${team.homeserver.url}${one}`);
  const panel = await choose(bob, /^Protect media/);
  await choose(ada, /^Protect media/);
  await ada.keyboard.press('Enter');
  const history = bob.getByRole('region', { name: 'History' });
  await history.getByText('carried out “Protect media”').waitFor();
  expect(await panel.getByRole('alert').count()).toBe(0);
  expect(await panel.getByRole('button', { name: 'Protect media' }).isEnabled()).toBe(true);
  await ada.keyboard.press('z');
  const back = history.getByRole('listitem').filter({ hasText: 'took back “Protect media”' });
  await back.getByText(`mxc://${one.split('/').slice(-2).join('/')}`).waitFor();
});
