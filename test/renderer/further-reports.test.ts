/** An action on a user, room or event can resolve all its reports. */
import type { Route } from 'playwright';
import { expect, test } from 'vitest';
import { createUser } from '../../server/identity/accounts/create-user.ts';
import { acting } from './acting.ts';

const on = acting();
const client = '/_chat/client/v3';
const enc = encodeURIComponent;

/** Returns the number of open reports in the window's title. */
const waiting = async () => Number(/^\((\d+)\)/.exec(await on.page.title())?.[1] ?? 0);
const others = (name: string | RegExp) => on.page.getByRole('checkbox', { name });

const confirm = (name: string) => on.page.getByRole('dialog').getByRole('button', { name }).press('Enter');

/**
 * Waits for the counts of event and user reports. Returns the number of open ones, given the number of resolved ones.
 */
async function counted(reviewed = 0) {
  let total = -reviewed;
  for (const kind of ['event', 'user']) {
    const { body } = await on.homeserver.as('admin').get(`/_service/admin/v1/${kind}_reports?limit=1`);
    total += body.total;
  }
  await expect.poll(waiting).toBe(total);
  return total;
}

/** Opens a report and waits for the counts. */
async function openReport(id: number | undefined) {
  await on.open(`/reports?report=${id}`);
  await on.page.getByRole('heading', { name: `Report ${id}` }).waitFor();
  await on.ready();
  return counted();
}

test("a user's other open reports get the same status, and one undo reverts all", async () => {
  const { page, homeserver } = on;
  const { userId, reportIds } = await on.scene({ messages: 5 });
  const [, second, third, , fifth] = reportIds;
  await homeserver.as('bob').post(`${client}/users/${enc(userId)}/report`, { reason: 'A spammer' });
  await openReport(third);
  await page.keyboard.press('e');
  await page.getByRole('heading', { name: `Report ${second}` }).waitFor();
  await page.keyboard.press('!');
  await page.keyboard.press('Enter');
  await page.goto(`${homeserver.url}/console/reports?report=${fifth}`);
  await page.getByRole('heading', { name: `Report ${fifth}` }).waitFor();
  await on.ready();
  // One report is resolved, and one escalated.
  const before = await counted(1);

  await page.keyboard.press('s');
  await on.panel();
  const mark = others('Also resolve 3 other open reports against this user');
  await mark.waitFor();
  expect(await mark.isChecked()).toBe(false);
  await page.getByText('One more stays escalated.').waitFor();
  await mark.check();
  await confirm('Suspend user');
  await on.said(`${userId} suspended · 3 other reports resolved`);
  await expect.poll(waiting).toBe(before - 4);
  await page.keyboard.press('U');
  await on.said(`${userId} unsuspended`);
  await expect.poll(waiting).toBe(before);
  expect((await on.user(userId)).suspended).toBe(false);
});

test('afterwards the next open report is selected', async () => {
  const { page } = on;
  const earlier = await on.scene();
  const { reportIds } = await on.scene({ messages: 3 });
  await openReport(reportIds[2]);
  await page.keyboard.press('s');
  await on.panel();
  await others('Also resolve 2 other open reports against this user').check();
  await confirm('Suspend user');
  await page.getByRole('heading', { name: `Report ${earlier.reportIds[0]}` }).waitFor();
});

test('nothing is offered without other reports, and nothing changes unasked', async () => {
  const { page } = on;
  const { reportIds, userId } = await on.scene({ messages: 2 });
  const before = await openReport(reportIds[1]);
  await page.keyboard.press('s');
  await on.panel();
  await others('Also resolve the other open report against this user').waitFor();
  await page.keyboard.press('Enter');
  await on.said(`${userId} suspended`);
  await expect.poll(waiting).toBe(before - 1);

  const alone = await on.scene();
  await page.goto(`${on.homeserver.url}/console/reports?report=${alone.reportIds[0]}`);
  await on.ready();
  const asked = page.waitForResponse((response) => response.url().includes('event_sender_user_id'));
  await page.keyboard.press('l');
  await on.panel();
  await asked;
  expect(await others(/against this user/).count()).toBe(0);
});

