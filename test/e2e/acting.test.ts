import type { Locator } from 'playwright';
import { describe, expect, test } from 'vitest';
import { administratorOf } from './homeserver-client.ts';
import { hosts, openScreen, why } from './hosts.ts';

describe.each(hosts)('in $name', (host) => {
  test.skipIf(host.missing)(
    `a moderator acts on a report by keys: redacts it, suspends its sender and takes that back${why(host.missing)}`,
    async () => {
      await using running = await host.start({ sampleData: true });
      const { page } = running;
      const administrator = await administratorOf(running);
      const listed = await administrator.get(
        '/_service/admin/v1/event_reports?event_sender_user_id=@mallory:localhost',
      );
      const [report] = listed.body.event_reports;
      await openScreen(page, 'Reports');
      const list = page.getByRole('listbox', { name: 'Reports' });
      const open = () => list.locator(`#report-${report.id}`).click();
      // Redacting resolves the report, which leaves the queue of the open ones.
      await page.getByRole('group', { name: 'Queues' }).getByRole('button', { name: /^All/ }).click();
      await open();

      const actions = page.getByRole('toolbar', { name: 'Actions' });
      await actions.getByRole('button', { name: 'Redact event' }).waitFor();
      await page.keyboard.press('r');
      const panel = page.getByRole('dialog', { name: 'Redact event' });
      await panel.getByRole('textbox', { name: 'Reason' }).waitFor();
      // Who confirms before the cautions are there is asked again.
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
});
