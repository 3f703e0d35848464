/** Two moderators start the same action: the slower one sees a notice and must confirm again. */
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { teamUnderTest } from './team-under-test.ts';

const team = teamUnderTest();
const users = '/_service/admin/v2/users';
const carol = '@carol:localhost';
const path = `/users/${encodeURIComponent(carol)}`;

/** Opens the panel of an action from the menu. */
async function choose(page: Page, name: RegExp) {
  const bar = page.getByRole('toolbar', { name: 'Actions' }).first();
  await bar.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name }).click();
  const panel = page.getByRole('dialog');
  await panel.locator('form[aria-busy=false]').waitFor();
  return panel;
}

/** Opens a report of Carol's message for two admins who share their log. */
async function bothAtOneReport() {
  await team.report(1);
  await team.share('admin', 'bob');
  const ada = await team.openMember('admin', '/reports?report=1');
  const bob = await team.openMember('bob', '/reports?report=1');
  return { ada, bob };
}

const deactivations = (page: Page) => {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/deactivate/')) sent.push(request.url());
  });
  return sent;
};

test('an open panel shows which colleague was faster, and the action then reports that it was already done', async () => {
  const { ada, bob } = await bothAtOneReport();
  const sent = deactivations(bob);
  const panel = await choose(bob, /^Deactivate user/);
  await (await choose(ada, /^Deactivate user/)).getByLabel('Type carol to confirm').fill('carol');
  await ada.keyboard.press('Enter');
  await ada
    .getByRole('status')
    .filter({ hasText: `${carol} deactivated` })
    .waitFor();

  await panel.getByRole('alert').getByText('@admin:localhost already did this').waitFor();
  const again = panel.getByRole('button', { name: 'Deactivate user' });
  expect(await again.isDisabled()).toBe(true);
  await panel.getByRole('textbox', { name: 'Reason' }).press('Enter');
  await panel.getByRole('checkbox', { name: 'Continue anyway' }).check();
  await panel.getByLabel('Type carol to confirm').fill('carol');
  await again.press('Enter');
  await bob
    .getByRole('status')
    .filter({ hasText: `No change: ${carol} deactivated` })
    .waitFor();
  expect(sent).toEqual([]);
  expect(team.problems).toEqual([]);
});

test('of two who suspend a user at once, the second sees who was faster, and sends nothing', async () => {
  const { ada, bob } = await bothAtOneReport();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const sent: string[] = [];
  await ada.route('**/suspend/**', async (route) => {
    sent.push('ada');
    await answered;
    await route.continue();
  });
  bob.on('request', (request) => request.url().includes('/suspend/') && sent.push('bob'));
  for (const page of [ada, bob]) {
    await page.getByText('is also viewing this').first().waitFor();
    await page.getByRole('button', { name: /^Suspend user/ }).click();
    await page.getByRole('dialog').locator('form[aria-busy=false]').waitFor();
  }
  await ada.keyboard.press('Enter');
  await expect.poll(() => sent).toEqual(['ada']);
  await bob.keyboard.press('Enter');
  const told = bob.getByRole('alert').filter({ hasText: 'You sent nothing' });
  await told.getByText('@admin:localhost just decided this (Suspend user)').waitFor();
  expect(sent).toEqual(['ada']);

  await told.getByRole('checkbox', { name: 'Continue anyway' }).check();
  await bob.getByRole('dialog').getByRole('button', { name: 'Suspend user' }).click();
  await expect.poll(() => sent).toEqual(['ada', 'bob']);
  answer();
  expect(team.problems).toEqual([]);
});

