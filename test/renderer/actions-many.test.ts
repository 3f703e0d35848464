import type { Route } from 'playwright';
import { expect, test } from 'vitest';
import { acting } from './acting.ts';
import { timePasses } from './time-passes.ts';

const on = acting();
const suspends = '**/admin/v1/suspend/**';

/** Intercepts only requests that change something; reads pass. */
const changes = (handler: (route: Route) => unknown) => (route: Route) =>
  route.request().method() === 'PUT' ? handler(route) : route.continue();

/** Selects the given number of reports, from the next one on. */
async function select(count: number) {
  const { page } = on;
  await page.getByRole('listbox', { name: 'Reports' }).focus();
  for (let index = 0; index < count; index++) for (const key of ['j', 'x']) await page.keyboard.press(key);
  await selection(count).waitFor();
  await on
    .bar()
    .getByRole('button', { name: new RegExp(`^Suspend ${count} users`) })
    .waitFor();
}

/** Opens the list filtered to a few users with one report each, and selects all. Returns the users. */
async function selectUsers(count: number) {
  const { page } = on;
  const scenes = [];
  for (let index = 0; index < count; index++) scenes.push(await on.scene());
  await on.open('/reports');
  const list = page.getByRole('listbox', { name: 'Reports' });
  for (const { userId } of scenes) {
    await list
      .getByRole('option')
      .filter({ hasText: userId.split(':')[0] ?? '' })
      .first()
      .waitFor();
  }
  // The newest reports are on top.
  await select(count);
  return scenes.map(({ userId }) => userId);
}

const suspended = async (userIds: readonly string[]) =>
  (await Promise.all(userIds.map((userId) => on.user(userId)))).filter((user) => user.suspended).length;

async function suspendAll() {
  await on.page.keyboard.press('s');
  await on.panel();
  await on.page.keyboard.press('Enter');
}

/** The total is shown only for short lists. */
const selection = (count: number) => on.page.getByText(new RegExp(`^${count} (of \\d+ )?selected`));

const row = () => on.tray().getByRole('article');

test('bulk actions show their number, and single-item actions their key', async () => {
  await selectUsers(2);
  await on.bar().getByRole('button', { name: 'More' }).click();
  const items = on.page.getByRole('menuitem');
  await items.first().waitFor();
  const said = await items.allInnerTexts();
  expect(said.length).toBeGreaterThan(5);
  // "Media" takes the singular.
  const others = said.filter((text) => !text.includes('media'));
  expect(others.filter((text) => /\bit\b|\bits\b|ordinary user/i.test(text))).toEqual([]);
  const key = (name: RegExp) => on.page.getByRole('menuitem', { name }).locator('kbd').allTextContents();
  expect(await key(/^Suspend 2 users/)).toEqual(['s']);
  expect(await key(/^Unsuspend 2 users/)).toEqual([]);
});

test('beside a narrow list, actions on selections have text labels', async () => {
  const { page } = on;
  await page.setViewportSize({ width: 720, height: 800 });
  await on.scene({ messages: 4 });
  await on.open('/reports');
  await page.getByRole('option').nth(3).waitFor();
  await page.getByRole('listbox', { name: 'Reports' }).focus();
  for (const count of [1, 2, 3]) {
    for (const key of ['j', 'x']) await page.keyboard.press(key);
    const selected = selection(count);
    await selected.waitFor();
    await on.ready();
    for (const words of ['Suspend user', 'Ban from room']) {
      const label = on.bar().getByText(words, { exact: true });
      expect((await label.boundingBox())?.width).toBeGreaterThan(40);
    }
    const marks = selected.locator('xpath=..').getByText(`Resolve (${count})`, { exact: true });
    expect((await marks.boundingBox())?.width).toBeGreaterThan(40);
  }
});

