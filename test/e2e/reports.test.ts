import { describe, expect, test } from 'vitest';
import { isMatrix } from '../matrix.ts';
import { gatehouse } from '../server/gatehouse.ts';
import { administratorOf } from './homeserver-client.ts';
import { openScreen, testedHosts, why } from './hosts.ts';

const reports = '/_service/admin/v1/event_reports';
const count = isMatrix ? 120 : 60;

describe.each(testedHosts)('in $name', (host) => {
  test.skipIf(host.missing)(
    `a moderator finds hostile reports and deletes one permanently${why(host.missing)}`,
    async () => {
      await using running = await host.start();
      const { page, homeserverUrl, dataDir } = running;
      const administrator = await administratorOf(running);

      // A new server shows an empty state with a hint about sample data.
      await openScreen(page, 'Reports');
      await page.getByText(/sample.data/).waitFor();
      expect(await gatehouse('sample-data', '--reports', `${count}`, '--data-dir', dataDir)).toMatchObject({
        code: 0,
      });
      await page.reload();
      const list = page.getByRole('listbox', { name: 'Reports' });
      await list.getByRole('option').first().waitFor();

      const own = new Set([new URL(page.url()).origin, homeserverUrl]);
      const strangers: string[] = [];
      page.on('request', (request) => {
        const { protocol, origin } = new URL(request.url());
        if (!['data:', 'blob:'].includes(protocol) && !own.has(origin)) strangers.push(request.url());
      });

      // Filters by sender with the keyboard.
      await list.press('/');
      await page.getByRole('combobox', { name: 'Filter reports' }).fill('@mallory:localhost');
      const senders = page.getByRole('group', { name: 'Sender' });
      await senders.getByRole('option', { name: '@mallory:localhost' }).click();
      await expect.poll(() => new URL(page.url()).searchParams.get('sender')).toContain('@mallory:localhost');
      const { body: ofMallory } = await administrator.get(
        `${reports}?event_sender_user_id=@mallory:localhost&limit=1000`,
      );
      expect(ofMallory.total).toBeGreaterThan(10);
      await page.getByText(`${ofMallory.total} matches`).waitFor();

      // Each of her reports is rendered safely: no scripts, no requests to other servers.
      await expect.poll(() => page.title()).toContain(`(${count}) `);
      const title = await page.title();
      const detail = page.getByRole('region', { name: 'Report' });
      await list.focus();
      const heading = detail.getByRole('heading', { name: /^Report \d+/ });
      const seen = new Set<string>();
      for (const report of ofMallory.event_reports) {
        await list.press('j');
        // A message with an earlier report was already checked.
        if (seen.has(report.event_id)) continue;
        seen.add(report.event_id);
        await detail.getByRole('heading', { name: `Report ${report.id}`, exact: true }).waitFor();
      }
      await detail
        .getByRole('heading', { name: `Report ${ofMallory.event_reports.at(-1).id}`, exact: true })
        .waitFor();
      expect(await page.title()).toBe(title);
      expect(
        await page.locator('script:not([src]), iframe, object, embed, svg foreignObject, base').count(),
      ).toBe(0);
      // Only the console's own form, for a note.
      const form = page.locator('form');
      await form.getByRole('textbox', { name: 'Note', exact: true }).waitFor();
      expect(await form.count()).toBe(1);
      expect(await form.getByRole('textbox').all()).toHaveLength(1);
      expect(strangers).toEqual([]);

      const id = (await heading.textContent())?.match(/\d+/)?.[0];
      await page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Delete report' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete report' }).click();
      await expect.poll(async () => (await administrator.get(`${reports}/${id}`)).status).toBe(404);
      await page.getByText(`${ofMallory.total - 1} matches`).waitFor();
      expect(strangers).toEqual([]);
    },
  );
});