test('a panel of several steps shows which ones a colleague has done', async () => {
  const { ada, bob } = await bothAtOneReport();
  const panel = await choose(bob, /^Take down user/);
  await panel.getByRole('checkbox', { name: /^Quarantine all media/ }).waitFor();
  expect(await panel.getByRole('alert').count()).toBe(0);
  await choose(ada, /^Quarantine all media/);
  await ada.keyboard.press('Enter');
  const said = panel.getByRole('alert');
  await said.getByText('@admin:localhost already did “Quarantine all media”').waitFor();

  await choose(ada, /^Suspend user/);
  await ada.keyboard.press('Enter');
  await said.getByText('@admin:localhost already did “Suspend user”').waitFor();
  // Bob can still do the rest of the action.
  expect(await panel.getByRole('button', { name: 'Take down user' }).isEnabled()).toBe(true);
  expect(team.problems).toEqual([]);
});

test("a colleague's action updates an open report and isn't undone with the user's own", async () => {
  const { ada, bob } = await bothAtOneReport();
  const sender = bob.getByRole('region', { name: 'Sender' });
  const actions = bob.getByRole('toolbar', { name: 'Actions' }).first();
  await actions.getByRole('button', { name: /^Suspend user/ }).waitFor();
  // Loads once it's visible.
  await sender.scrollIntoViewIfNeeded();
  await sender.getByText('Active', { exact: true }).waitFor();
  await ada.getByRole('button', { name: /^Suspend user/ }).click();
  await ada.getByRole('dialog').locator('form[aria-busy=false]').waitFor();
  await ada.keyboard.press('Enter');
  await sender.getByText('Suspended').waitFor();
  await actions.getByRole('button', { name: /^Suspend user/ }).waitFor({ state: 'detached' });
  for (const name of [/^Unsuspend user/, /^Suspend user/]) {
    await actions.getByRole('button', { name }).click();
    await bob.getByRole('dialog').locator('form[aria-busy=false]').waitFor();
    await bob.keyboard.press('Enter');
    await actions.getByRole('button', { name }).waitFor({ state: 'detached' });
  }
  const activity = ada.getByRole('region', { name: 'Activity' });
  await expect.poll(() => activity.getByText(/^suspended .*@/).count()).toBe(2);
  await ada.keyboard.press('z');
  const jobs = ada.getByRole('region', { name: 'Jobs' });
  await jobs.getByRole('button', { name: 'One failure' }).click();
  await jobs.getByText('Changed by another admin since then').waitFor();
  const user = await team.homeserver.as('bob').get(`${users}/${encodeURIComponent(carol)}`);
  expect(user.body.suspended).toBe(true);
  expect(team.problems).toEqual([]);
});

test('a report resolved by a colleague while loading still counts in the queue it was opened in', async () => {
  const { ada, bob } = await bothAtOneReport();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await bob.route('**/event_reports/1', async (route) => {
    await answered;
    await route.continue();
  });
  await bob.goto(`${team.homeserver.url}/console/reports?queue=unreviewed&report=1`);
  await bob.getByRole('status', { name: '1 open' }).waitFor();
  await ada.keyboard.press('e');
  await bob.getByRole('status', { name: '1 open' }).waitFor({ state: 'detached' });
  answer();
  await bob.getByRole('article', { name: 'Reported message' }).waitFor();
  expect(await bob.getByText("This report isn't in this queue.").count()).toBe(0);
});

test('an unannounced mark is reported as overridden if a colleague escalated the report at the same time', async () => {
  const { ada, bob } = await bothAtOneReport();
  const said = (text: string) => bob.getByRole('status').filter({ hasText: text }).waitFor();
  const newEvents = '**/rooms/*/messages?dir=f*';
  await bob.route('**/send/io.gatehouse.team.looking/*', (route) =>
    route.fulfill({ status: 429, json: { errcode: 'M_LIMIT_EXCEEDED', error: 'Too many requests' } }),
  );
  await bob.route(newEvents, (route) => route.fulfill({ json: { chunk: [], start: 'none' } }));
  await ada.keyboard.press('!');
  await ada.keyboard.press('Enter');
  await ada.getByRole('status').filter({ hasText: 'Report 1 escalated' }).waitFor();
  await bob.keyboard.press('e');
  await said('Report 1 resolved');
  await bob.unroute(newEvents);
  await bob.evaluate(() => window.dispatchEvent(new Event('online')));
  await said('Report 1 stays escalated (also by @admin)');
  await bob.getByRole('button', { name: 'Remove escalation' }).waitFor();
});

