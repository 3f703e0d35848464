/** Moderation of reports: actions, statuses, and notes in the team room. */
import type { Locator } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Administrator, administratorOf } from './homeserver-client.ts';
import { openScreen, type RunningHost, testedHosts, why } from './hosts.ts';

const client = '/_chat/client/v3';
const rooms = '/_service/admin/v1/rooms';

describe.each(testedHosts)('in $name', (host) => {
  let running: RunningHost;
  let administrator: Administrator;
  beforeAll(async () => {
    if (host.missing) return;
    running = await host.start({ sampleData: true });
    administrator = await administratorOf(running);
  }, 180_000);
  afterAll(() => running?.close());

  test.skipIf(host.missing)(
    `a moderator redacts a reported event, suspends its sender and undoes it by keyboard${why(host.missing)}`,
    async () => {
      const { page } = running;
      const listed = await administrator.get(
        '/_service/admin/v1/event_reports?event_sender_user_id=@mallory:localhost',
      );
      const [report] = listed.body.event_reports;
      await openScreen(page, 'Reports');
      const list = page.getByRole('listbox', { name: 'Reports' });
      const open = () => list.locator(`#report-${report.id}`).click();
      // Redacting resolves the report, which removes it from the open queue.
      await page.getByRole('group', { name: 'Queues' }).getByRole('button', { name: /^All/ }).click();
      await open();

      const actions = page.getByRole('toolbar', { name: 'Actions' });
      await actions.getByRole('button', { name: 'Redact event' }).waitFor();
      await page.keyboard.press('r');
      const panel = page.getByRole('dialog', { name: 'Redact event' });
      await panel.getByRole('textbox', { name: 'Reason' }).waitFor();
      // Confirming before the warnings are loaded asks again.
      const read = (dialog: Locator) => dialog.locator('form[aria-busy=false]').waitFor();
      await read(panel);
      await panel.getByRole('checkbox', { name: 'Make me room admin first' }).check();
      await panel.getByRole('textbox', { name: 'Reason' }).focus();
      await page.keyboard.press('/');
      await panel.getByRole('option', { name: 'Spam', exact: true }).waitFor();
      await page.keyboard.press('Enter');
      await read(panel);
      await page.keyboard.press('Enter');
      await page.getByRole('status').filter({ hasText: 'Event redacted' }).waitFor();
      const { body } = await administrator.get(
        `/_service/admin/v1/rooms/${encodeURIComponent(report.room_id)}/context/${encodeURIComponent(report.event_id)}?limit=0`,
      );
      expect(body.event.content).toEqual({});

      const suspended = async () =>
        (await administrator.get('/_service/admin/v2/users/@mallory:localhost')).body.suspended;
      await open();
      await actions.getByRole('button', { name: 'Suspend user' }).waitFor();
      await page.keyboard.press('s');
      const suspending = page.getByRole('dialog', { name: 'Suspend user' });
      await suspending.getByRole('textbox', { name: 'Reason' }).waitFor();
      await read(suspending);
      await page.keyboard.press('Enter');
      await page.getByRole('status').filter({ hasText: '@mallory:localhost suspended' }).waitFor();
      expect(await suspended()).toBe(true);
      await page.keyboard.press('U');
      await page.getByRole('status').filter({ hasText: '@mallory:localhost unsuspended' }).waitFor();
      expect(await suspended()).toBe(false);
    },
  );

  test.skipIf(host.missing)(
    `a console and another tool share the team room as documented${why(host.missing)}`,
    async () => {
      const { page } = running;
      await openScreen(page, 'Reports');
      await page.getByRole('listbox', { name: 'Reports' }).getByRole('option').first().click();
      const history = page.getByRole('region', { name: 'Activity' });
      const add = async (text: string) => {
        await history.getByRole('textbox', { name: 'Note' }).fill(text);
        await history.getByRole('button', { name: 'Add note' }).click();
      };

      await add('Before the room');
      await page.getByRole('button', { name: 'Share with team…' }).click();
      await page.getByRole('checkbox', { name: '@auditor:localhost' }).check();
      await page.getByRole('button', { name: 'Create team room' }).click();
      await page.getByRole('complementary', { name: 'Team room' }).waitFor({ state: 'detached' });
      await add('In the room');

      const alias = encodeURIComponent('#gatehouse-team:localhost');
      const { body: directory } = await administrator.get(`${client}/directory/room/${alias}`);
      const room = encodeURIComponent(directory.room_id);
      const noted = async () => {
        const { body } = await administrator.get(`${rooms}/${room}/messages?dir=f&limit=100`);
        return (body.chunk as { type: string; content: { text?: string } }[])
          .filter(({ type }) => type === 'io.gatehouse.team.note')
          .map(({ content }) => content);
      };
      await expect.poll(noted).toMatchObject([{ text: 'Before the room' }, { text: 'In the room' }]);

      const [first] = (await noted()) as { subject?: { id: number } }[];
      await administrator.post(`${client}/join/${room}`, {});
      const sent = await administrator.put(`${client}/rooms/${room}/send/io.gatehouse.team.action/1`, {
        action: 'audit',
        subject: first?.subject,
        reports: [first?.subject?.id],
        reason: 'A look from outside',
        outcome: 'done',
      });
      expect(sent.status).toBe(200);
      const entry = history.getByRole('listitem').filter({ hasText: 'A look from outside' });
      await entry.waitFor();
      expect(await entry.textContent()).toContain('@auditor');

      // Shared entries are still there after a reload.
      await page.reload();
      for (const text of ['Before the room', 'In the room', 'A look from outside']) {
        await history.getByRole('listitem').filter({ hasText: text }).waitFor();
      }
    },
  );
});