test("a bulk action runs and is undone at once, and a double click doesn't stop it", async () => {
  const { page } = on;
  const userIds = await selectUsers(5);
  await page.keyboard.press('s');
  const panel = await on.panel();
  await panel.getByText('Prevents 5 users from sending, joining and inviting until unsuspended.').waitFor();
  await panel.getByText('Details', { exact: true }).click();
  for (const userId of userIds) await panel.getByRole('listitem').filter({ hasText: userId }).waitFor();
  await panel.getByRole('textbox', { name: 'Reason' }).fill('A raid');
  await page.keyboard.press('Enter');
  await on.tray().getByRole('article', { name: '5 users suspended' }).waitFor();
  expect(await suspended(userIds)).toBe(5);
  await page.getByText('5 selected').waitFor({ state: 'detached' });
  const logged = await on.log();
  expect(logged).toHaveLength(5);
  expect(logged.every(({ reason, reports }) => reason === 'A raid' && reports.length === 1)).toBe(true);

  const held = Promise.withResolvers<void>();
  await page.route(
    suspends,
    changes((route) => held.promise.then(() => route.continue())),
  );
  await row().getByRole('button', { name: 'Undo' }).click();
  const box = await row().getByRole('button', { name: 'Stop' }).boundingBox();
  await page.mouse.move((box?.x ?? 0) + 10, (box?.y ?? 0) + 10);
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  held.resolve();
  await on.tray().getByRole('article', { name: '5 users unsuspended' }).waitFor();
  expect(await suspended(userIds)).toBe(0);
});

test('failures are listed and can be retried alone or together', async () => {
  const { page } = on;
  const userIds = await selectUsers(4);
  const [refused = '', other = ''] = userIds;
  const refuse = changes((route) =>
    [refused, other].some((userId) => route.request().url().includes(encodeURIComponent(userId)))
      ? route.fulfill({ status: 500, json: { errcode: 'M_UNKNOWN', error: 'The disk is on fire' } })
      : route.continue(),
  );
  await page.route(suspends, refuse);
  await suspendAll();
  await row().getByText('2 of 4 done, 2 failed').waitFor();
  await on.tray().getByRole('article', { name: '2 users suspended' }).waitFor();
  expect(await suspended(userIds)).toBe(2);
  await row().getByRole('button', { name: '2 failures' }).press('Enter');
  for (const userId of [refused, other])
    await row().getByRole('listitem').filter({ hasText: userId }).getByText('The disk is on fire').waitFor();

  await page.unroute(suspends, refuse);
  await row()
    .getByRole('button', { name: `Retry ${other}` })
    .press('Enter');
  await row().getByText('3 of 4 done, 1 failed').waitFor();
  expect(await suspended([refused])).toBe(0);
  await row().getByRole('button', { name: 'Retry failed' }).press('Enter');
  await on.tray().getByRole('article', { name: '4 users suspended' }).waitFor();
  expect(await suspended(userIds)).toBe(4);
});

test('a running job stops on request and when the page closes', async () => {
  const { page } = on;
  const userIds = await selectUsers(6);
  const held: Route[] = [];
  await page.route(
    suspends,
    changes((route) => held.push(route)),
  );
  await suspendAll();
  await expect.poll(() => held.length).toBe(4);
  await row().getByText('0 of 6 done').waitFor();
  await row().getByRole('button', { name: 'Stop' }).press('Enter');
  for (const route of held) await route.continue();
  await row().getByText('4 of 6 done, 2 left').waitFor();
  expect(held).toHaveLength(4);

  await row().getByRole('button', { name: 'Resume' }).press('Enter');
  await expect.poll(() => held.length).toBe(6);
  await page.reload();
  await row().getByRole('alert').getByText('Interrupted: page closed or reloaded').waitFor();
  await row().getByText('4 of 6 done, 2 unanswered').waitFor();
  await page.unrouteAll();
  await row().getByRole('button', { name: 'Resume' }).press('Enter');
  await on.tray().getByRole('article', { name: '6 users suspended' }).waitFor();
  expect(await suspended(userIds)).toBe(6);
});

