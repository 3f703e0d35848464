/** Tasks of moderators and admins, the same on each homeserver. Run with `npm run test:reference`. */
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedChromium } from '../chromium.ts';
import { patience } from '../patience.ts';
import { type Homeserver, homeservers, type Person } from './homeservers.ts';
import { why } from './hosts.ts';

/** Opens the console in a new profile and signs in as an admin. */
async function openConsole(browser: Browser, homeserver: Homeserver, admin: Person): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  await page.goto(`${homeserver.consoleUrl}/connect`);
  await page.getByLabel('Server address').fill(homeserver.url);
  await page.getByLabel('Server address').blur();
  await homeserver.signIn(page, admin);
  await page
    .getByRole('navigation', { name: 'Screens' })
    .getByRole('link', { name: /^Reports/ })
    .waitFor();
  return page;
}

/** Navigates like the console's own links, without a page load. */
const visit = (page: Page, path: string) =>
  page.evaluate((to) => history.pushState(null, '', to), `/console/${path}`);

/** Sends a message and reports it as another user. */
async function fileReport(homeserver: Homeserver, reason: string) {
  const [sender, reporter] = [await homeserver.person('mallory'), await homeserver.person('alice')];
  const name = `Lobby of ${sender.userId}`;
  const room = await sender.chat('POST', '/client/v3/createRoom', { preset: 'public_chat', name });
  const path = `/client/v3/rooms/${encodeURIComponent(room.body.room_id)}`;
  await reporter.chat('POST', `${path}/join`, {});
  const content = { msgtype: 'm.text', body: `Buy ${reason}` };
  const sent = await sender.chat('PUT', `${path}/send/m.room.message/${Date.now()}`, content);
  const event = encodeURIComponent(sent.body.event_id);
  const filed = await reporter.chat('POST', `${path}/report/${event}`, { reason, score: -80 });
  expect(filed.status).toBe(200);
  return { sender, reporter, roomId: room.body.room_id as string, roomName: name };
}

const openReport = async (page: Page, reason: string, sender: string) => {
  await visit(page, `reports?sender=${encodeURIComponent(sender)}`);
  await page
    .getByRole('option', { name: new RegExp(reason) })
    .first()
    .click();
  await page.getByRole('article', { name: 'Reported message' }).getByText(`Buy ${reason}`).waitFor();
};

