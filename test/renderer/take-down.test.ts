/** Taking down a spammer: the usual actions one after another, as a single action. */
import type { Route } from 'playwright';
import { describe, expect, test } from 'vitest';
import type { DialectName } from '../../shared/dialect.ts';
import { isMatrix } from '../matrix.ts';
import { acting } from './acting.ts';
import { openable, uploads } from './acting-scene.ts';
import { testedDialect } from './tested-dialect.ts';

const enc = encodeURIComponent;
const redactions = '**/redact_status/*';

/** Passes on GET requests; handles POST requests. */
const posts = (handler: (route: Route) => unknown) => (route: Route) =>
  route.request().method() === 'POST' ? handler(route) : route.continue();

function takingDown(dialect: DialectName = 'vendor') {
  const on = acting(dialect);
  const row = () => on.tray().getByRole('article');
  return Object.assign(on, {
    row,
    step: (name: string | RegExp) => on.page.getByRole('dialog').getByRole('checkbox', { name }),
    button: (name: string | RegExp) => row().getByRole('button', { name, exact: true }),

    /** Creates a reported user with this number of uploads. */
    async spammer({ messages = 3, uploads: count = 2 } = {}) {
      const scene = await on.scene({ messages });
      return { ...scene, files: await uploads(scene, count) };
    },

    /** Returns the number of uploads that other users can open. */
    openable: (files: readonly string[]) => openable(on.homeserver, files),

    /** Returns the number of open reports in the window title. */
    waiting: async () => Number(/^\((\d+)\)/.exec(await on.page.title())?.[1] ?? 0),

    async openReport(id: number | undefined) {
      await on.open(`/reports?report=${id}`);
      await on.page.getByRole('heading', { name: `Report ${id}` }).waitFor();
      await on.ready();
    },

    logged: async () => (await on.log()).map(({ action, outcome }) => `${action} ${outcome}`),
  });
}

describe(`in the ${testedDialect} dialect`, () => {
  const on = takingDown(testedDialect);

  test('a spammer is taken down by one key, and reversible steps are undone in reverse order', async () => {
    const { page } = on;
    const spammer = await on.spammer();
    const { userId, reportIds, eventIds, files } = spammer;
    await on.openReport(reportIds[2]);
    await expect.poll(on.waiting).toBeGreaterThan(0);
    const before = await on.waiting();
    await page.keyboard.press('d');
    const panel = await on.panel();
    for (const name of ['Suspend user', 'Quarantine all media', 'Redact all messages']) {
      expect(await on.step(name).isChecked()).toBe(true);
    }
    for (const name of ['Lock user', 'Clear profile', 'Sign out all devices', 'Deactivate user'])
      expect(await on.step(name).isChecked()).toBe(false);
    await panel.getByText('2 files').waitFor();
    await panel.getByText('1 room, at most').waitFor();
    const others = on.step('Also resolve 2 other open reports against this user');
    await others.waitFor();
    expect(await others.isChecked()).toBe(true);
    await panel.getByText("Redacted content can't be restored.").waitFor();
    await page.keyboard.type('Spam');
    await page.keyboard.press('Enter');

    await on
      .tray()
      .getByRole('article', { name: `${userId} taken down` })
      .waitFor();
    await on.row().getByText('4 of 4 done').waitFor();
    expect(await on.user(userId)).toMatchObject({ suspended: true, locked: false, deactivated: false });
    expect(await on.openable(files)).toBe(0);
    for (const id of eventIds) expect(await on.content(spammer, id)).toEqual({});
    await expect.poll(on.waiting).toBe(before - 3);
    const entry = {
      type: 'action',
      subject: { kind: 'user', userId },
      reports: [reportIds[2]],
      reason: 'Spam',
      outcome: 'done',
    };
    expect(await on.log()).toEqual([
      { ...entry, action: 'suspend-user' },
      { ...entry, action: 'quarantine-user-media', detail: '2 media' },
      { ...entry, action: 'redact-user' },
    ]);

    await on.row().getByText(`Undo doesn't revert: Messages of ${userId} redacted`).waitFor();
    // After a reload, the shortcut undoes the saved action.
    await page.reload();
    await on.ready();
    await page.keyboard.press('U');
    await on
      .tray()
      .getByRole('article', { name: `Takedown of ${userId} undone` })
      .waitFor();
    await on.row().getByText(`Not undone: Messages of ${userId} redacted`).waitFor();
    expect(await on.user(userId)).toMatchObject({ suspended: false });
    expect(await on.openable(files)).toBe(2);
    await expect.poll(on.waiting).toBe(before);
    expect((await on.logged()).slice(3)).toEqual(['quarantine-user-media undone', 'suspend-user undone']);
  });
});