test('a long-running server task continues without the panel, and its row shows when it is done', async () => {
  const { page } = on;
  const scene = await on.scene();
  await on.open(`/reports?report=${scene.reportIds[0]}`);
  const held: Route[] = [];
  await page.route(
    suspends,
    changes((route) => held.push(route)),
  );
  await on.ready();
  await page.keyboard.press('s');
  await on.panel();
  await page.keyboard.press('Enter');
  await on
    .tray()
    .getByRole('article', { name: `Suspending ${scene.userId}` })
    .waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => held.length).toBe(1);
  await held[0]?.continue();
  await on
    .tray()
    .getByRole('article', { name: `${scene.userId} suspended` })
    .waitFor();
  expect(await suspended([scene.userId])).toBe(1);
});

test('a failed action keeps the panel and its input', async () => {
  const { page } = on;
  const scene = await on.scene();
  let isAway = false;
  // Any reply shows that the server is back, even to earlier requests.
  await page.route('**/_*/**', async (route) => {
    const response = await route.fetch();
    return isAway ? route.abort('connectionrefused') : route.fulfill({ response });
  });
  await on.open(`/reports?report=${scene.reportIds[0]}`);
  await page.route(
    suspends,
    changes((route) => route.abort('connectionrefused')),
  );
  await on.ready();
  await page.keyboard.press('s');
  const panel = await on.panel();
  await page.keyboard.type('A long reason');
  isAway = true;
  await page.keyboard.press('Enter');
  await panel.getByRole('alert').getByText("Can't reach").waitFor();
  isAway = false;
  await panel.getByRole('alert').getByText('The server is back.').waitFor();
  expect(await panel.getByText("Can't reach").count()).toBe(0);
  expect(await panel.getByRole('textbox', { name: 'Reason' }).inputValue()).toBe('A long reason');
  expect(await on.tray().count()).toBe(0);
  await page.unroute(suspends);
  await page.keyboard.press('Enter');
  await on.said(`${scene.userId} suspended`);
  expect((await on.log()).map(({ outcome }) => outcome)).toEqual(['done']);
});

test('only supported actions are offered, after one probe', async () => {
  const { page } = on;
  const scene = await on.scene();
  let asked = 0;
  const unknown = { status: 404, json: { errcode: 'M_UNRECOGNIZED', error: 'Unrecognized request' } };
  const answers = Promise.withResolvers<void>();
  for (const path of ['**/admin/v1/suspend/**', '**/admin/v1/deactivate/**', '**/rooms/*/ban']) {
    await page.route(path, async (route) => {
      asked += 1;
      await answers.promise;
      await route.fulfill(unknown);
    });
  }
  await on.asOlderServer();
  await on.open(`/reports?report=${scene.reportIds[0]}`, { isProbed: false });
  await page.getByText('Loading permissions…').waitFor();
  await page.keyboard.press('b');
  answers.resolve();
  await page
    .getByRole('status')
    .getByText(/^“Ban from room” isn't available here$/)
    .waitFor();
  await on.ready();
  await page.keyboard.press('m');
  await page.getByRole('menuitem').first().waitFor();
  const names = await page.getByRole('menuitem').allInnerTexts();
  const has = (label: string) => names.some((name) => name.startsWith(label));
  expect(
    ['Redact event', 'Lock user', 'Kick from room', 'Block room'].filter((label) => !has(label)),
  ).toEqual([]);
  // The built-in homeserver supports neither rate limits per user nor server notices.
  const missing = ['Suspend', 'Deactivate', 'Ban from room', 'Change rate limit', 'Send server notice'];
  expect(missing.filter(has)).toEqual([]);
  expect(asked).toBe(3);

  await page.reload();
  await on.ready();
  expect(asked).toBe(3);
});

test('action keys wait for the report and the probe, announce that, and then run', async () => {
  const { page } = on;
  const scene = await on.scene({ messages: 3 });
  const [last, second, first] = scene.reportIds;
  const [answers, report] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const after = (waited: Promise<void>) => async (route: Route) => {
    await waited;
    await route.fallback();
  };
  await page.route('**/admin/v1/suspend/**', after(answers.promise));
  await page.route(`**/event_reports/${last}`, after(report.promise));
  await on.asOlderServer();
  await on.open(`/reports?report=${first}`, { isProbed: false });
  await page.getByText('Loading permissions…').waitFor();
  const follows = page.getByText(/^“.+” starts once your permissions have loaded$/);
  await page.keyboard.press('m');
  await follows.filter({ hasText: 'All actions' }).waitFor();
  // Changing the subject closes the list of actions.
  await page.keyboard.press('Escape');
  await follows.waitFor({ state: 'detached' });
  await page.keyboard.press('s');
  await follows.filter({ hasText: 'Suspend' }).waitFor();
  answers.resolve();
  const panel = page.getByRole('dialog', { name: /^Suspend/ });
  await panel.waitFor();
  expect(await page.getByRole('menu').count()).toBe(0);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });

  const heading = page.getByRole('heading', { name: `Report ${second}` });
  await page.keyboard.press('j');
  await heading.waitFor();
  await page.keyboard.press('j');
  await heading.waitFor({ state: 'detached' });
  const withReport = page.getByText(/^“.+” starts once the report has loaded$/);
  await page.keyboard.press('r');
  await withReport.filter({ hasText: 'Redact event' }).waitFor();
  // The pending shortcut isn't applied to another report.
  await page.keyboard.press('k');
  await heading.waitFor();
  expect(await page.getByRole('dialog').or(withReport).count()).toBe(0);
  await page.keyboard.press('j');
  await heading.waitFor({ state: 'detached' });
  await page.keyboard.press('s');
  await withReport.filter({ hasText: 'Suspend' }).waitFor();
  report.resolve();
  await panel.waitFor();
});