test('two who resolved a report at the same time are informed once the room has both decisions', async () => {
  const { ada, bob } = await bothAtOneReport();
  const newEvents = '**/rooms/*/messages?*';
  for (const page of [ada, bob]) {
    await page.getByText('is also viewing this').first().waitFor();
    await page.route('**/send/io.gatehouse.team.looking/*', (route) => route.abort());
    await page.route(newEvents, (route) => route.abort());
  }
  for (const page of [ada, bob]) {
    await page.keyboard.press('e');
    await page.getByRole('status').filter({ hasText: 'Report 1 resolved' }).waitFor();
  }
  for (const page of [ada, bob]) {
    await page.unroute(newEvents);
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
  }
  const doubles = [
    [ada, '@bob'],
    [bob, '@admin'],
  ] as const;
  for (const [page, colleague] of doubles) {
    const text = `${colleague} decided report 1 at the same time (Resolved)`;
    const notice = page.getByRole('status').filter({ hasText: text });
    await notice.getByRole('link', { name: 'Open report' }).waitFor();
  }
});

test("without a team room the server's state shows it", async () => {
  const page = await team.open('admin', path, (opening) => opening.clock.install());
  const panel = await choose(page, /^Lock user/);
  expect(await panel.getByRole('alert').count()).toBe(0);
  await team.homeserver.as('bob').put(`${users}/${encodeURIComponent(carol)}`, { locked: true });
  await page.clock.fastForward(10_000);
  await panel.getByRole('alert').getByText('Already done.').waitFor();
  expect(await panel.getByRole('button', { name: 'Lock user' }).isDisabled()).toBe(true);
});

test('a change just before the request is detected, and not done twice', async () => {
  const page = await team.open('admin', path);
  const sent = deactivations(page);
  await (await choose(page, /^Deactivate user/)).getByLabel('Type carol to confirm').fill('carol');
  await team.homeserver
    .as('bob')
    .post(`/_service/admin/v1/deactivate/${encodeURIComponent(carol)}`, { erase: false });
  await page.keyboard.press('Enter');
  await page
    .getByRole('status')
    .filter({ hasText: `No change: ${carol} deactivated` })
    .waitFor();
  expect(sent).toEqual([]);
});

test('undoing a status that a colleague has changed since leaves it and shows why', async () => {
  const { ada, bob } = await bothAtOneReport();
  const said = (text: string) => ada.getByRole('status').filter({ hasText: text }).waitFor();
  await ada.keyboard.press('e');
  await said('Report 1 resolved');
  await bob.getByRole('button', { name: 'Reopen' }).waitFor();
  await bob.keyboard.press('!');
  await bob.keyboard.press('Enter');
  await ada.getByRole('button', { name: 'Remove escalation' }).waitFor();
  await ada.keyboard.press('z');
  await said('Not undone: status changed by another admin');
  expect(await ada.getByRole('button', { name: 'Remove escalation' }).count()).toBe(1);
  expect(await ada.getByRole('status').filter({ hasText: 'Report 1 resolved' }).count()).toBe(0);
});

test("a colleague's action on one upload doesn't show on another", async () => {
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
  await ada.getByRole('button', { name: 'Unprotect media' }).waitFor();
  // Arrives after that action.
  await ada.goto(`${team.homeserver.url}${other}`);
  await choose(ada, /^Quarantine media/);
  await ada.keyboard.press('Enter');
  const history = bob.getByRole('region', { name: 'Activity' });
  await history.getByText('“Quarantine media” done').waitFor();
  expect(await panel.getByRole('alert').count()).toBe(0);
  expect(await panel.getByRole('button', { name: 'Protect media' }).isEnabled()).toBe(true);
  await ada.keyboard.press('z');
  await history.getByText('“Quarantine media” undone').waitFor();
});
