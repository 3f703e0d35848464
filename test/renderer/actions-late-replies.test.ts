/** Replies that come when somebody has stopped what they belong to, gone on with it, or asked what arrived. */
import type { Route } from 'playwright';
import { expect, test } from 'vitest';
import { acting } from './acting.ts';

const on = acting();
const enc = encodeURIComponent;
const row = () => on.tray().getByRole('article');
const press = (name: string) => row().getByRole('button', { name }).press('Enter');

async function askToDelete(count: number) {
  await on.bar().getByRole('button', { name: 'More' }).click();
  await on.page.getByRole('menuitem', { name: `Delete ${count} reports` }).click();
}

/** How many times the log has each report deleted. */
const deletedInLog = async () =>
  (await on.log())
    .filter(({ action, outcome }) => action === 'delete-report' && outcome === 'done')
    .flatMap(({ reports }) => reports as number[]);

test('reports whose deletion was stopped and gone on with are in the log once, however late the replies are', async () => {
  const { page } = on;
  const { roomId, reportIds } = await on.scene({ messages: 30 });
  const early: Route[] = [];
  let isLate = false;
  await page.route('**/admin/v1/event_reports/*', (route) => {
    if (route.request().method() !== 'DELETE' || isLate) return route.continue();
    early.push(route);
  });
  await on.open(`/reports?room_id=${enc(roomId)}`);
  await page.getByText('30 reports', { exact: true }).waitFor();
  for (const key of ['j', 'A']) await page.keyboard.press(key);
  await page.getByText('30 selected').waitFor();
  await askToDelete(30);
  const panel = page.getByRole('dialog', { name: 'Delete 30 reports' });
  await panel.getByLabel('Type 30 to confirm').fill('30');
  await panel.getByRole('button', { name: 'Delete 30 reports' }).click();
  await expect.poll(() => early.length).toBe(4);
  await press('Stop');
  isLate = true;
  await press('Resume');
  await on.tray().getByRole('article', { name: '30 reports deleted' }).waitFor();
  await expect.poll(deletedInLog).toHaveLength(30);
  for (const route of early) {
    const answered = page.waitForEvent(
      'requestfinished',
      (request) => request.method() === 'DELETE' && request.url() === route.request().url(),
    );
    await route.continue();
    await answered;
  }
  // What is done after the last reply is done by then.
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('heading', { level: 1, name: 'Report' }).first().waitFor({ state: 'detached' });
  expect((await deletedInLog()).toSorted()).toEqual(reportIds.toSorted());
});

test('what is found to have arrived before its reply is there is in the log once', async () => {
  const { page } = on;
  const bob = on.homeserver.as('bob').userId;
  for (let each = 1; each <= 6; each++) {
    const path = `/_chat/client/v3/users/${enc(bob)}/report`;
    await on.homeserver.as('alice').post(path, { reason: `Rude ${each}` });
  }
  await on.open('/reports/users');
  await page.getByText('6 reports', { exact: true }).waitFor();
  for (let each = 0; each < 6; each++) for (const key of ['j', 'x']) await page.keyboard.press(key);
  await askToDelete(6);
  const panel = page.getByRole('dialog', { name: 'Delete 6 reports' });
  const replies: (() => Promise<void>)[] = [];
  await page.route('**/admin/v1/user_reports/*', async (route) => {
    if (route.request().method() !== 'DELETE') return route.continue();
    // The first three arrive, and their replies are under way; the fourth is under way itself.
    if (replies.length === 3) return void replies.push(() => route.continue());
    const place = replies.push(() => Promise.reject(new Error('Not there yet'))) - 1;
    const response = await route.fetch();
    replies[place] = () => route.fulfill({ response });
  });
  await panel.getByRole('button', { name: 'Delete 6 reports' }).click();
  await expect.poll(() => replies.length).toBe(4);
  await press('Stop');
  await press('Check status');
  await row()
    .getByText(/^3 of 6 done/)
    .waitFor();
  for (const reply of replies) await reply();
  await row()
    .getByText(/^4 of 6 done/)
    .waitFor();
  await page.unrouteAll();
  await press('Resume');
  await on.tray().getByRole('article', { name: '6 reports deleted' }).waitFor();
  const deleted = await deletedInLog();
  expect(deleted).toHaveLength(6);
  expect(new Set(deleted).size).toBe(6);
  const details = (await on.log()).map(({ detail }) => detail);
  expect(details.filter((detail) => /gone already/.test(detail))).toEqual([]);
});

test('tasks that end while one has gone on with the rest do not stop it', async () => {
  const { page } = on;
  const scenes = [];
  for (let each = 0; each < 9; each++) scenes.push(await on.scene());
  let status = 'active';
  let asked = 0;
  await page.route('**/user/redact_status/**', (route) => {
    asked += 1;
    return route.fulfill({ json: { status, failed_redactions: {} } });
  });
  const begun: Route[] = [];
  await page.route('**/admin/v1/user/*/redact', (route) => void begun.push(route));
  await on.open('/reports');
  await page.getByRole('option').nth(8).waitFor();
  await page.getByRole('listbox', { name: 'Reports' }).focus();
  for (let each = 0; each < 9; each++) for (const key of ['j', 'x']) await page.keyboard.press(key);
  await page.getByText('9 selected').waitFor();
  const panel = await on.choose(/^Redact messages of/);
  await panel.getByLabel('Type 9 to confirm').fill('9');
  await panel.getByRole('button', { name: /^Redact/ }).click();
  await expect.poll(() => begun.length).toBe(4);
  await press('Stop');
  for (const route of begun) await route.fulfill({ json: { redact_id: `task ${begun.indexOf(route)}` } });
  await expect.poll(() => asked).toBeGreaterThan(3);
  await press('Resume');
  await expect.poll(() => begun.length).toBe(8);
  for (const { asUser, room, eventIds } of scenes) {
    const redaction = await asUser('PUT', `${room}/redact/${enc(eventIds[0] ?? '')}/1`, {});
    expect(redaction.status).toBe(200);
  }
  status = 'complete';
  await row()
    .getByText(/^4 of 9 done/)
    .waitFor();
  // Longer than it takes to be shown.
  await row().getByRole('button', { name: 'Stop' }).waitFor();
  for (const route of begun.slice(4)) await route.fulfill({ json: { redact_id: 'task' } });
  await expect.poll(() => begun.length).toBe(9);
  await begun[8]?.fulfill({ json: { redact_id: 'last' } });
  await row()
    .getByText(/^9 of 9 done/)
    .waitFor();
});

test('the key undoes the action begun last, though its reply is late, then the mark before it, also after a reload', async () => {
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
