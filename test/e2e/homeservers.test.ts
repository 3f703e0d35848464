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

  test.skipIf(kind.missing)(`an upload is found by its size, quarantined and deleted${suffix}`, async () => {
    await using homeserver = await kind.start();
    const uploader = await homeserver.person('uploader');
    const upload = (name: string, bytes: number) =>
      uploader.chat('POST', `/media/v3/upload?filename=${name}`, { fill: 'x'.repeat(bytes) });
    await upload('small.json', 100);
    await upload('large.json', 40_000);
    await using console = await openConsole(homeserver);
    const { page } = console;
    const { origin } = new URL(page.url());
    const user = encodeURIComponent(uploader.userId);
    const uploads = async () =>
      (await homeserver.admin.administration('GET', `/v1/users/${user}/media`)).body.media as {
        upload_name: string;
        quarantined_by: string | null;
      }[];

    await page.goto(`${origin}/console/media/clean-up?since=2100-01-01`);
    await page.getByRole('button', { name: 'Look what it would delete' }).click();
    // Others may have uploaded more: it is among them, or in the sum of the rest.
    await page.getByText(/^It would delete (\d|one)/).waitFor({ timeout: 60_000 });

    await page.goto(`${origin}/console/media/users/${user}?larger=10000`);
    await page.getByText('1 upload', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'large.json' }).click();
    await page.getByText(/^40 kB/).waitFor();
    await page.getByRole('button', { name: /^Quarantine media/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Quarantine media/ })
      .click();
    await page.getByText(`Quarantined by ${homeserver.admin.userId}`).waitFor();
    expect((await uploads()).filter((each) => each.quarantined_by !== null)).toMatchObject([
      { upload_name: 'large.json' },
    ]);
    await page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: /^More/ }).click();
    await page.getByRole('menuitem', { name: /^Delete media/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Delete media/ })
      .click();
    // What is left of it is the list of its uploader.
    await page.getByRole('link', { name: 'small.json' }).waitFor();
    expect((await uploads()).map((each) => each.upload_name)).toEqual(['small.json']);
  });

  test.skipIf(kind.missing)(`a registration token is made, changed and deleted${suffix}`, async () => {
    await using homeserver = await kind.start();
    await using console = await openConsole(homeserver);
    const { page } = console;
    const name = `guest${Date.now()}`;
    const path = `/v1/registration_tokens/${name}`;
    const token = () => homeserver.admin.administration('GET', path);
    await page.goto(`${new URL(page.url()).origin}/console/tokens?make=true`);
    await page.getByText('My own').click();
    await page.getByRole('textbox', { name: 'Token', exact: true }).fill(name);
    await page.getByRole('textbox', { name: 'Uses' }).fill('2');
    await page.getByRole('button', { name: 'Make token' }).click();
    await page.getByRole('button', { name: 'Copy token' }).waitFor();
    expect((await token()).body).toMatchObject({ uses_allowed: 2, expiry_time: null });
    await page.getByRole('textbox', { name: 'Uses' }).fill('5');
    await page.getByRole('button', { name: 'Change token' }).click();
    await page.getByText('Changed', { exact: true }).waitFor();
    expect((await token()).body).toMatchObject({ uses_allowed: 5 });
    await page.getByRole('button', { name: 'Delete token' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete token' }).click();
    await expect.poll(async () => (await token()).status, { timeout: 20_000 }).toBe(404);
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
