/** What a moderator and an administrator do, the same on each homeserver. `npm run test:reference`. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { launchChromium } from '../chromium.ts';
import { type Homeserver, homeservers } from './homeservers.ts';
import { why } from './hosts.ts';

/** The console, signed in by hand as the server's administrator. */
async function openConsole({ consoleUrl, url, admin }: Homeserver) {
  const browser = await launchChromium();
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`${consoleUrl}/connect`);
  await page.getByLabel('Server address').fill(url);
  await page.getByLabel('User name').fill(admin.userId);
  await page.getByRole('textbox', { name: 'Password' }).fill(admin.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('link', { name: /^Reports/ }).waitFor();
  return { page, [Symbol.asyncDispose]: () => browser.close() };
}

/** A message of someone's that someone else reported. */
async function fileReport(homeserver: Homeserver, reason: string) {
  const [sender, reporter] = [await homeserver.person('mallory'), await homeserver.person('alice')];
  const room = await sender.chat('POST', '/client/v3/createRoom', { preset: 'public_chat', name: 'Lobby' });
  const path = `/client/v3/rooms/${encodeURIComponent(room.body.room_id)}`;
  await reporter.chat('POST', `${path}/join`, {});
  const content = { msgtype: 'm.text', body: `Buy ${reason}` };
  const sent = await sender.chat('PUT', `${path}/send/m.room.message/${Date.now()}`, content);
  const event = encodeURIComponent(sent.body.event_id);
  const filed = await reporter.chat('POST', `${path}/report/${event}`, { reason, score: -80 });
  expect(filed.status).toBe(200);
  return { sender, reporter, roomId: room.body.room_id as string };
}

const openReport = async (page: Page, reason: string, sender: string) => {
  const address = new URL(page.url());
  await page.goto(`${address.origin}/console/reports?sender=${encodeURIComponent(sender)}`);
  await page
    .getByRole('option', { name: new RegExp(reason) })
    .first()
    .click();
  await page.getByRole('article', { name: 'Reported message' }).getByText(`Buy ${reason}`).waitFor();
};

describe.each(homeservers)('on $name', { timeout: 120_000 }, (kind) => {
  const suffix = why(kind.missing);

  test.skipIf(kind.missing)(`a report is read and deleted${suffix}`, async () => {
    await using homeserver = await kind.start();
    const { sender } = await fileReport(homeserver, 'spam');
    await using console = await openConsole(homeserver);
    const { page } = console;
    await openReport(page, 'spam', sender.userId);
    const reports = () => homeserver.admin.administration('GET', `/v1/event_reports?dir=b&limit=1000`);
    const ofSender = async () =>
      (await reports()).body.event_reports.filter(
        (report: { sender: string }) => report.sender === sender.userId,
      );
    expect(await ofSender()).toHaveLength(1);
    await page
      .getByRole('region', { name: 'Report', exact: true })
      .getByRole('button', { name: 'Delete' })
      .click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await expect.poll(ofSender, { timeout: 20_000 }).toEqual([]);
  });

  test.skipIf(kind.missing)(`the sender of a report is suspended${suffix}`, async () => {
    await using homeserver = await kind.start();
    const { sender } = await fileReport(homeserver, 'fraud');
    await using console = await openConsole(homeserver);
    const { page } = console;
    await openReport(page, 'fraud', sender.userId);
    await page
      .getByRole('toolbar', { name: 'Actions' })
      .getByRole('button', { name: /^Suspend user/ })
      .click();
    const panel = page.getByRole('dialog', { name: /^Suspend/ });
    await panel.getByRole('textbox', { name: /Reason/ }).fill('fraud');
    await page.keyboard.press('Control+Enter');
    const user = () =>
      homeserver.admin.administration('GET', `/v2/users/${encodeURIComponent(sender.userId)}`);
    await expect.poll(async () => (await user()).body.suspended, { timeout: 20_000 }).toBe(true);
  });

  test.skipIf(kind.missing)(`a task is seen to its end${suffix}`, async () => {
    await using homeserver = await kind.start();
    const { roomId } = await fileReport(homeserver, 'flood');
    await using console = await openConsole(homeserver);
    const { page } = console;
    const path = `/v2/rooms/${encodeURIComponent(roomId)}`;
    expect((await homeserver.admin.administration('DELETE', path, { purge: true })).status).toBe(200);
    // A server that has been at work for long has more tasks than fit on a screen.
    await page.goto(`${new URL(page.url()).origin}/console/tasks?resource=${encodeURIComponent(roomId)}`);
    await page
      .getByRole('row')
      .filter({ hasText: roomId })
      .getByText('Complete')
      .waitFor({ timeout: 60_000 });
  });
});
