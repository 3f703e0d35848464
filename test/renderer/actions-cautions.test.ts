import type { Locator } from 'playwright';
import { expect, test } from 'vitest';
import { acting } from './acting.ts';

const on = acting();
const client = '/_chat/client/v3';
const enc = encodeURIComponent;

/** Reports a message by a known user in a room of Alice's. */
async function reported(person: 'admin' | 'carol') {
  const scene = await on.scene({ messages: 0 });
  const sender = on.homeserver.as(person);
  await sender.post(`${scene.room}/join`, {});
  const sent = await sender.put(`${scene.room}/send/m.room.message/1`, { msgtype: 'm.text', body: 'Hello' });
  await on.homeserver
    .as('bob')
    .post(`${client}/rooms/${enc(scene.roomId)}/report/${enc(sent.body.event_id)}`, {
      reason: 'Rude',
    });
  const listed = await on.homeserver
    .as('admin')
    .get(`/_service/admin/v1/event_reports?room_id=${enc(scene.roomId)}`);
  return listed.body.event_reports[0].id as number;
}

test('actions on oneself need a second confirmation', async () => {
  const { page } = on;
  const own = on.homeserver.as('admin').userId;
  await on.open(`/reports?report=${await reported('admin')}`);
  await on.ready();
  await page.keyboard.press('s');
  const panel = await on.panel();
  await panel.getByText('This is your account. You may lock yourself out.').waitFor();
  await page.keyboard.press('Enter');
  await panel.getByText("Doesn't match yet").waitFor();
  expect(await on.user(own)).toMatchObject({ suspended: false });

  await panel.getByRole('textbox', { name: /^This affects your own account\. Type/ }).fill(own);
  await page.keyboard.press('Enter');
  await on.said(`${own} suspended`);
  expect(await on.user(own)).toMatchObject({ suspended: true });
  await page.keyboard.press('U');
  await on.said(`${own} unsuspended`);
});

test('Enter confirms a panel, and Ctrl+Enter one with a multi-line field', async () => {
  const { page } = on;
  const { roomId, name } = await on.scene();
  let sent = 0;
  page.on('request', (request) => void (request.method() === 'DELETE' && sent++));
  await on.open(`/rooms/${enc(roomId)}`);
  let panel = await on.choose(/^Block room/);
  const block = panel.getByRole('button', { name: 'Block room' });
  expect(await block.getAttribute('title')).toBe('Enter');
  await panel.getByRole('textbox', { name: 'Reason' }).press('Enter');
  await on.said(`${name} blocked`);

  panel = await on.choose(/^Shut down room/);
  const shutDown = panel.getByRole('button', { name: 'Shut down room' });
  expect(await shutDown.getAttribute('title')).toBe('Ctrl/⌘+Enter');
  const field = panel.getByRole('textbox', { name: `Type ${name} to confirm` });
  await field.fill(name);
  await field.press('Enter');
  await panel.getByRole('textbox', { name: 'Reason' }).press('Enter');
  expect(sent).toBe(0);
  await field.press('Control+Enter');
  await expect.poll(() => sent).toBe(1);
});

test('bulk actions skip oneself and admins', async () => {
  const { page, homeserver } = on;
  const carol = homeserver.as('carol').userId;
  await homeserver.as('admin').put(`/_service/admin/v1/users/${enc(carol)}/admin`, { admin: true });
  await reported('admin');
  await reported('carol');
  const { userId } = await on.scene();
  await on.open('/reports');
  const list = page.getByRole('listbox', { name: 'Reports' });
  await list.getByRole('option').nth(2).waitFor();
  await list.focus();
  for (const key of ['j', 'x', 'j', 'x', 'j', 'x']) await page.keyboard.press(key);
  await on
    .bar()
    .getByRole('button', { name: /^Suspend 3 users/ })
    .waitFor();
  // Takedowns check the other reports on the remaining users.
  await page.keyboard.press('d');
  const panel = await on.panel();
  await panel.getByText('Your account is skipped.').waitFor();
  await panel.getByText('A protected account is skipped').waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await page.keyboard.press('s');
  await on.panel();
  await panel.getByText('Your account is skipped.').waitFor();
  await panel.getByText(`A protected account is skipped: ${carol} (server admin).`).waitFor();
  await page.keyboard.press('Enter');
  await on.said(`${userId} suspended`);
  expect(await on.user(homeserver.as('admin').userId)).toMatchObject({ suspended: false });
  expect(await on.user(carol)).toMatchObject({ suspended: false });
});