describe.each(homeservers)('on $name', (kind) => {
  const suffix = why(kind.missing);
  let homeserver: Homeserver;
  let browser: Browser;
  /** The console, signed in as the server's admin. */
  let page: Page;

  beforeAll(async () => {
    if (kind.missing) return;
    [homeserver, browser] = await Promise.all([kind.start(), sharedChromium()]);
    page = await openConsole(browser, homeserver, homeserver.admin);
  }, 600_000);

  afterAll(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
    await homeserver?.[Symbol.asyncDispose]();
  });

  const go = (screen: string) => visit(page, screen);

  /** Types into the list's search and waits for the results. */
  const find = async (text: string) => {
    await page.getByRole('searchbox').fill(text);
    await page.waitForURL(/search=/);
    await page.getByText(/^1 (user|room)$/).waitFor();
  };

  test.skipIf(kind.missing)(`a report is read and deleted${suffix}`, async () => {
    const { sender } = await fileReport(homeserver, 'spam');
    await openReport(page, 'spam', sender.userId);
    const reports = () => homeserver.admin.administration('GET', `/v1/event_reports?dir=b&limit=1000`);
    const ofSender = async () =>
      (await reports()).body.event_reports.filter(
        (report: { sender: string }) => report.sender === sender.userId,
      );
    expect(await ofSender()).toHaveLength(1);
    await page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete report' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete report' }).click();
    await expect.poll(ofSender).toEqual([]);
  });

  test.skipIf(kind.missing)(`the sender of a report is suspended${suffix}`, async () => {
    const { sender } = await fileReport(homeserver, 'fraud');
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
    await expect.poll(async () => (await user()).body.suspended).toBe(true);
  });

  test.skipIf(kind.missing)(`media is found by size, quarantined and deleted${suffix}`, async () => {
    const uploader = await homeserver.person('uploader');
    const upload = (name: string, bytes: number) =>
      // Unique content: the reference server quarantines media that's already in quarantine.
      uploader.chat('POST', `/media/v3/upload?filename=${name}`, {
        of: uploader.userId,
        fill: 'x'.repeat(bytes),
      });
    await upload('small.json', 100);
    await upload('large.json', 40_000);
    const user = encodeURIComponent(uploader.userId);
    const uploads = async () =>
      (await homeserver.admin.administration('GET', `/v1/users/${user}/media`)).body.media as {
        upload_name: string;
        quarantined_by: string | null;
      }[];

    await go('media/clean-up?since=2100-01-01');
    await page.getByRole('button', { name: 'Preview deletion' }).click();
    // Other runs may have uploaded larger files, so the user may be in the sum of the rest.
    await page.getByText(/^Would free \d/).waitFor();

    await go(`media/users/${user}?larger=10000`);
    await page.getByText('1 file', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'large.json' }).click();
    await page.getByText(/^40 kB \(/).waitFor();
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
    // The uploader's list shows the remaining file.
    await page.getByRole('link', { name: 'small.json' }).waitFor();
    expect((await uploads()).map((each) => each.upload_name)).toEqual(['small.json']);
  });

  const noTokens = kind.missing ?? kind.withoutTokens;
  test.skipIf(noTokens)(`a registration token is created, changed and deleted${why(noTokens)}`, async () => {
    const name = `guest${Date.now()}`;
    const path = `/v1/registration_tokens/${name}`;
    const token = () => homeserver.admin.administration('GET', path);
    await go('tokens?make=true');
    await page.getByText('Custom').click();
    await page.getByRole('textbox', { name: 'Token', exact: true }).fill(name);
    await page.getByRole('textbox', { name: 'Uses' }).fill('2');
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('button', { name: 'Copy token' }).waitFor();
    expect((await token()).body).toMatchObject({ uses_allowed: 2, expiry_time: null });
    await page.getByRole('textbox', { name: 'Uses' }).fill('5');
    await page.getByRole('button', { name: 'Change token' }).click();
    await page.getByText('Changed', { exact: true }).waitFor();
    expect((await token()).body).toMatchObject({ uses_allowed: 5 });
    await page.getByRole('button', { name: 'Delete token' }).click();
    const question = page.getByRole('dialog', { name: 'Delete token' });
    await question.getByRole('button', { name: 'Delete token' }).click();
    await expect.poll(async () => (await token()).status).toBe(404);
  });

  test.skipIf(kind.missing)(`Home shows the server's state and links to its screens${suffix}`, async () => {
    const [about, reporter] = [await homeserver.person('mallory'), await homeserver.person('alice')];
    const filed = await reporter.chat('POST', `/client/v3/users/${encodeURIComponent(about.userId)}/report`, {
      reason: 'Rude everywhere',
    });
    expect(filed.status).toBe(200);
    await go('home');
    const card = (name: string) => page.getByRole('region', { name, exact: true });
    const version = await homeserver.admin.administration('GET', '/v1/server_version');
    await card('Version').getByText(version.body.server_version).waitFor();
    await card('Tasks')
      .getByText(/failed|overdue/i)
      .first()
      .waitFor();
    await card('Background updates').getByText('No updates pending').waitFor();
    await card('Keys and certificates').getByText('Signing key valid').waitFor();
    for (const name of ['Users', 'Rooms', 'Media']) {
      const ask = card(name).getByRole('button', { name: 'Load', exact: true });
      await ask
        .or(card(name).getByRole('figure'))
        .or(
          card(name)
            .getByText(/room|media|upload/)
            .first(),
        )
        .first()
        .waitFor();
      if (await ask.isVisible()) await ask.click();
    }
    await card('Users').getByRole('figure', { name: 'New accounts per day' }).waitFor();

    await card('Background updates').getByRole('link', { name: 'Background updates' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.goBack();
    await card('Open reports').getByRole('link', { name: 'User reports' }).click();
    await page.getByRole('searchbox', { name: 'Reported user ID' }).fill(about.userId);
    await page.waitForURL(/about=/);
    await page.getByText('1 match', { exact: true }).waitFor();
    await page.getByRole('option').filter({ hasText: 'Rude everywhere' }).click();
    await page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete report' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete report' }).click();
    const left = async () =>
      (
        await homeserver.admin.administration(
          'GET',
          `/v1/user_reports?target_user_id=${encodeURIComponent(about.userId)}`,
        )
      ).body.total;
    await expect.poll(left).toBe(0);
  });

  test.skipIf(kind.missing)(`an action runs on all matches of a search${suffix}`, async () => {
    const search = `flood${Date.now()}`;
    const people = await Promise.all([1, 2, 3].map(() => homeserver.person(search)));
    await go(`users?search=${search}`);
    await page
      .getByRole('row')
      .filter({ hasText: people[0]?.userId ?? '' })
      .waitFor();
    await page.getByRole('checkbox', { name: 'Select all matches' }).click();
    await page.getByRole('region', { name: 'Selection' }).getByText('3 selected').waitFor();
    await page.getByRole('button', { name: /^Lock/ }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: /^Lock/ }).click();
    const user = (userId: string) =>
      homeserver.admin.administration('GET', `/v2/users/${encodeURIComponent(userId)}`);
    await expect.poll(async () => (await user(people[0]?.userId ?? '')).body.locked).toBe(true);
  });

  test.skipIf(kind.missing)(`a task is followed to its end${suffix}`, async () => {
    const { roomId } = await fileReport(homeserver, 'flood');
    const path = `/v2/rooms/${encodeURIComponent(roomId)}`;
    expect((await homeserver.admin.administration('DELETE', path, { purge: true })).status).toBe(200);
    // A server used by many runs has more tasks than fit on a screen.
    await go(`tasks?resource=${encodeURIComponent(roomId)}`);
    await page.getByRole('row').filter({ hasText: roomId }).getByText('Complete').waitFor();
  });

  test.skipIf(kind.missing)(`a user is found and has a page${suffix}`, async () => {
    const { userId } = await homeserver.person('oscar');
    await go('users');
    await find(userId.slice(1).replace(/:.*/, ''));
    await page.getByRole('row').filter({ hasText: userId }).getByRole('link').first().click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByText(userId).first().waitFor();
  });

  test.skipIf(kind.missing)(`a room is found, inspected and blocked${suffix}`, async () => {
    const { sender, reporter, roomId, roomName } = await fileReport(homeserver, 'scams');
    await go('rooms');
    await find(roomName);
    await page.getByRole('row').filter({ hasText: roomName }).getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: roomName }).waitFor();
    await page.getByRole('button', { name: /2 members/ }).click();
    for (const { userId } of [sender, reporter]) await page.getByText(userId).first().waitFor();
    await page
      .getByRole('toolbar', { name: 'Actions' })
      .getByRole('button', { name: /^Block room/ })
      .click();
    const panel = page.getByRole('dialog', { name: /^Block/ });
    await panel.getByRole('textbox', { name: /Reason/ }).fill('scams');
    await page.keyboard.press('Control+Enter');
    const blocked = () =>
      homeserver.admin.administration('GET', `/v1/rooms/${encodeURIComponent(roomId)}/block`);
    await expect.poll(async () => (await blocked()).body.block).toBe(true);
  });

  test.skipIf(kind.missing)(
    `two admins share statuses and notes through the team room${suffix}`,
    async () => {
      const { sender } = await fileReport(homeserver, 'phishing');
      const bob = await homeserver.person('bob');
      await homeserver.makeAdmin(bob);
      await openReport(page, 'phishing', sender.userId);
      await share(page);
      await note(page, `From the first on ${sender.userId}`);
      await page.getByRole('button', { name: 'Resolve', exact: true }).first().click();

      const other = await openConsole(browser, homeserver, bob);
      await openReport(other, 'phishing', sender.userId);
      await share(other);
      const history = other.getByRole('region', { name: 'Activity' });
      await history.getByText(`From the first on ${sender.userId}`).waitFor();
      await history.getByText('resolved this').waitFor();
      await note(other, `From the second on ${sender.userId}`);
      await page
        .getByRole('region', { name: 'Activity' })
        .getByText(`From the second on ${sender.userId}`)
        .waitFor();
    },
  );

  test.skipIf(kind.missing)(`an account and a room are inspected and changed${suffix}`, async () => {
    const { sender, roomId } = await fileReport(homeserver, 'audit');
    const user = async () => {
      const path = `/v2/users/${encodeURIComponent(sender.userId)}`;
      return (await homeserver.admin.administration('GET', path)).body;
    };
    await go(`users/${encodeURIComponent(sender.userId)}?part=sessions`);
    await page.getByRole('region', { name: 'Connections' }).getByRole('row').nth(1).waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: /^Edit profile/ }).click();
    const panel = page.getByRole('dialog', { name: 'Edit profile' });
    await panel.getByRole('textbox', { name: 'Display name' }).fill('Someone audited');
    await panel.getByRole('button', { name: 'Edit profile' }).click();
    await page.getByRole('heading', { level: 1, name: 'Someone audited' }).waitFor();
    await expect.poll(user).toMatchObject({ displayname: 'Someone audited' });

    await go(`rooms/${encodeURIComponent(roomId)}?part=members`);
    const members = page.getByRole('table', { name: 'Members' });
    await members
      .getByRole('row')
      .filter({ hasText: sender.userId })
      .getByText('100', { exact: true })
      .waitFor();
    await page.getByRole('tab', { name: 'State' }).click();
    await page.getByRole('treeitem', { name: 'm.room.create' }).click();
    await page.getByRole('tab', { name: 'Messages' }).click();
    await page.getByRole('region', { name: 'Messages' }).getByText('Buy audit').waitFor();
    await page.getByLabel('Jump to date').first().fill('2020-01-01T00:00');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Messages' }).locator('[aria-current]').waitFor();
  });
});

/** Joins the team room, or creates it if no earlier run did. */
async function share(page: Page) {
  const notice = page.getByRole('complementary', { name: 'Team room' });
  const make = page.getByRole('button', { name: 'Share with team…' });
  const join = page.getByRole('button', { name: 'Join team' });
  await make.or(join).waitFor();
  if (await make.isVisible()) {
    await make.click();
    await page.getByRole('button', { name: 'Create team room' }).click();
  } else {
    await join.click();
  }
  await notice.waitFor({ state: 'detached' });
}

async function note(page: Page, text: string) {
  const history = page.getByRole('region', { name: 'Activity' });
  await history.getByRole('textbox', { name: 'Note' }).fill(text);
  await history.getByRole('button', { name: 'Add note' }).click();
}