const on = takingDown();

test('a reload in the middle loses and repeats nothing', async () => {
  const { page } = on;
  const { userId, reportIds } = await on.spammer();
  let status = 'scheduled';
  await page.route(redactions, (route) => route.fulfill({ json: { status, failed_redactions: {} } }));
  await on.openReport(reportIds[0]);
  await expect.poll(on.waiting).toBeGreaterThan(0);
  const before = await on.waiting();
  await page.keyboard.press('d');
  await on.panel();
  await page.keyboard.press('Enter');
  await on.row().getByText(`Redacting messages of ${userId}`).waitFor();
  await on.row().getByText('2 of 4 done').waitFor();
  await on.row().getByRole('link', { name: 'Task' }).waitFor();
  await on.row().getByText('scheduled on the server').waitFor();
  await page.reload();
  await on.row().getByText(`Redacting messages of ${userId}`).waitFor();
  await expect.poll(on.waiting).toBe(before);
  status = 'complete';
  await on
    .tray()
    .getByRole('article', { name: `${userId} taken down` })
    .waitFor();
  await expect.poll(on.waiting).toBe(before - 3);
  expect(await on.logged()).toEqual(['suspend-user done', 'quarantine-user-media done', 'redact-user done']);
});

test("reports of events the server didn't redact stay open until those are redacted one by one", async () => {
  const { page } = on;
  const scene = await on.spammer({ messages: 2, uploads: 0 });
  const poll = await scene.asUser('PUT', `${scene.room}/send/m.poll.start/poll`, {
    'm.poll': { question: 'Q' },
  });
  await page.route(
    '**/user/*/redact',
    posts((route) => route.fulfill({ json: { redact_id: 'none' } })),
  );
  const failed_redactions = { [scene.eventIds[0] ?? '']: "'redacts'" };
  await page.route(redactions, (route) => route.fulfill({ json: { status: 'complete', failed_redactions } }));
  await on.openReport(scene.reportIds[0]);
  await expect.poll(on.waiting).toBeGreaterThan(0);
  const before = await on.waiting();
  await page.keyboard.press('d');
  await on.panel();
  await on.step(/^Also resolve the other open report/).waitFor();
  await page.keyboard.press('Enter');
  await on.row().getByText('2 of 4 done, 2 incomplete').waitFor();
  await on.row().getByText(`3 events in ${scene.name} weren't redacted.`).waitFor();
  await on.row().getByText('2 related reports stay open.').waitFor();
  expect(await on.waiting()).toBe(before);
  await on.button('Show events').press('Enter');
  await on.row().getByText("Messages of suspended users can't be redacted").waitFor();
  expect(await on.row().getByText("'redacts'").count()).toBe(0);
  await on.row().getByRole('link', { name: poll.body.event_id }).waitFor();

  await on.row().getByRole('button', { name: 'Redact 3 events' }).press('Enter');
  const panel = await on.panel();
  await on.takePower();
  await panel.getByRole('textbox', { name: 'Reason' }).press('Enter');
  await on
    .tray()
    .getByRole('article', { name: `${scene.userId} taken down` })
    .waitFor();
  for (const eventId of [...scene.eventIds, poll.body.event_id])
    expect(await on.content(scene, eventId)).toEqual({});
  await expect.poll(on.waiting).toBe(before - 2);
});

test("the last choices are preselected, and an empty choice can't be sent", async () => {
  const { page } = on;
  const [first, second] = [await on.spammer(), await on.spammer()];
  await on.open(`/users/${enc(first.userId)}`);
  await on.ready();
  await page.keyboard.press('d');
  const panel = await on.panel();
  await on.step('Quarantine all media').uncheck();
  await on.step('Redact all messages').uncheck();
  expect(await panel.getByText("Redacted content can't be restored.").count()).toBe(0);
  await on.step('Lock user').check();
  await on.step(/^Resolve 3 open reports/).uncheck();
  await panel.getByRole('button', { name: 'Take down user' }).press('Enter');
  await on
    .tray()
    .getByRole('article', { name: `${first.userId} taken down` })
    .waitFor();
  expect(await on.user(first.userId)).toMatchObject({ suspended: true, locked: true });
  expect(await on.openable(first.files)).toBe(2);

  await page.goto(`${on.homeserver.url}/console/users/${enc(second.userId)}`);
  await on.ready();
  await page.keyboard.press('d');
  await on.panel();
  await on.step(/^Resolve .*open reports/).waitFor();
  const chosen = () => page.getByRole('dialog').getByRole('checkbox', { checked: true });
  expect(await chosen().count()).toBe(2);
  await on.step('Suspend user').uncheck();
  await on.step('Lock user').uncheck();
  await expect.poll(() => panel.getByRole('button', { name: 'Take down user' }).isDisabled()).toBe(true);
});