test('a single protected account needs its ID typed, depending on the settings', async () => {
  const { page, homeserver } = on;
  const carol = homeserver.as('carol').userId;
  await homeserver.as('admin').put(`/_service/admin/v1/users/${enc(carol)}/admin`, { admin: true });
  const listed: string[] = [];
  page.on('request', (request) => {
    if (/\/v2\/users\?/.test(request.url())) listed.push(request.url());
  });
  await on.open(`/users/${carol}`);
  const panel = await on.choose(/^Lock user/);
  await panel.getByText('Protected account: server admin.').waitFor();
  await panel.getByRole('textbox', { name: `This affects a protected account. Type ${carol}` }).waitFor();
  // Loads the single account, not the list of all admins.
  expect(listed).toEqual([]);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });

  // "Remove admin" doesn't treat admins as protected.
  await on.choose(/^Remove admin/);
  await page.keyboard.press('Enter');
  await on.said(`Server admin rights removed from ${carol}`);
  await on.choose(/^Lock user/);
  expect(await panel.getByText('Protected account').count()).toBe(0);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });

  await on.open('/settings');
  const field = page.getByRole('textbox', { name: 'User ID patterns' });
  await field.fill('carol');
  await page.getByRole('button', { name: 'Save patterns' }).click();
  await page.getByText('carol matches no user ID.').waitFor();
  await field.fill('@car*');
  await page.getByRole('button', { name: 'Save patterns' }).click();
  await page.getByText('Protected accounts saved').waitFor();
  await on.open(`/users/${carol}`);
  await on.choose(/^Lock user/);
  await panel.getByText('Protected account: @car*.').waitFor();
});

test('at 200% zoom the focused field is visible', async () => {
  const { page } = on;
  await page.setViewportSize({ width: 720, height: 400 });
  await on.open('/users/@bob:localhost');
  const panel = await on.choose(/^Suspend user/);
  const box = async (of: Locator) => (await of.boundingBox()) ?? { y: Number.NaN, height: 0 };
  const reason = panel.getByRole('textbox', { name: 'Reason' });
  await expect.poll(() => reason.evaluate((field) => field === document.activeElement)).toBe(true);
  const field = await box(reason);
  expect(field.y).toBeGreaterThan((await box(panel)).y);
  // The buttons stay at the bottom, even if the content overflows.
  const buttons = await box(panel.getByRole('button', { name: 'Suspend user' }));
  expect(field.y + field.height).toBeLessThanOrEqual(buttons.y);
});