test('user and room pages offer it too', async () => {
  const { page } = on;
  const { userId, roomId, name } = await on.scene({ messages: 2 });
  await on.open(`/users/${enc(userId)}`);
  await on.ready();
  const before = await counted();
  await page.keyboard.press('s');
  await on.panel();
  await others('Resolve 2 open reports against this user').waitFor();
  await page.keyboard.press('Escape');

  await page.goto(`${on.homeserver.url}/console/rooms/${enc(roomId)}`);
  await on.ready();
  await page.keyboard.press('o');
  await on.panel();
  await others('Resolve 2 open reports from this room').check();
  await confirm('Block room');
  await on.said(`${name} blocked · 2 other reports resolved`);
  await expect.poll(waiting).toBe(before - 2);
});

test('after an irreversible redaction, only statuses are offered, for reports on the same event', async () => {
  const { page } = on;
  const scene = await on.scene({ messages: 2 });
  const [eventId = '', other = ''] = scene.eventIds;
  for (const who of ['alice', 'admin'] as const) {
    await on.homeserver.as(who).post(`${client}/rooms/${enc(scene.roomId)}/join`, {});
    for (const event of [eventId, other]) {
      await on.homeserver.as(who).post(`${scene.room}/report/${enc(event)}`, { reason: 'Rude' });
    }
  }
  const before = await openReport(scene.reportIds[0]);
  await page.keyboard.press('r');
  await on.panel();
  await on.takePower();
  await others('Also resolve 2 other open reports on this event').check();
  await confirm('Redact event');
  await on.said('Event redacted');
  const line = page.getByRole('status').filter({ hasText: '2 other reports resolved' });
  await expect.poll(waiting).toBe(before - 3);
  await line.getByRole('button', { name: 'Undo' }).click();
  await on.said('Other reports reopened');
  await expect.poll(waiting).toBe(before - 1);
  expect(await on.content(scene, eventId)).toEqual({});
});

test('they are included even if the panel is confirmed early', async () => {
  const { reportIds, userId } = await on.scene({ messages: 3 });
  const before = await openReport(reportIds[2]);
  await on.page.keyboard.press('s');
  const panel = await on.panel();
  const box = others('Also resolve 2 other open reports against this user');
  await box.evaluate((input: HTMLInputElement) => {
    input.click();
    input.form?.requestSubmit();
  });
  await panel.waitFor({ state: 'detached' });
  await on.said(`${userId} suspended · 2 other reports resolved`);
  await expect.poll(waiting).toBe(before - 3);
});

test('many other reports are scanned in steps, and the scan can stop and resume', async () => {
  const { page } = on;
  const { reportIds, userId } = await on.scene({ messages: 105 });
  const before = await openReport(reportIds[0]);
  const held: Route[] = [];
  const pieces = /event_reports\?.*event_sender_user_id=.*limit=1000/;
  await page.keyboard.press('s');
  await on.panel();
  await others('Also resolve other open reports against this user').waitFor();
  await page.getByText('Scans 105 reports first.').waitFor();
  await page.route(pieces, (route) => held.push(route));
  await others(/against this user/).check();
  await page.getByText('Scanned 100 of 105, 100 found.').waitFor();
  await page.getByRole('button', { name: 'Stop scan' }).click();
  await others('Also resolve 100 other open reports against this user').waitFor();
  await page.getByText("Scanned 100 of 105. The rest won't change.").waitFor();

  await page.getByRole('button', { name: 'Scan more' }).click();
  // Confirming during the scan waits for its end.
  await confirm('Suspend user');
  expect((await on.user(userId)).suspended).toBe(false);
  await page.route(pieces, (route) => route.continue());
  for (const route of held) await route.continue();
  await on.said(`${userId} suspended · 104 other reports resolved`);
  await expect.poll(waiting).toBe(before - 105);
});

test('too many reports to scan are reported', async () => {
  const { page, homeserver } = on;
  // Two lists per user: reports of their events, and reports of the user.
  for (let index = 0; index < 51; index++)
    await createUser(homeserver.services, { localpart: `many-${index}` });
  await on.open('/users?search=many-');
  await page.getByText('@many-0:localhost').first().waitFor();
  await page.keyboard.press('A');
  await page.getByText('51 selected').waitFor();
  await on
    .bar()
    .getByRole('button', { name: /^Suspend 51 users/ })
    .waitFor();
  await page.keyboard.press('s');
  await on.panel();
  await page
    .getByText('Too many selected to find other open reports against these users. They stay open.')
    .waitFor();
});