test('oneself and admins need the confirmations of each step', async () => {
  const { page, homeserver } = on;
  const { userId } = homeserver.as('admin');
  await on.open(`/users/${enc(userId)}`);
  await on.ready();
  await page.keyboard.press('d');
  const panel = await on.panel();
  await panel.getByText('This is your account. You may lock yourself out.').waitFor();
  await panel.getByRole('textbox', { name: /^This affects your own account\. Type/ }).waitFor();
  await page.keyboard.press('Enter');
  await panel.getByText("Doesn't match yet").waitFor();
  expect(await on.tray().count()).toBe(0);

  const { userId: other } = await on.spammer();
  const rights = `/_service/admin/v1/users/${enc(other)}/admin`;
  await homeserver.as('admin').put(rights, { admin: true });
  await page.goto(`${homeserver.url}/console/users/${enc(other)}`);
  await on.ready();
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search screens and actions' }).fill('Take down');
  await page.getByRole('dialog').getByRole('button', { name: 'Take down user' }).click();
  await panel.getByText('Protected account: server admin.').waitFor();
  await panel.getByRole('textbox', { name: `This affects a protected account. Type ${other}` }).waitFor();
});

test('several users are taken down at once', async () => {
  const { page } = on;
  const spammers = [await on.spammer({ messages: 1 }), await on.spammer({ messages: 1 })];
  await on.open('/reports');
  await page.getByRole('option').nth(1).waitFor();
  await page.getByRole('listbox', { name: 'Reports' }).focus();
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
  await page.getByText('2 selected').waitFor();
  await on.ready();
  await page.keyboard.press('d');
  const panel = await on.panel();
  await panel.getByText('Runs the selected steps for 2 users in order.').waitFor();
  await panel.getByRole('textbox', { name: 'Type 2 to confirm' }).fill('2');
  await page.keyboard.press('Enter');
  await on.row().getByText('8 of 8 done').waitFor();
  for (const spammer of spammers) {
    expect(await on.content(spammer, spammer.eventIds[0] ?? '')).toEqual({});
    expect(await on.openable(spammer.files)).toBe(0);
  }
  await on.button(/^Undo: /).press('Enter');
  await on.tray().getByRole('article', { name: 'Takedown of 2 users undone' }).waitFor();
  for (const { userId } of spammers) expect(await on.user(userId)).toMatchObject({ suspended: false });
});

const much = isMatrix ? { files: 500, messages: 1_000 } : { files: 60, messages: 120 };

test('many users have the same steps, with counts', { timeout: 180_000 }, async () => {
  const { page } = on;
  const spammer = await on.spammer({ messages: 1, uploads: much.files });
  const { userId, room, asUser, reportIds, files } = spammer;
  const last: string[] = [];
  for (let index = 0; index < much.messages; index++) {
    const body = { msgtype: 'm.text', body: `Buy ${index}` };
    last[0] = (await asUser('PUT', `${room}/send/m.room.message/much${index}`, body)).body.event_id;
  }
  await on.openReport(reportIds[0]);
  await page.keyboard.press('d');
  const panel = await on.panel();
  await panel.getByText(`${much.files} files`).waitFor();
  await panel.getByLabel('Newest events per room').fill('2000');
  await panel.getByRole('textbox', { name: 'Reason' }).press('Enter');
  await on.row().getByText(`Redacting messages of ${userId}`).waitFor();
  await on
    .tray()
    .getByRole('article', { name: `${userId} taken down` })
    .waitFor({ timeout: 120_000 });
  await on.row().getByText(`${much.files} files`).waitFor();
  expect(await on.content(spammer, last[0] ?? '')).toEqual({});
  expect(await on.content(spammer, spammer.eventIds[0] ?? '')).toEqual({});
  await on.button(/^Undo: /).press('Enter');
  await on
    .tray()
    .getByRole('article', { name: `Takedown of ${userId} undone` })
    .waitFor({ timeout: 60_000 });
  expect(await on.openable(files.slice(0, 5))).toBe(5);
});
