import type { Locator } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { consoleOnHomeserver } from './console-on-homeserver.ts';

const console = consoleOnHomeserver();
const enc = encodeURIComponent;
const option = (text: string) => console.page.getByRole('option').filter({ hasText: text });
const queue = (name: RegExp) =>
  console.page.getByRole('group', { name: 'Queues' }).getByRole('button', { name });

beforeAll(async () => {
  const { homeserver } = console;
  for (const [by, about, reason] of [
    ['alice', 'bob', 'Sells things'],
    ['carol', 'bob', 'Spam'],
    ['bob', 'carol', 'Wrote: kill yourself'],
    ['carol', 'alice', 'Rude'],
  ] as const) {
    const path = `/_chat/client/v3/users/${enc(homeserver.as(about).userId)}/report`;
    expect((await homeserver.as(by).post(path, { reason })).status).toBe(200);
  }
});

test('cases are decided by keyboard, urgent ones first, and a decision on all reports is undone at once', async () => {
  const { page } = console;
  await console.open('/reports/cases');
  await queue(/^Open 3/).waitFor();
  await expect.poll(() => page.getByRole('option').first().textContent()).toContain('kill yourself');
  const decided = page.getByRole('region', { name: 'Case', exact: true });
  const report = page.getByRole('region', { name: 'Report', exact: true });
  const isShown = async (userId: string) => {
    await decided.getByText(userId).waitFor();
    await report.getByText('Reported by', { exact: true }).waitFor();
  };
  await page.keyboard.press('j');
  await isShown('@carol');
  await page.keyboard.press('v');
  await page.keyboard.press('4');
  await option('kill yourself').getByText('Urgent').waitFor();
  await page.keyboard.press('a');
  await queue(/^Mine 1/).waitFor();
  const status = page.getByRole('status');
  await page.keyboard.press('A');
  await page.keyboard.press('0');
  await status.getByText('Case unassigned').waitFor();
  await page.keyboard.press('A');
  await page.keyboard.press('1');
  await status.getByText(/^Case assigned to .*admin/).waitFor();
  await queue(/^Mine 1/).waitFor();
  await page.keyboard.press('y');
  await isShown('@bob');
  await page.getByText('Report 1 of 2').waitFor();
  await page.keyboard.press('u');
  await isShown('@alice');
  await page.keyboard.press('e');
  await queue(/^Resolved 3/).waitFor();
  await page.getByText('No open cases').waitFor();
  await page.keyboard.press('z');
  await page.keyboard.press('z');
  await queue(/^Open 2/).waitFor();
  await isShown('@bob');
  await page.keyboard.press('h');
  await page.keyboard.press('1');
  await queue(/^Waiting 1/).waitFor();
  await queue(/^Open 1/).waitFor();
});

test('an action in a case resolves all of its reports, and its undo reopens them', async () => {
  const { page, homeserver } = console;
  const { userId } = homeserver.as('bob');
  await console.open(`/reports/cases?case=${enc(`user ${userId}`)}`);
  await page.getByText('Report 1 of 2').waitFor();
  await page.keyboard.press('d');
  const panel = page.getByRole('dialog', { name: 'Take down user' });
  await panel
    .getByLabel('Resolve', { exact: true })
    .selectOption({ label: 'All 2 open reports of the case' });
  await panel.getByLabel('Duration of suspension').selectOption('7');
  await panel.getByRole('button', { name: 'Take down user' }).click();
  await queue(/^Open 2/).waitFor();
  await queue(/^Resolved 1/).waitFor();
  await page.goto(`${homeserver.url}/console/users/${enc(userId)}`);
  await page.getByRole('button', { name: 'Cancel: Unsuspend user' }).waitFor();
  await page.goto(`${homeserver.url}/console/reports/cases`);
  await queue(/^Resolved 1/).waitFor();
  await page.keyboard.press('z');
  await queue(/^Open 3/).waitFor();
  await expect
    .poll(async () => (await homeserver.as('admin').get(`/_service/admin/v2/users/${enc(userId)}`)).body)
    .toMatchObject({ suspended: false });
});