test('the server notice panel focuses the message', async () => {
  const { page } = on;
  const scene = await on.scene();
  await page.route('**/admin/v1/send_server_notice', (route) =>
    route.fulfill({ status: 400, json: { errcode: 'M_UNKNOWN', error: 'Not a local user' } }),
  );
  await on.asOlderServer();
  await on.open(`/reports?report=${scene.reportIds[0]}`, { isProbed: false });
  await on.ready();
  await page.keyboard.press('m');
  await page.getByRole('menuitem', { name: 'Send server notice' }).click();
  const panel = page.getByRole('dialog', { name: /notice/ });
  const message = panel.getByRole('textbox', { name: 'Message' });
  await message.waitFor();
  await expect.poll(() => message.evaluate((field) => field === document.activeElement)).toBe(true);
});

test('the action menu matches several words, and Enter alone chooses', async () => {
  const { page } = on;
  const scene = await on.scene();
  await on.open(`/reports?report=${scene.reportIds[0]}`);
  await on.ready();
  await page.keyboard.press('m');
  await page.getByRole('menuitem').first().waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await page.keyboard.type('quarantine');
  expect(await focused()).toMatch(/^Quarantine all media/);
  await page.keyboard.type(' room');
  expect(await focused()).toMatch(/^Quarantine room media/);
  await page.keyboard.press(' ');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Quarantine room media' }).waitFor();
});

test('the palette reaches a screen once, from its parent and from any other screen', async () => {
  const { page } = on;
  const go = async (name: string, path: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Search screens and actions' }).fill(name);
    const ways = page.getByRole('dialog').getByRole('button', { name });
    await ways.first().waitFor();
    expect(await ways.count()).toBe(1);
    await ways.click();
    await page.waitForURL((url) => url.pathname.endsWith(path));
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  await on.open('/media');
  await page.getByRole('button', { name: 'Open media' }).waitFor();
  await go('Clean up media', '/media/clean-up');
  await go('Report statistics', '/reports/statistics');
  await go('Clean up media', '/media/clean-up');
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /^Reports/ })
    .click();
  await page.getByRole('link', { name: 'Report statistics' }).waitFor();
  await go('Report statistics', '/reports/statistics');
});