test('templates are editable per user and are kept', async () => {
  const { page } = on;
  const scene = await on.scene();
  await on.open(`/reports?report=${scene.reportIds[0]}`);
  await on.ready();
  await page.keyboard.press('s');
  let panel = await on.panel();
  await panel.getByRole('button', { name: 'Edit templates' }).press('Enter');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Template 1');
  await panel.getByRole('button', { name: 'Remove template 1' }).press('Enter');
  await panel.getByRole('textbox', { name: 'Template 1' }).fill('Raid of today');
  await panel.getByRole('button', { name: 'Save templates' }).press('Enter');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await on.user(scene.userId)).toMatchObject({ suspended: false });

  await page.reload();
  await on.ready();
  await page.keyboard.press('s');
  panel = await on.panel();
  await page.keyboard.press('/');
  expect(await panel.getByRole('option').first().textContent()).toBe('Raid of today');
  expect(await panel.getByRole('option', { name: 'Spam' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await panel.getByRole('option').first().waitFor({ state: 'hidden' });
  expect(await panel.isVisible()).toBe(true);
});

test('fast keystrokes go to the panel they opened, also on a slow computer', async () => {
  const { page } = on;
  const scene = await on.scene({ messages: 2 });
  const [first, second] = scene.reportIds;
  await on.open(`/reports?report=${second}`);
  await page.getByRole('heading', { name: `Report ${second}` }).waitFor();
  await on.ready();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 8 });
  /** Presses keys without a pause in between. */
  const hit = (...keys: string[]) => Promise.all(keys.map((key) => page.keyboard.press(key)));
  try {
    await hit('s', ...'seen elsewhere', 'Enter');
    await on.said(`${scene.userId} suspended`);
    await page.getByRole('heading', { name: `Report ${first}` }).waitFor();
    await on.ready();
    await hit('m', ...'lock', 'Enter', ...'x deceives', 'Enter');
    await on.said(`${scene.userId} locked`);
    const { keyboard } = page;
    const palette = [keyboard.down('Control'), keyboard.press('k'), keyboard.up('Control')];
    await Promise.all([...palette, hit(...'settings', 'Enter')]);
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
  } finally {
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  }
  expect(await on.user(scene.userId)).toMatchObject({ suspended: true, locked: true });
  expect((await on.log()).map(({ type, action, reason }) => ({ type, action, reason }))).toEqual([
    { type: 'action', action: 'suspend-user', reason: 'seen elsewhere' },
    { type: 'action', action: 'lock-user', reason: 'x deceives' },
  ]);
});

test('a confirmation before the cautions have loaded waits and asks again', async () => {
  const { page } = on;
  const scene = await on.scene();
  const { promise: confirmed, resolve: letKnow } = Promise.withResolvers<void>();
  await page.route(/m\.room\.power_levels|\/state(\?|$)/, async (route) => {
    await confirmed;
    await route.continue();
  });
  await on.open(`/reports?report=${scene.reportIds[0]}`);
  await on.ready();
  await page.keyboard.press('r');
  const panel = page.getByRole('dialog');
  await panel.getByRole('textbox', { name: 'Reason' }).press('Enter');
  letKnow();
  await panel.getByText('You lack the required power level in this room.').waitFor();
  const button = panel.getByRole('button', { name: 'Redact event' });
  await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await on.log()).toEqual([]);
  await on.takePower();
  await page.keyboard.press('Enter');
  await on.said('Event redacted');
  expect((await on.log()).map(({ outcome }) => outcome)).toEqual(['done']);
});

test("a panel renders at once and its contents don't move", async () => {
  const { page } = on;
  const scene = await on.scene();
  await on.open(`/users/${encodeURIComponent(scene.userId)}`);
  await on.ready();
  await page.evaluate(() => {
    const seen = { places: new Set<string>() };
    Object.assign(window, { seen });
    const look = () => {
      const panel = document.querySelector('[role=dialog]');
      const fields = panel?.querySelectorAll('textarea, input, button') ?? [];
      // The panel itself may still be animating.
      const top = panel?.getBoundingClientRect().top ?? 0;
      const places = [...fields].map((field) => Math.round(field.getBoundingClientRect().top - top));
      if (places.length > 0) seen.places.add(places.join());
      requestAnimationFrame(look);
    };
    look();
  });
  const panel = await on.choose(/^Edit profile/);
  await panel.getByLabel('Image to upload').waitFor({ state: 'attached' });
  await panel.getByText('mallory').first().waitFor();
  const places = await page.evaluate(() => [
    ...(window as unknown as { seen: { places: Set<string> } }).seen.places,
  ]);
  expect(places).toHaveLength(1);
});