test('a user on the watch list comes first, and Home lists them until a moderator stops watching', async () => {
  const { page, homeserver } = console;
  const { userId } = homeserver.as('alice');
  await console.open(`/reports/cases?case=${enc(`user ${userId}`)}`);
  await page.getByRole('button', { name: 'Watch', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Watch for 30 days' }).click();
  await option('Rude').getByText('On watch list').waitFor();
  await page.getByRole('button', { name: 'Sort cases' }).click();
  await expect.poll(() => page.getByRole('option').nth(1).textContent()).toContain('Rude');
  await page.goto(`${homeserver.url}/console/home`);
  const watched = page.getByRole('region', { name: 'Watched users and rooms' });
  await watched.getByRole('link', { name: /@alice/ }).click();
  await page.getByRole('button', { name: /^Watched until/ }).click();
  await page.getByRole('menuitem', { name: 'Stop watching' }).click();
  await page.getByRole('button', { name: 'Watch', exact: true }).waitFor();
  await page.goto(`${homeserver.url}/console/home`);
  await page.getByRole('region', { name: 'Recent activity' }).waitFor();
  expect(await watched.count()).toBe(0);
});

test('saving a queue keeps the open case', async () => {
  const { page } = console;
  await console.open('/reports/cases');
  await option('kill yourself').click();
  const open = page.getByRole('region', { name: 'Case', exact: true }).getByText('@carol').first();
  await open.waitFor();
  const dialog = page.getByRole('dialog', { name: 'Save view' });
  const choose = async (item: string) => {
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await choose('Save current view…');
  await dialog.getByLabel('Name').fill('All of it');
  await dialog.getByRole('switch', { name: 'Use as queue' }).check({ force: true });
  await dialog.getByLabel('Target time (minutes)').fill('90.5');
  await dialog.getByLabel('Position').fill('-1');
  await dialog.getByRole('button', { name: 'Save view' }).click();
  const tab = (name: string) =>
    page.getByRole('group', { name: 'Team queues' }).getByRole('button', { name, exact: false });
  await tab('All of it').and(page.locator('[aria-current]')).waitFor();
  await open.waitFor();
  await choose('Edit view…');
  await dialog.getByLabel('Name').fill('Everything');
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await tab('Everything').and(page.locator('[aria-current]')).waitFor();
  expect(new URL(page.url()).searchParams.get('case')).toContain('@carol');
  await open.waitFor();
});

test('evidence is held before a redaction and when one is scheduled, shown as it was, and released', async () => {
  const { page, homeserver } = console;
  const { body } = await homeserver.as('bob').post('/_chat/client/v3/createRoom', { preset: 'public_chat' });
  const room = `/_chat/client/v3/rooms/${enc(body.room_id)}`;
  const content = { msgtype: 'm.text', body: 'Pay or else' };
  const sent = await homeserver.as('bob').put(`${room}/send/m.room.message/1`, content);
  await homeserver.as('alice').post(`${room}/join`, {});
  await homeserver.as('alice').post(`${room}/report/${enc(sent.body.event_id)}`, { reason: 'Blackmail' });
  await console.open(`/reports/cases?case=${enc(`user ${homeserver.as('bob').userId}`)}`);
  await page.getByText('Pay or else').first().waitFor();
  const held = page.getByRole('list', { name: 'Held evidence' });
  async function release() {
    await held.getByRole('button', { name: 'Release' }).click();
    await page.getByRole('button', { name: 'Release evidence' }).click();
    await held.waitFor({ state: 'detached' });
  }
  await page.keyboard.press('m');
  await page.getByRole('menuitem', { name: /^Redact all messages/ }).click();
  const scheduled = page.getByRole('dialog', { name: 'Redact all messages' });
  await scheduled.getByLabel('When').selectOption('at');
  await scheduled.getByLabel('Time', { exact: true }).fill('2099-01-01T00:00');
  await scheduled.getByText('Held now').waitFor();
  await scheduled.getByRole('button', { name: 'Redact all messages' }).click();
  await page.getByText(/^Scheduled for/).waitFor();
  await release();

  await page.keyboard.press('r');
  const panel = page.getByRole('dialog', { name: 'Redact event' });
  const hold = panel.getByRole('checkbox', { name: /^Hold evidence first/ });
  expect(await hold.isChecked()).toBe(true);
  // Warnings that appear after a confirmation need another one.
  await panel.locator('form[aria-busy=false]').waitFor();
  await panel.getByRole('button', { name: 'Redact event' }).click();
  await held.getByText(/Evidence held by @admin .*: 1 message$/).waitFor();
  await console.open('/reports?report=1');
  await held.getByRole('button', { name: 'Open' }).click();
  const dialog = page.getByRole('dialog', { name: 'Held evidence' });
  await dialog.getByText('Unchanged since it was held.').waitFor();
  await dialog.getByText('Pay or else').first().waitFor();
  await page.keyboard.press('Escape');
  await release();
});

test('evidence is held before the messages of a user, or of several rooms, are removed on another screen', async () => {
  const { page, homeserver } = console;
  await homeserver.add('dave');
  const dave = homeserver.as('dave');
  for (const name of ['Deals', 'More deals']) {
    const { body } = await dave.post('/_chat/client/v3/createRoom', { preset: 'public_chat', name });
    const room = `/_chat/client/v3/rooms/${enc(body.room_id)}`;
    const sent = await dave.put(`${room}/send/m.room.message/1`, { msgtype: 'm.text', body: 'Buy' });
    await homeserver.as('alice').post(`${room}/join`, {});
    await homeserver.as('alice').post(`${room}/report/${enc(sent.body.event_id)}`, { reason: 'Spam' });
  }
  const hold = (panel: Locator) =>
    panel.getByRole('checkbox', { name: 'Hold evidence first: 2 reported messages', checked: true });
  await console.open('/rooms?search=deals');
  await page.getByRole('checkbox', { name: 'Select Deals', exact: true }).check();
  await page.getByRole('checkbox', { name: 'Select More deals', exact: true }).check();
  await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Delete 2 rooms' }).click();
  await hold(page.getByRole('dialog', { name: 'Delete 2 rooms' })).waitFor();

  await console.open(`/users/${enc(dave.userId)}`);
  await page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: /^Redact all messages/ }).click();
  const panel = page.getByRole('dialog', { name: 'Redact all messages' });
  await hold(panel).waitFor();
  await panel.getByText('Kept on this server until 90 days after the case is resolved.').waitFor();
  await panel.locator('form[aria-busy=false]').waitFor();
  await panel.getByRole('button', { name: 'Redact all messages' }).click();
  await page.getByRole('region', { name: 'Activity' }).getByText('2 messages, 0 files').waitFor();
});

test('keys open one appeal after the other, with the lines that it was received in', async () => {
  const { page, homeserver } = console;
  for (const name of ['alice', 'carol']) {
    await console.open(`/users/${enc(homeserver.as(name).userId)}`);
    await page.getByRole('button', { name: /^Suspend user/ }).click();
    const panel = page.getByRole('dialog');
    // The button moves while the panel loads.
    await panel.locator('form[aria-busy=false]').waitFor();
    await panel.getByRole('button', { name: 'Suspend user' }).click();
    await page.getByRole('button', { name: 'Record appeal…' }).click();
    await page.getByLabel('Text as received').fill(`Hello,\n\n${name} did nothing`);
    await page.getByRole('dialog').getByRole('button', { name: 'Record appeal' }).click();
    await page.getByText('Appeal recorded').waitFor();
  }
  await console.open('/reports/cases?queue=appeals');
  const opened = (text: string) =>
    page.getByRole('region', { name: 'Report', exact: true }).getByText(text).first().waitFor();
  const list = page.getByRole('list', { name: 'Appeals' });
  await list.getByRole('button', { name: /admin suspended @?carol/i }).waitFor();
  await page.keyboard.press('j');
  await opened('carol did nothing');
  await page.keyboard.press('j');
  await opened('alice did nothing');
  await page.keyboard.press('k');
  await opened('carol did nothing');
  expect(await page.getByRole('article').first().innerText()).toContain('Hello,\n\ncarol did nothing');
});