test('actions whose support becomes known appear in an open palette', async () => {
  const { page } = on;
  const known = Promise.withResolvers<void>();
  await page.route('**/admin/v1/media/delete*', async (route) => {
    await known.promise;
    await route.continue();
  });
  await on.asOlderServer();
  await on.open('/users', { isProbed: false });
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.keyboard.press('Control+k');
  const search = page.getByRole('textbox', { name: 'Search screens and actions' });
  await search.fill('Clean up media');
  await page.getByText('No results').waitFor();
  known.resolve();
  await page.getByRole('dialog').getByRole('button', { name: 'Clean up media' }).waitFor();
  await search.press('Enter');
  await page.waitForURL((url) => url.pathname.endsWith('/media/clean-up'));
});

const outOfMemory = (route: Route) =>
  route.fulfill({ status: 500, json: { errcode: 'M_UNKNOWN', error: 'Out of memory' } });
const notKnown = () => on.page.getByRole('alert').filter({ hasText: "Couldn't load permissions" });
const notKnownOfSome = () =>
  on.page.getByRole('alert').filter({ hasText: "Couldn't check server support for some actions" });
const notKnownOf = (action: string) =>
  on.page.getByRole('status').getByText(`Couldn't check server support: ${action}`).first();

test('a failed probe is reported, by key too, and retried', async () => {
  const { page } = on;
  const scene = await on.scene();
  let answering = Promise.withResolvers<void>();
  let held = Promise.withResolvers<void>();
  let isRepaired = false;
  // Only the version is known.
  await page.route(/_service\/admin\/(?!v1\/(server_version|event_reports))/, async (route) => {
    if (isRepaired) return await route.continue();
    if (route.request().url().endsWith('/admin/v1/endpoints')) held.resolve();
    await answering.promise;
    await outOfMemory(route);
  });
  await on.open(`/reports?report=${scene.reportIds[0]}`, { isProbed: false });
  await page.getByText('Loading permissions…').waitFor();
  await page.keyboard.press('s');
  answering.resolve();
  await notKnownOf('Suspend user').waitFor();
  await notKnown().waitFor();
  // The key retries too. Its request stays pending, so the panel waits for the button.
  answering = Promise.withResolvers();
  held = Promise.withResolvers();
  await page.keyboard.press('r');
  await notKnownOf('Redact event').waitFor();
  await held.promise;
  isRepaired = true;
  await notKnown().getByRole('button', { name: 'Retry' }).press('Enter');
  await on.ready();
  answering.resolve();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('a failed probe disables only its own action, whose key reports that and retries', async () => {
  const { page } = on;
  const scene = await on.scene();
  await on.asOlderServer();
  let answering = Promise.resolve();
  let isRepaired = false;
  const fail = async (route: Route) => {
    if (isRepaired) return await route.continue();
    await answering;
    await outOfMemory(route);
  };
  await page.route(suspends, fail);
  await page.route('**/admin/v1/send_server_notice', fail);
  await page.route('**/admin/v1/endpoints', async (route) => {
    if (!isRepaired) await answering;
    await route.fulfill({ status: 404, json: { errcode: 'M_UNRECOGNIZED', error: 'Unrecognized request' } });
  });
  await on.open(`/reports?report=${scene.reportIds[0]}`, { isProbed: false });
  await on.ready();
  await notKnownOfSome().waitFor();
  await page.keyboard.press('r');
  await page.getByRole('dialog', { name: 'Redact event' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('s');
  await notKnownOf('Suspend user').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search screens and actions' }).fill('server notice');
  await page.getByRole('button', { name: 'Send server notice' }).waitFor();
  // The key retries too. Its request stays pending, so the toolbar waits for the button.
  const unanswered = Promise.withResolvers<void>();
  answering = unanswered.promise;
  const asked = page.waitForRequest('**/admin/v1/endpoints');
  await page.keyboard.press('Enter');
  await notKnownOf('Send server notice').waitFor();
  await asked;

  isRepaired = true;
  await notKnownOfSome().getByRole('button', { name: 'Retry' }).press('Enter');
  await notKnownOfSome().waitFor({ state: 'detached' });
  unanswered.resolve();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.keyboard.press('s');
  await page.getByRole('dialog', { name: 'Suspend user', exact: true }).waitFor();
});

test('failed requests are retried with backoff, and at once after reconnecting', async () => {
  const { page } = on;
  const scene = await on.scene();
  const askedAt: number[] = [];
  await on.asOlderServer();
  await page.route(suspends, async (route) => {
    askedAt.push(await page.evaluate(() => Date.now()));
    await outOfMemory(route);
  });
  await page.clock.install();
  await on.open(`/reports?report=${scene.reportIds[0]}`, { isProbed: false });
  for (let seconds = 0; seconds < 60 && askedAt.length < 3; seconds++) {
    await notKnownOfSome().waitFor();
    await timePasses(page, 1_000);
  }
  const [first = 0, second = 0, third = 0] = askedAt;
  // After 15 and 30 seconds, and the time that a reply takes.
  expect(second - first).toBeGreaterThanOrEqual(15_000);
  expect(second - first).toBeLessThan(25_000);
  expect(third - second).toBeGreaterThanOrEqual(30_000);

  await page.route('**/_*/**', (route) => route.abort());
  const connection = page.getByRole('status', { name: 'Connection' });
  for (let tries = 0; tries < 60 && (await connection.innerText()) !== 'Offline'; tries++)
    await page.clock.runFor(1_000);
  await page.unrouteAll();
  await page.clock.runFor(4_000);
  await notKnownOfSome().waitFor({ state: 'detached' });
  await page.keyboard.press('s');
  await page.getByRole('dialog', { name: 'Suspend user', exact: true }).waitFor();
});

test('finished jobs close together, running and stopped ones stay', async () => {
  const { page } = on;
  // These users' reports remain for selection.
  for (let index = 0; index < 5; index++) await on.scene();
  await selectUsers(2);
  await suspendAll();
  await on.tray().getByRole('article', { name: '2 users suspended' }).first().waitFor();
  // Finished jobs stay while it's pointed at.
  await on.tray().hover();
  await select(2);
  await suspendAll();
  await expect.poll(() => on.tray().getByRole('article', { name: '2 users suspended' }).count()).toBe(2);
  await select(3);
  const held: Route[] = [];
  await page.route(
    suspends,
    changes((route) => held.push(route)),
  );
  await suspendAll();
  await expect.poll(() => held.length).toBe(3);
  await on.tray().getByRole('button', { name: 'Dismiss all 2 finished' }).press('Enter');
  await expect.poll(() => on.tray().getByRole('article').count()).toBe(1);
  await row().getByText('0 of 3 done').waitFor();
  await page.reload();
  await row().getByRole('alert').getByText('Interrupted').waitFor();
  expect(await on.tray().getByRole('article').count()).toBe(1);
});

test('finished jobs close automatically, later with an undo, and not while focused', async () => {
  const { page } = on;
  await page.clock.install();
  await selectUsers(2);
  await suspendAll();
  const line = on.tray().getByRole('article', { name: '2 users suspended' });
  await line.waitFor();
  await page.clock.fastForward(50_000);
  await line.hover();
  await page.clock.fastForward(60_000);
  await line.waitFor();
  await page.mouse.move(0, 0);
  await line.getByRole('button', { name: 'Undo' }).focus();
  await page.clock.fastForward(60_000);
  await line.waitFor();
  await page.getByRole('listbox', { name: 'Reports' }).focus();
  await page.clock.fastForward(12_000);
  await line.waitFor({ state: 'detached' });
});

test('larger finished jobs close too, and failed ones stay until closed by key', async () => {
  const { page } = on;
  await page.clock.install();
  const scene = await on.scene({ messages: 24 });
  await on.open(`/reports?room=${encodeURIComponent(scene.roomId)}`);
  await page.getByRole('option').first().waitFor();
  const redactAll = async () => {
    await page.keyboard.press('a');
    await page.getByText('24 selected').waitFor();
    await on.ready();
    await page.keyboard.press('r');
    await on.panel();
    await page.getByRole('checkbox', { name: /^Hold evidence first/ }).uncheck();
    await on.takePower();
    await page.keyboard.press('Enter');
  };
  await redactAll();
  const done = on.tray().getByRole('article', { name: '24 events redacted' });
  await done.waitFor();
  await page.clock.fastForward(240_000);
  await done.waitFor();
  await page.clock.fastForward(70_000);
  await done.waitFor({ state: 'detached' });

  const [refused = ''] = await selectUsers(2);
  await page.route(
    suspends,
    changes((route) =>
      route.request().url().includes(encodeURIComponent(refused))
        ? route.fulfill({ status: 500, json: { errcode: 'M_UNKNOWN', error: 'The disk is on fire' } })
        : route.continue(),
    ),
  );
  await suspendAll();
  await row().getByText('1 of 2 done, 1 failed').waitFor();
  await page.clock.fastForward(310_000);
  await row().waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('Dismiss newest finished job').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('W');
  await row().waitFor({ state: 'detached' });
});

test('in right-to-left text, IDs keep their order', async () => {
  const { page } = on;
  const scene = await on.scene();
  await page.addInitScript(() => localStorage.setItem('gatehouse.language', '"pseudo-rtl"'));
  await on.open(`/reports?report=${scene.reportIds[0]}`);
  await page.getByRole('toolbar').first().getByRole('button').first().waitFor();
  await expect
    .poll(async () => {
      await page.keyboard.press('s');
      return page.getByRole('dialog').count();
    })
    .toBe(1);
  const sentence = page.getByRole('dialog').getByText(scene.userId);
  await sentence.first().waitFor();
  const edges = await sentence.first().evaluate((element, userId) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode() && !walker.currentNode.nodeValue?.includes(userId));
    const node = walker.currentNode as Text;
    const begins = node.data.indexOf(userId);
    const leftOf = (at: number) => {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      return range.getBoundingClientRect().left;
    };
    return [leftOf(begins), leftOf(begins + 1)];
  }, scene.userId);
  expect(edges[0]).toBeLessThan(edges[1] as number);
});

test('the undo key undoes the last action despite a late reply, then the status before it, also after a reload', async () => {
  const { page } = on;
  const scene = await on.scene({ messages: 2 });
  const [first, second] = scene.reportIds;
  const replies: Route[] = [];
  await page.route('**/admin/v1/suspend/*', (route) => {
    if (route.request().postDataJSON()?.suspend === true) replies.push(route);
    else route.continue();
  });
  await on.open(`/reports?report=${second}`);
  await on.ready();
  await page.keyboard.press('e');
  await on.said(`Report ${second} resolved`);
  await page.getByRole('heading', { name: `Report ${first}` }).waitFor();
  await on.ready();
  await page.keyboard.press('s');
  await on.panel();
  await page.getByRole('checkbox', { name: 'Resolve this report' }).uncheck();
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend user' }).click();
  await on.tray().getByText(`Suspending ${scene.userId}`).waitFor();
  await page.keyboard.press('z');
  await on
    .tray()
    .getByText(/^Stopped/)
    .first()
    .waitFor();
  for (const route of replies) await route.continue();
  await on
    .tray()
    .getByRole('article', { name: `${scene.userId} unsuspended` })
    .waitFor();
  expect(await page.getByText(`Status of report ${second} restored`).count()).toBe(0);

  await page.keyboard.press('z');
  await on.said(`Status of report ${second} restored`);
  await page.keyboard.press('e');
  await on.said(`Report ${second} resolved`);
  await page.unroute('**/admin/v1/suspend/*');
  await page.getByRole('heading', { name: `Report ${first}` }).waitFor();
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: /^Suspend user/ })
    .waitFor();
  await page.keyboard.press('s');
  await on.panel();
  await page.getByRole('checkbox', { name: 'Resolve this report' }).uncheck();
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend user' }).click();
  await on.said(`${scene.userId} suspended`);
  await page.reload();
  await on.ready();
  await page.keyboard.press('z');
  await expect.poll(() => on.user(scene.userId)).toMatchObject({ suspended: false });
  expect(await page.getByText(`Status of report ${second} restored`).count()).toBe(0);
  await page.keyboard.press('z');
  await on.said(`Status of report ${second} restored`);
});
